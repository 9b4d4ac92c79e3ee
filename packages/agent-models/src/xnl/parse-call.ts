import type { JsonObject } from '@robota-sdk/agent-core';
import { CallSyntaxError, LiteralReader } from './literal-reader.ts';

/** A call as it is written, or what is wrong with it: a sentence for the model. */
export type ParsedCall =
  | { readonly ok: true; readonly path: string; readonly input: JsonObject }
  | { readonly ok: false; readonly path: string; readonly error: string };

const pathPattern = /[A-Za-z_$][\w$-]*(?:\s*\.\s*[\w$-]+){0,16}/y;

/** Reads one `Namespace.tool({ … })`. It is only read, never run: anything beyond that form is an error. */
export function parseCall(code: string): ParsedCall {
  const reader = new LiteralReader(code);
  let path = '';
  try {
    reader.skipBlanks();
    path = reader.match(pathPattern).replaceAll(/\s/g, '');
    if (path === '') reader.unexpected('the name of a tool');
    return { ok: true, path, input: readArguments(reader) };
  } catch (thrown) {
    if (!(thrown instanceof CallSyntaxError)) throw thrown;
    return { ok: false, path, error: `The call cannot be read: ${thrown.message}.` };
  }
}

function readArguments(reader: LiteralReader): JsonObject {
  reader.skipBlanks();
  if (!reader.take('(')) reader.unexpected('"(" behind the name of the tool');
  reader.skipBlanks();
  const input = reader.peek() === ')' ? {} : readObject(reader);
  reader.skipBlanks();
  reader.take(',');
  reader.skipBlanks();
  if (!reader.take(')')) reader.unexpected('")" behind the one object');
  reader.skipBlanks();
  reader.take(';');
  reader.skipBlanks();
  if (!reader.isAtEnd) reader.fail('something follows the call; each call needs an element of its own');
  return input;
}

function readObject(reader: LiteralReader): JsonObject {
  return reader.peek() === '{' ? reader.object() : reader.unexpected('an object {…} as the only argument');
}
