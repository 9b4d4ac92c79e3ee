import { AgentError, isJsonObject, type JsonObject, type JsonValue } from '@robota-sdk/agent-core';

/** The fields of a body that is an object; refuses any other. */
export function bodyFields(body: JsonValue): JsonObject {
  if (isJsonObject(body)) return body;
  throw new AgentError('usage', 'Expected a JSON object.');
}

/** A text of a body; refuses a missing one. */
export function bodyText(body: JsonObject, name: string): string {
  const value = body[name];
  if (typeof value === 'string') return value;
  throw new AgentError('usage', `Expected a text as "${name}".`);
}

/** The number of a line, counted from 1. */
export function lineIn(body: JsonObject, name: string): number {
  const value = body[name];
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value;
  throw new AgentError('usage', `Expected the number of a line as "${name}".`);
}

/** An id out of an address. References of other kinds, such as paths, are refused. */
export function idOf(text: string | undefined): string {
  if (text !== undefined && /^[\w-]{1,100}$/.test(text)) return text;
  throw new AgentError('usage', 'Expected an id of letters, digits and dashes.');
}
