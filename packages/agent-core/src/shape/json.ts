import { orElse } from '../problem/or-else.ts';

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
  return orElse(() => JSON.parse(text) as JsonValue, undefined);
}
