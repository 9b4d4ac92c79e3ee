import { errorMessage, isJsonObject, type JsonObject } from '@robota-sdk/agent-core';

/** The arguments of a call: parsed, or why they could not be. */
export interface ToolInput {
  readonly input: JsonObject;
  readonly invalid?: string;
}

/** Parses the argument text of a tool call; no text at all means no arguments. */
export function parseToolInput(text: string): ToolInput {
  if (text.trim() === '') return { input: {} };
  try {
    const parsed: unknown = JSON.parse(text);
    // Some servers encode the arguments twice.
    const value: unknown = typeof parsed === 'string' ? JSON.parse(parsed) : parsed;
    if (isJsonObject(value)) return { input: value };
    if (value === null) return { input: {} };
    const kind = Array.isArray(value) ? 'an array' : `a ${typeof value}`;
    return { input: {}, invalid: `The arguments must be a JSON object, but they are ${kind}.` };
  } catch (thrown) {
    return { input: {}, invalid: `The arguments are not valid JSON: ${errorMessage(thrown)}` };
  }
}
