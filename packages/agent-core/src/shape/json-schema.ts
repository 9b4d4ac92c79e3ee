import { orElse } from '../problem/or-else.ts';
import { checkArguments, objectInstance } from './check-arguments.ts';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from './json.ts';
import type { ParseResult, Schema } from './schema.ts';

/**
 * Creates a `Schema` from plain JSON Schema: common keywords are checked, others ignored. Common mistakes of models are
 * corrected: numbers, booleans, arrays and objects given as text, `null` for an optional field. Unknown fields never
 * make a call fail.
 */
export function jsonSchema<T>(json: JsonObject): Schema<T> {
  checkArguments('jsonSchema', { json: [json, objectInstance] });
  return {
    json,
    parse(value: JsonValue): ParseResult<T> {
      const outcome = check(value, json, {
        root: json,
        path: '',
        lenient: true,
        depth: 0,
        budget: { steps: maxSteps },
      });
      if (outcome.ok) return { ok: true, value: outcome.value as T };
      const { problems } = outcome;
      const expected = describe(problems.map(({ path, text }) => ({ path, text })));
      return { ok: false, error: describe(problems), expected };
    },
  };
}

// Recursive `$ref`s and nested unions of a foreign schema must not hang a call; beyond this, values pass unchecked.
const maxSteps = 50_000;
const maxDepth = 500;
const maxReported = 5;

interface SchemaPosition {
  readonly root: JsonObject;
  readonly path: string;
  /** True if near misses are corrected; alternatives are first tried without. */
  readonly lenient: boolean;
  readonly depth: number;
  readonly budget: { steps: number };
}

interface Mismatch {
  readonly path: string;
  readonly text: string;
  /** The value that does not fit. */
  readonly got?: string;
}

type Outcome =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly problems: readonly Mismatch[] };

function describe(problems: readonly Mismatch[]): string {
  const lines = problems
    .slice(0, maxReported)
    .map(
      ({ path, text, got }) =>
        `${path === '' ? '' : `${path}: `}${text}${got === undefined ? '' : `, got ${got}`}`,
    );
  const more = problems.length - lines.length;
  return more > 0 ? `${lines.join('; ')}; and ${more} more` : lines.join('; ');
}

function check(value: JsonValue, schema: JsonValue | undefined, outer: SchemaPosition): Outcome {
  const place = { ...outer, depth: outer.depth + 1 };
  place.budget.steps -= 1;
  if (schema === false) return fail(place, 'not allowed here');
  if (!isJsonObject(schema) || place.budget.steps < 0 || place.depth > maxDepth) return { ok: true, value };
  let outcome: Outcome = checkType(value, schema, place);
  for (const step of [checkReference, checkChoices, checkUnions, checkBounds, checkItems, checkProperties]) {
    if (!outcome.ok) return outcome;
    outcome = step(outcome.value, schema, place);
  }
  return outcome;
}

function fail({ path }: SchemaPosition, text: string, got?: string): Outcome {
  return { ok: false, problems: [got === undefined ? { path, text } : { path, text, got }] };
}

function checkType(value: JsonValue, schema: JsonObject, place: SchemaPosition): Outcome {
  const types = [schema.type ?? []].flat().filter((type) => typeof type === 'string');
  if (types.length === 0 || types.some((type) => hasType(value, type))) return { ok: true, value };
  if (value === null && schema.nullable === true) return { ok: true, value };
  for (const type of place.lenient ? types : []) {
    const converted = convert(value, type);
    if (converted !== undefined) return { ok: true, value: converted };
  }
  return fail(place, `expected ${types.map(withArticle).join(' or ')}`, nameOf(value));
}

function hasType(value: JsonValue, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isJsonObject(value);
  if (type === 'null') return value === null;
  return typeof value === type;
}

function convert(value: JsonValue, type: string): JsonValue | undefined {
  if (typeof value !== 'string' || type === 'string' || type === 'null') return undefined;
  const text = value.trim();
  const parsed = parseJson(type === 'boolean' ? text.toLowerCase() : text);
  return parsed !== undefined && hasType(parsed, type) ? parsed : undefined;
}

function withArticle(type: string): string {
  if (type === 'null') return type;
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function nameOf(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value !== 'string') return withArticle(typeof value);
  return value.length <= 40 ? `the string ${JSON.stringify(value)}` : 'a string';
}

function checkReference(value: JsonValue, schema: JsonObject, place: SchemaPosition): Outcome {
  const reference = schema.$ref;
  if (typeof reference !== 'string' || !reference.startsWith('#')) return { ok: true, value };
  return check(value, resolveReference(reference, place.root), place);
}

function resolveReference(reference: string, root: JsonObject): JsonValue | undefined {
  let target: JsonValue | undefined = root;
  for (const part of reference.split('/').slice(1)) {
    const key = decodePointer(part);
    if (Array.isArray(target)) target = target[Number(key)];
    else target = isJsonObject(target) && Object.hasOwn(target, key) ? target[key] : undefined;
  }
  return target;
}

function decodePointer(part: string): string {
  return orElse(() => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'), part);
}

function checkChoices(value: JsonValue, schema: JsonObject, place: SchemaPosition): Outcome {
  const constant = schema.const;
  const choices = constant === undefined ? schema.enum : [constant];
  if (!Array.isArray(choices)) return { ok: true, value };
  const text = JSON.stringify(value);
  const match =
    choices.find((choice) => JSON.stringify(choice) === text) ??
    (place.lenient
      ? choices.find((choice) => typeof choice !== 'string' && JSON.stringify(choice) === value)
      : undefined);
  if (match !== undefined) return { ok: true, value: match };
  const listed = choices.map((choice) => JSON.stringify(choice)).join(', ');
  return fail(place, `expected ${choices.length === 1 ? listed : `one of ${listed}`}`, nameOf(value));
}

function checkUnions(value: JsonValue, schema: JsonObject, place: SchemaPosition): Outcome {
  let outcome: Outcome = { ok: true, value };
  for (const keyword of ['anyOf', 'oneOf']) {
    const branches = schema[keyword];
    if (outcome.ok && Array.isArray(branches)) outcome = checkAny(outcome.value, branches, place);
  }
  const parts = schema.allOf;
  for (const part of Array.isArray(parts) ? parts : []) {
    if (outcome.ok) outcome = check(outcome.value, part, place);
  }
  return outcome;
}

/** The first branch that matches exactly, otherwise with a correction, otherwise the nearest miss. */
function checkAny(value: JsonValue, branches: readonly JsonValue[], place: SchemaPosition): Outcome {
  let nearest: Outcome | undefined;
  for (const lenient of place.lenient ? [false, true] : [false]) {
    for (const branch of branches) {
      const outcome = check(value, branch, { ...place, lenient });
      if (outcome.ok) return outcome;
      if (!nearest || nearest.ok || depthOf(outcome) > depthOf(nearest)) nearest = outcome;
    }
  }
  return nearest ?? { ok: true, value };
}

function depthOf(outcome: Outcome): number {
  return outcome.ok ? 0 : Math.max(...outcome.problems.map((problem) => problem.path.length));
}

function checkBounds(value: JsonValue, schema: JsonObject, place: SchemaPosition): Outcome {
  for (const [keyword, measure, words] of bounds) {
    const limit = schema[keyword];
    const size = measure(value);
    if (typeof limit !== 'number' || size === undefined) continue;
    const isLower = keyword.startsWith('min') || keyword === 'exclusiveMinimum';
    const isExclusive = keyword.startsWith('exclusive');
    const fits = isLower ? size >= limit : size <= limit;
    if (!fits || (isExclusive && size === limit)) return fail(place, `${words} ${limit}`, String(size));
  }
  return { ok: true, value };
}

const numeric = (value: JsonValue) => (typeof value === 'number' ? value : undefined);
const characters = (value: JsonValue) => (typeof value === 'string' ? value.length : undefined);
const elements = (value: JsonValue) => (Array.isArray(value) ? value.length : undefined);

const bounds: readonly [string, (value: JsonValue) => number | undefined, string][] = [
  ['minimum', numeric, 'must be at least'],
  ['maximum', numeric, 'must be at most'],
  ['exclusiveMinimum', numeric, 'must be greater than'],
  ['exclusiveMaximum', numeric, 'must be less than'],
  ['minLength', characters, 'number of characters must be at least'],
  ['maxLength', characters, 'number of characters must be at most'],
  ['minItems', elements, 'number of items must be at least'],
  ['maxItems', elements, 'number of items must be at most'],
];

function checkItems(value: JsonValue, schema: JsonObject, place: SchemaPosition): Outcome {
  if (!Array.isArray(value)) return { ok: true, value };
  const leading = Array.isArray(schema.prefixItems) ? schema.prefixItems : [];
  const results = value.map((item, index) =>
    check(item, leading[index] ?? schema.items, { ...place, path: `${place.path}[${index}]` }),
  );
  const problems = results.flatMap((result) => (result.ok ? [] : result.problems));
  if (problems.length > 0) return { ok: false, problems };
  return {
    ok: true,
    value: results.map((result, index) => (result.ok ? result.value : (value[index] ?? null))),
  };
}

function checkProperties(value: JsonValue, schema: JsonObject, place: SchemaPosition): Outcome {
  if (!isJsonObject(value)) return { ok: true, value };
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  const rest = schema.additionalProperties;
  const problems: Mismatch[] = [];
  const entries: [string, JsonValue][] = [];
  for (const [key, item] of Object.entries(value)) {
    const isKnown = Object.hasOwn(properties, key);
    if (!isKnown && rest === false) continue;
    const path = place.path === '' ? key : `${place.path}.${key}`;
    const outcome = check(item, isKnown ? properties[key] : rest, { ...place, path });
    if (outcome.ok) entries.push([key, outcome.value]);
    // Models write null for "not given", unless null itself is allowed.
    else if (item !== null || !place.lenient || required.includes(key)) problems.push(...outcome.problems);
  }
  for (const key of required) {
    if (typeof key === 'string' && !Object.hasOwn(value, key))
      problems.push(missing(key, value, { properties, place }));
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, value: Object.fromEntries(entries) };
}

function missing(
  key: string,
  value: JsonObject,
  context: { properties: JsonObject; place: SchemaPosition },
): Mismatch {
  const strays = Object.keys(value).filter((name) => !Object.hasOwn(context.properties, name));
  const hint = strays.length > 0 ? ` (got unknown ${strays.slice(0, 3).join(', ')} instead?)` : '';
  const { path } = context.place;
  return { path: path === '' ? key : `${path}.${key}`, text: `required but missing${hint}` };
}
