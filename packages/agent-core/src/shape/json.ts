import type { ParseResult } from './schema.ts';

/** A value that survives JSON unchanged. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

export type JsonObject = { readonly [key: string]: JsonValue };

/** True if a value is a plain JSON object: not null, not an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value that a JSON text describes; undefined if it is not JSON. */
export function parseJson(text: string): JsonValue | undefined {
  const read = decodeJson(text);
  return read.ok ? read.value : undefined;
}

/** The same, with the reason why a text is not JSON. */
export function decodeJson(text: string): ParseResult<JsonValue> {
  try {
    return { ok: true, value: JSON.parse(text) as JsonValue };
  } catch (thrown) {
    return { ok: false, error: (thrown as SyntaxError).message };
  }
}

/** Copies an object as JSON keeps it, without functions and undefined fields. */
export function jsonCopy(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject;
}
