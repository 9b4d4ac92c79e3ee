import type { IncomingMessage } from 'node:http';
import { isJsonObject, type JsonObject } from '@robota-sdk/agent-core';
import { Refusal } from './refusal.ts';

const deepest = 32;
const jsonType = /^application\/json(?:; ?charset=utf-8)?$/i;

/** Limits of a body. */
export interface BodyLimits {
  readonly bytes: number;
  /** Time for all of it. */
  readonly milliseconds: number;
}

/** Reads the JSON object of a POST. Throws a `Refusal` for everything else, as soon as it is known. */
export async function readBody(request: IncomingMessage, limits: BodyLimits): Promise<JsonObject> {
  if (!jsonType.test(request.headers['content-type'] ?? ''))
    throw new Refusal(415, 'not-json', { message: 'The body has to be application/json.' });
  if (request.headers['content-encoding'] !== undefined)
    throw new Refusal(415, 'encoded-body', { message: 'The body must not be compressed.' });
  if (Number(request.headers['content-length'] ?? 0) > limits.bytes) throw tooLarge(limits);
  const text = decode(await readAll(request, limits));
  if (depthOf(text) > deepest)
    throw new Refusal(400, 'too-deep', { message: `The JSON is nested deeper than ${deepest} levels.` });
  return parse(text);
}

function readAll(request: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const late = setTimeout(
      () => end(new Refusal(408, 'slow-body', { message: 'The body took too long.' })),
      limits.milliseconds,
    );
    const end = (refusal?: Error) => {
      clearTimeout(late);
      request.off('data', onData);
      if (refusal) reject(refusal);
      else resolve(Buffer.concat(chunks));
    };
    const onData = (chunk: Buffer) => {
      length += chunk.length;
      if (length > limits.bytes) end(tooLarge(limits));
      else chunks.push(chunk);
    };
    request.on('data', onData);
    request.once('end', () => end());
    request.once('error', end);
    request.once('close', () => end(new Refusal(400, 'cut-off', { message: 'The body was cut off.' })));
  });
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal(400, 'bad-json', { message: 'The body is not UTF-8.' });
  }
}

/** Counted before it is parsed, without recursion. */
function depthOf(text: string): number {
  let depth = 0;
  let most = 0;
  let isInText = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (isInText && character === '\\') at++;
    else if (character === '"') isInText = !isInText;
    else if (!isInText && (character === '{' || character === '[')) most = Math.max(most, ++depth);
    else if (!isInText && (character === '}' || character === ']')) depth--;
  }
  return most;
}

function parse(text: string): JsonObject {
  let value: unknown;
  let hasPrototype = false;
  try {
    value = JSON.parse(text, (key, each) => {
      if (key === '__proto__') hasPrototype = true;
      return each;
    });
  } catch {
    throw new Refusal(400, 'bad-json', { message: 'The body is not JSON.' });
  }
  if (hasPrototype || !isJsonObject(value))
    throw new Refusal(400, 'bad-json', { message: 'The body has to be a plain JSON object.' });
  return value;
}

function tooLarge({ bytes }: BodyLimits): Refusal {
  return new Refusal(413, 'too-large', { message: `The body is larger than ${bytes} bytes.` });
}
