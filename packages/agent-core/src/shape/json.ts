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

/** Deeper values would overflow the stack of everything that walks them; no honest one comes near. */
const deepest = 500;

/** The same, with the reason why a text is not JSON. */
export function decodeJson(text: string): ParseResult<JsonValue> {
  if (isTooDeep(text)) return { ok: false, error: `it is nested more than ${deepest} levels deep` };
  try {
    return { ok: true, value: JSON.parse(text) as JsonValue };
  } catch (thrown) {
    return { ok: false, error: (thrown as SyntaxError).message };
  }
}

/** Counts brackets outside strings; most texts are too short to be searched. */
function isTooDeep(text: string): boolean {
  if (text.length <= deepest) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === quote) at = endOfString(text, at);
    else if (character === openBracket || character === openBrace) {
      depth++;
      if (depth > deepest) return true;
    } else if (character === closeBracket || character === closeBrace) depth--;
  }
  return false;
}

const [quote, backslash] = [0x22, 0x5c];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let first = end;
    while (text.charCodeAt(first - 1) === backslash) first--;
    if ((end - first) % 2 === 0) return end;
  }
  return text.length;
}

/** Copies an object as JSON keeps it, without functions and undefined fields. */
export function jsonCopy(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject;
}
