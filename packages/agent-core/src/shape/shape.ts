import { isJsonObject, type JsonObject, type JsonValue, parseJson } from './json.ts';
import { Report } from './report.ts';

/** Describes external values: JSON Schema for editors and programs, `parse` for validation. */
export interface Shape<T> {
  readonly json: JsonObject;
  /** Completes "expected …" in messages. */
  readonly expected: string;
  /** Returns the usable part of a value, typed, and reports the rest; undefined if nothing is usable. */
  parse(value: unknown, report?: Report): T | undefined;
  /** Shape of the value under a key or an index. */
  inner?(key: string | number): AnyShape | undefined;
  /** Known keys of an object. */
  readonly keys?: readonly string[] | undefined;
  /** Carries the type; never set. */
  readonly type?: T;
}

/** The type that a shape describes. */
export type TypeOf<S> = S extends { readonly type?: infer T } ? Exclude<T, undefined> : never;

/** A shape of any type. */
export type AnyShape = Shape<unknown>;
type AnyFields = Readonly<Record<string, AnyShape>>;
type Required<F> = { readonly [K in keyof F]: TypeOf<F[K]> };
type Optional<F> = { readonly [K in keyof F]?: TypeOf<F[K]> };
type Flat<T> = { readonly [K in keyof T]: T[K] };

type Definition<T> = Omit<Shape<T>, 'json' | 'parse' | 'type'> & {
  readonly json: JsonObject | (() => JsonObject);
  /** Undefined if the value does not match, which is reported with `expected`. */
  accept(value: unknown, report: Report): T | undefined;
};

function define<T>({ json, expected, inner, accept }: Definition<T>): Shape<T> {
  return {
    get json() {
      return typeof json === 'function' ? json() : json;
    },
    expected,
    ...(inner ? { inner } : {}),
    parse: (value, report = Report.quiet()) => {
      const accepted = accept(value, report);
      return accepted === undefined ? report.reportUnfit(expected, value) : accepted;
    },
  };
}

/** Assigns a type to a JSON Schema that is less specific. */
export function shape<T>(json: JsonObject): Shape<T> {
  const { type } = json;
  const isFit = (value: unknown) => typeof type !== 'string' || jsonTypes[type]?.(value) !== false;
  return define({
    json,
    expected: typeof type === 'string' ? `a value of type ${type}` : 'a value',
    accept: (value) => (isFit(value) ? (value as T) : undefined),
  });
}

const jsonTypes: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: isJsonObject,
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
};

/** Any JSON. */
export const anything = shape<JsonValue>({});
/** An object of any fields. */
export const anyObject = shape<JsonObject>({ type: 'object' });

export const text: Shape<string> = define({
  json: { type: 'string' },
  expected: 'a string',
  accept: (value) => (typeof value === 'string' ? value : undefined),
});

export const flag: Shape<boolean> = define({
  json: { type: 'boolean' },
  expected: 'true or false',
  accept: (value, { isLenient }) => {
    const meant = isLenient && typeof value === 'string' ? parseJson(value.toLowerCase()) : value;
    return typeof meant === 'boolean' ? meant : undefined;
  },
});

interface Bounds {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
}

function numeric(type: 'number' | 'integer', bounds: Bounds = {}): Shape<number> {
  const { minimum = -Infinity, maximum = Infinity, exclusiveMinimum = -Infinity } = bounds;
  const isRight = type === 'integer' ? Number.isSafeInteger : Number.isFinite;
  return define({
    json: { type, ...bounds },
    expected: `${type === 'integer' ? 'an integer' : 'a number'}${boundsText(bounds)}`,
    accept: (value, { isLenient }) => {
      const meant = isLenient && typeof value === 'string' ? parseJson(value) : value;
      const fits = typeof meant === 'number' && isRight(meant) && meant >= minimum && meant <= maximum;
      return fits && meant > exclusiveMinimum ? meant : undefined;
    },
  });
}

function boundsText({ minimum, maximum, exclusiveMinimum }: Bounds): string {
  const parts = [
    ...(minimum === undefined ? [] : [`of at least ${minimum}`]),
    ...(exclusiveMinimum === undefined ? [] : [`above ${exclusiveMinimum}`]),
    ...(maximum === undefined ? [] : [`of at most ${maximum}`]),
  ];
  return parts.length === 0 ? '' : ` ${parts.join(' and ')}`;
}

export const number = numeric('number');
export const integer = numeric('integer');
/** A number of zero or more. */
export const amount = numeric('number', { minimum: 0 });
/** An integer of one or more. */
export const count = numeric('integer', { minimum: 1 });

/** A number within bounds. */
export function numberWithin(bounds: Bounds): Shape<number> {
  return numeric('number', bounds);
}

/** One of several texts. */
export function words<const T extends string>(...choices: readonly T[]): Shape<T> {
  const listed = choices.map((choice) => JSON.stringify(choice)).join(', ');
  const expected = choices.length === 1 ? listed : `one of ${listed}`;
  return {
    json: choices.length === 1 ? { const: choices[0] ?? '' } : { type: 'string', enum: [...choices] },
    expected,
    parse: (value, report = Report.quiet()) => {
      const found = choices.find((choice) => choice === value);
      if (found !== undefined || isPending(value, report)) return found ?? (value as T);
      return report.reportUnfit(expected, value, choices);
    },
  };
}

/** Such a text is filled in from the environment and checked later. */
export function isPending(value: unknown, { isLenient }: Report): boolean {
  return isLenient && typeof value === 'string' && value.includes('$ENV:');
}

/** A single value. */
export function exactly<const T extends string | boolean | null>(value: T): Shape<T> {
  const isSame = (other: unknown): other is T => other === value;
  return {
    json: { const: value },
    expected: JSON.stringify(value),
    parse: (other, report = Report.quiet()) =>
      isSame(other) ? other : report.reportUnfit(JSON.stringify(value), other),
  };
}

/** A list whose items are read one by one: an invalid item is skipped. */
export function list<T>(item: Shape<T>): Shape<readonly T[]> {
  return define<readonly T[]>({
    json: () => ({ type: 'array', items: item.json }),
    expected: 'a list',
    inner: (key) => (typeof key === 'number' ? item : undefined),
    accept: (value, report) => {
      const items = report.isLenient && typeof value === 'string' ? parseJson(value) : value;
      if (!Array.isArray(items)) return undefined;
      let parsed: T[] | undefined;
      for (const [index, each] of items.entries()) {
        const read = report.below(index, item, each);
        if (read !== each || each === undefined) parsed ??= items.slice(0, index);
        if (read !== undefined) parsed?.push(read);
      }
      return parsed ?? items;
    },
  });
}

/** An object with values of one shape under any keys. */
export function record<T>(value: Shape<T>): Shape<Readonly<Record<string, T>>> {
  return define<Readonly<Record<string, T>>>({
    json: () => ({ type: 'object', additionalProperties: value.json }),
    expected: 'an object',
    inner: (key) => (typeof key === 'string' ? value : undefined),
    accept: (given, report) => readFields<T>(given, report, { each: value }),
  });
}

/**
 * An object of known fields; those of the second list are optional. An invalid optional field is skipped; unknown keys
 * are reported and kept.
 */
export function object<R extends AnyFields>(required: R): Shape<Required<R>>;
export function object<R extends AnyFields, O extends AnyFields>(
  required: R,
  optional: O,
): Shape<Flat<Required<R> & Optional<O>>>;
export function object(required: AnyFields, optional: AnyFields = {}): AnyShape {
  const names = Object.keys(required);
  const fields: AnyFields = { ...required, ...optional };
  const keys = Object.keys(fields);
  return {
    // Built on demand: most fields are only parsed.
    get json() {
      return {
        type: 'object',
        properties: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.json])),
        ...(names.length > 0 ? { required: names } : {}),
      };
    },
    expected: 'an object',
    keys,
    inner: (key) => (Object.hasOwn(fields, key) ? fields[key] : undefined),
    parse: (given, report = Report.quiet()) => {
      const parsed = readFields(given, report, { fields, keys });
      if (!parsed) return report.reportUnfit('an object', given);
      const lacking = names.filter((name) => !Object.hasOwn(parsed, name));
      if (lacking.length === 0) return parsed;
      const all = fieldsOf(given, report) ?? {};
      for (const name of lacking) {
        const isThere = Object.hasOwn(all, name) && !isAbsent(all[name], report);
        if (!isThere) report.reportMissing(name, fields[name]?.expected ?? 'a value');
      }
      return undefined;
    },
  };
}

type FieldLists = readonly [required: AnyFields, optional?: AnyFields];
type Variants<K extends string, V extends Readonly<Record<string, FieldLists>>> = {
  [N in keyof V]: Flat<
    { readonly [F in K]: N } & Required<V[N][0]> & (V[N][1] extends AnyFields ? Optional<V[N][1]> : unknown)
  >;
}[keyof V];

/** Objects of several kinds that the word in one field tells apart; each has the fields of `object`. */
export function variants<const K extends string, V extends Readonly<Record<string, FieldLists>>>(
  field: K,
  kinds: V,
): Shape<Variants<K, V>> {
  const objects = new Map(
    Object.entries(kinds).map(([name, [required, optional = {}]]) => [
      name,
      object({ [field]: exactly(name), ...required }, optional),
    ]),
  );
  const kind = object({ [field]: words(...objects.keys()) });
  return {
    get json() {
      return { anyOf: [...objects.values()].map((each) => each.json) };
    },
    expected: kind.expected,
    parse: (value, report) => {
      const name = isJsonObject(value) ? value[field] : undefined;
      const found = typeof name === 'string' ? objects.get(name) : undefined;
      return (found ?? kind).parse(value, report) as Variants<K, V> | undefined;
    },
  };
}

/** Reads each field that has a shape, and keeps the others; a value in which nothing is to be changed is not copied. */
function readFields<T>(
  given: unknown,
  report: Report,
  { each, fields = {}, keys = [] }: { each?: AnyShape; fields?: AnyFields; keys?: readonly string[] },
): Readonly<Record<string, T>> | undefined {
  const all = fieldsOf(given, report);
  if (!all) return undefined;
  let parsed: Record<string, unknown> = all;
  for (const key of Object.keys(all)) {
    const value = all[key];
    const field = each ?? (Object.hasOwn(fields, key) ? fields[key] : undefined);
    if (!field) report.reportUnknown(key, keys);
    const read = field && !isAbsent(value, report) ? report.below(key, field, value) : undefined;
    const kept = field ? read : value;
    if (kept === value && value !== undefined) continue;
    if (parsed === all) parsed = { ...all };
    if (kept === undefined) delete parsed[key];
    // Also right for a key named `__proto__`, which an assignment would not set.
    else Object.defineProperty(parsed, key, { ...plainProperty, value: kept });
  }
  return parsed as Readonly<Record<string, T>>;
}

const plainProperty = { enumerable: true, configurable: true, writable: true };

function isAbsent(value: unknown, { isLenient }: Report): boolean {
  return value === undefined || (isLenient && value === null);
}

function fieldsOf(given: unknown, { isLenient }: Report): Record<string, unknown> | undefined {
  const value = isLenient && typeof given === 'string' ? parseJson(given) : given;
  return isJsonObject(value) ? value : undefined;
}
