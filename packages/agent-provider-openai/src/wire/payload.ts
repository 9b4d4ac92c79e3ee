import { isJsonObject, type JsonObject, type JsonValue } from '@robota-sdk/agent-core';

/** A field that must be an object to be of use. */
export function objectAt(value: JsonObject | undefined, key: string): JsonObject | undefined {
  const field = value?.[key];
  return isJsonObject(field) ? field : undefined;
}

/** The objects of a field that should be an array of them. */
export function objectsAt(value: JsonObject | undefined, key: string): readonly JsonObject[] {
  const field = value?.[key];
  return Array.isArray(field) ? field.filter((item: JsonValue) => isJsonObject(item)) : [];
}

/** A text field; empty where it is missing or something else. */
export function textAt(value: JsonObject | undefined, key: string): string {
  const field = value?.[key];
  return typeof field === 'string' ? field : '';
}

/** A count; 0 where it is missing or something else. */
export function countAt(value: JsonObject | undefined, key: string): number {
  const field = value?.[key];
  return typeof field === 'number' && Number.isFinite(field) && field > 0 ? field : 0;
}
