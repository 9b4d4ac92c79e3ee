import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';

/** The latest request of a conversation. */
interface Encoded {
  readonly messages: readonly JsonValue[];
  readonly bytes: Buffer;
  /** Where the first message begins. */
  readonly start: number;
  /** Where each message ends, without the comma after it. */
  readonly ends: readonly number[];
}

/** Larger requests are rare, and their memory counts for more than the time. */
const maxKeptBytes = 8 * 1024 * 1024;
const end = Buffer.from(']}');

/** By the first block of a conversation, so that they go with it. */
const latest = new WeakMap<JsonObject, Encoded>();

/**
 * Encodes the body of a request as JSON. A conversation is sent again with every turn: messages whose blocks are the very
 * objects of the last request keep the bytes that were made then.
 */
export function encodeBody(body: JsonObject): Buffer {
  const { messages, ...rest } = body;
  const key = Array.isArray(messages) ? firstBlock(messages) : undefined;
  if (key === undefined || !Array.isArray(messages)) return Buffer.from(encode(body));
  const head = encode(rest).slice(0, -1);
  const encoded = encodeConversation(
    `${head}${head === '{' ? '' : ','}"messages":[`,
    messages,
    latest.get(key),
  );
  if (encoded.bytes.length <= maxKeptBytes) latest.set(key, encoded);
  else latest.delete(key);
  return encoded.bytes;
}

function firstBlock(messages: readonly JsonValue[]): JsonObject | undefined {
  const blocks = blocksOf(messages[0]);
  return isJsonObject(blocks?.[0]) ? blocks[0] : undefined;
}

/** Undefined for a message that holds anything but a role and blocks. */
function blocksOf(message: JsonValue | undefined): readonly JsonValue[] | undefined {
  if (!isJsonObject(message) || !Array.isArray(message.content)) return undefined;
  return Object.keys(message).length === 2 && typeof message.role === 'string' ? message.content : undefined;
}

function encodeConversation(
  head: string,
  messages: readonly JsonValue[],
  known: Encoded | undefined,
): Encoded {
  const same = known === undefined ? 0 : countSame(messages, known.messages);
  const pieces: Uint8Array[] = [Buffer.from(head)];
  const start = pieces[0]?.length ?? 0;
  const ends: number[] = [];
  let length = start;
  if (known !== undefined && same > 0) {
    const moved = start - known.start;
    for (const place of known.ends.slice(0, same)) ends.push(place + moved);
    length = ends.at(-1) ?? start;
    pieces.push(known.bytes.subarray(known.start, length - moved));
  }
  for (const message of messages.slice(same)) {
    const piece = Buffer.from((ends.length === 0 ? '' : ',') + encode(message));
    pieces.push(piece);
    length += piece.length;
    ends.push(length);
  }
  return { messages, bytes: Buffer.concat([...pieces, end]), start, ends };
}

function countSame(messages: readonly JsonValue[], known: readonly JsonValue[]): number {
  let same = 0;
  while (same < messages.length && isSame(messages[same], known[same])) same++;
  return same;
}

/** Whether two messages hold the same objects, which nothing changes once they were sent. */
function isSame(message: JsonValue | undefined, known: JsonValue | undefined): boolean {
  const blocks = blocksOf(message);
  const knownBlocks = blocksOf(known);
  if (blocks === undefined || blocks.length !== knownBlocks?.length) return false;
  if ((message as JsonObject).role !== (known as JsonObject).role) return false;
  return blocks.every((block, index) => block === knownBlocks[index]);
}

/**
 * Half a surrogate pair can't be sent: servers refuse the whole request for it, and would go on refusing it.
 * JSON writes exactly those halves as escapes, so they are found in the text without walking the body.
 */
function encode(value: JsonValue): string {
  const text = JSON.stringify(value);
  if (!text.includes('\\ud')) return text;
  return text.replace(/(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g, '$1\ufffd');
}
