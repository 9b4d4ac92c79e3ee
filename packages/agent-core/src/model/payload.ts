import { decodeJson, isJsonObject, type JsonObject, type JsonValue } from '../shape/json.ts';

// Events of answers are read field by field: with a `Shape`, 50,000 events of Ollama take 37 ms instead of 27 (Node 20).

/** A field that must be an object to be of use. */
export function objectAt(value: JsonObject | undefined, key: string): JsonObject | undefined {
  const field = value?.[key];
  return isJsonObject(field) ? field : undefined;
}

/** The objects in an array field. */
export function objectsAt(value: JsonObject | undefined, key: string): readonly JsonObject[] {
  const field = value?.[key];
  return Array.isArray(field) ? field.filter((item: JsonValue) => isJsonObject(item)) : [];
}

/** A text field; empty if missing or anything else. */
export function textAt(value: JsonObject | undefined, key: string): string {
  const field = value?.[key];
  return typeof field === 'string' ? field : '';
}

/** More tokens than any window holds: a server that tells of more is mistaken. */
const mostTokens = 1e9;

/** A count of tokens; 0 if missing, impossible or anything else. */
export function countAt(value: JsonObject | undefined, key: string): number {
  const field = value?.[key];
  return typeof field === 'number' && field > 0 && field <= mostTokens ? field : 0;
}

/** The arguments of a call: parsed, or the reason why not. */
export interface ToolInput {
  readonly input: JsonObject;
  readonly invalid?: string;
}

/** Parses the argument text of a tool call; empty text means no arguments. */
export function parseToolInput(text: string): ToolInput {
  if (text.trim() === '') return { input: {} };
  const refused = (why: string) => ({
    input: {},
    invalid: `The arguments ${why}. They were: ${text.slice(0, 200)}`,
  });
  const once = decodeJson(text);
  // Some servers encode the arguments twice.
  const read = once.ok && typeof once.value === 'string' ? decodeJson(once.value) : once;
  if (!read.ok) return refused(`are not valid JSON (${read.error})`);
  if (isJsonObject(read.value)) return { input: read.value };
  return read.value === null ? { input: {} } : refused('must be a JSON object');
}

/** The arguments of a stored call. Some programs write them as the text of the JSON; what is no object stays readable. */
export function storedArguments(stored: JsonValue | undefined): JsonValue {
  if (typeof stored !== 'string') return stored === undefined ? {} : stored;
  const { input, invalid } = parseToolInput(stored);
  return invalid === undefined ? input : { arguments: stored };
}
