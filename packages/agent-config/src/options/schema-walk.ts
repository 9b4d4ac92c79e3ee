import { isJsonObject, type JsonObject, type JsonValue, jsonSchema, nearest } from '@robota-sdk/agent-core';

/** The position of a value in a file: keys of objects and indexes of lists. */
export type KeyPath = readonly (string | number)[];

/** A value that is not what it must be. */
export interface SchemaProblem {
  readonly path: KeyPath;
  readonly message: string;
}

/** A key that means nothing where it stands, with the one that was likely meant. */
export interface UnknownKey {
  readonly path: KeyPath;
  readonly near?: string;
}

/** The schema of the value at a path; nothing where no such key is known, `{}` where anything goes. */
export function schemaAt(schema: JsonObject, path: KeyPath): JsonObject | undefined {
  const [key, ...rest] = path;
  if (key === undefined) return schema;
  for (const branch of branchesOf(schema)) {
    const inner = typeof key === 'number' ? branch.items : memberSchema(branch, key);
    const found = isJsonObject(inner) ? schemaAt(inner, rest) : undefined;
    if (found) return found;
  }
  return undefined;
}

/** Possible keys of an object described by a schema. */
export function knownKeys(schema: JsonObject): readonly string[] {
  return branchesOf(schema).flatMap(({ properties }) =>
    isJsonObject(properties) ? Object.keys(properties) : [],
  );
}

/** A value as far as it fits a schema, and what does not. */
interface Fitted {
  readonly value: JsonValue | undefined;
  readonly problems: readonly SchemaProblem[];
}

/**
 * Holds a value against a schema. Each problem is found at the smallest part of an object that has it, and costs only that
 * part; a number or a flag in quotes is taken for what it says, and null for nothing.
 */
export function fitToSchema(value: JsonValue, schema: JsonObject, path: KeyPath = []): Fitted {
  if (value === null) return { value: undefined, problems: [] };
  // Values from the environment are checked after expansion.
  if (typeof value === 'string' && value.includes('$ENV:') && schema.type === 'string')
    return { value, problems: [] };
  if (Array.isArray(value) && isJsonObject(schema.items)) return fitItems(value, schema.items, path);
  if (!isJsonObject(value) || !isJsonObject(schema.properties ?? schema.additionalProperties)) {
    const parsed = jsonSchema<JsonValue>(schema).parse(value);
    return parsed.ok
      ? { value: parsed.value, problems: [] }
      : { value: undefined, problems: [{ path, message: parsed.error }] };
  }
  const fitted = Object.entries(value).map(([key, item]) => {
    const inner = memberSchema(schema, key);
    const part = isJsonObject(inner)
      ? fitToSchema(item, inner, [...path, key])
      : { value: item, problems: [] };
    return { key, ...part };
  });
  const kept = fitted.flatMap(({ key, value: item }) => (item === undefined ? [] : [[key, item] as const]));
  return { value: Object.fromEntries(kept), problems: fitted.flatMap(({ problems }) => problems) };
}

function fitItems(list: readonly JsonValue[], schema: JsonObject, path: KeyPath): Fitted {
  const fitted = list.map((item, index) => fitToSchema(item, schema, [...path, index]));
  return {
    value: fitted.flatMap(({ value }) => (value === undefined ? [] : [value])),
    problems: fitted.flatMap(({ problems }) => problems),
  };
}

/** Every key of a value that its schema does not know, however deep. */
export function unknownKeys(value: JsonValue, schema: JsonObject, path: KeyPath = []): UnknownKey[] {
  if (Array.isArray(value)) {
    const items = branchesOf(schema).find((branch) => isJsonObject(branch.items))?.items;
    if (!isJsonObject(items)) return [];
    return value.flatMap((item: JsonValue, index) => unknownKeys(item, items, [...path, index]));
  }
  if (!isJsonObject(value)) return [];
  const branch = branchesOf(schema).find(
    ({ properties, additionalProperties }) => isJsonObject(properties) || isJsonObject(additionalProperties),
  );
  if (!branch) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    const inner = memberSchema(branch, key);
    if (isJsonObject(inner)) return unknownKeys(item, inner, [...path, key]);
    const [near] = nearest(key, knownKeys(branch));
    return [{ path: [...path, key], ...(near === undefined ? {} : { near }) }];
  });
}

/** Formats a path: `permissions.deny[0]`. */
export function pathText(path: KeyPath): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    if (!/^[\w$-]+$/.test(part)) return `${text}[${JSON.stringify(part)}]`;
    return text === '' ? part : `${text}.${part}`;
  }, '');
}

function branchesOf(schema: JsonObject): readonly JsonObject[] {
  const branches = Array.isArray(schema.anyOf) ? schema.anyOf.filter(isJsonObject) : [];
  return [schema, ...branches];
}

function memberSchema(schema: JsonObject, key: string): JsonValue | undefined {
  const { properties, additionalProperties } = schema;
  if (isJsonObject(properties) && Object.hasOwn(properties, key)) return properties[key];
  return additionalProperties;
}
