import { isJsonObject, type JsonObject, type JsonValue } from '../shape/json.ts';
import { GrowingBytes } from './growing-bytes.ts';

/** The latest request of a conversation. */
interface Encoded {
  /** Grows in place: a copy with every request would be most of the garbage of a long session. */
  readonly messages: JsonValue[];
  /** Messages that two requests in a row had in common, each with the comma before it. */
  readonly settled: GrowingBytes;
  /** The end of each. */
  readonly ends: number[];
  /** The messages behind them, each with the comma before it, and the end of the body. One piece: a long session has thousands. */
  readonly tail: Buffer;
  /** The end of each message in the tail. */
  readonly tailEnds: readonly number[];
}

/** Larger requests are rare, and their memory counts for more than the time. */
const maxKeptBytes = 8 * 1024 * 1024;
const end = ']}';

/** By the first block of a conversation, so that they go with it. */
const latest = new WeakMap<JsonObject, Encoded>();

/**
 * Encodes the body of a request as JSON, in pieces that follow each other. A conversation is sent again with every turn:
 * messages whose blocks are the very objects of the last request keep the bytes that were made then, in the same memory.
 */
export function encodeBody(body: JsonObject): readonly Buffer[] {
  const { messages, ...rest } = body;
  const key = Array.isArray(messages) ? firstBlock(messages) : undefined;
  if (key === undefined || !Array.isArray(messages)) return [Buffer.from(encode(body))];
  const head = encode(rest).slice(0, -1);
  const encoded = encodeConversation(messages, latest.get(key));
  if (encoded.settled.length + encoded.tail.length <= maxKeptBytes) latest.set(key, encoded);
  else latest.delete(key);
  const opening = Buffer.from(`${head}${head === '{' ? '' : ','}"messages":[`);
  return [opening, encoded.settled.view(), encoded.tail];
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

function encodeConversation(messages: readonly JsonValue[], known: Encoded | undefined): Encoded {
  const same = known === undefined ? 0 : countSame(messages, known.messages);
  const { settled, ends } = known ? settledUpTo(same, known) : { settled: new GrowingBytes(), ends: [] };
  const fresh = messages.slice(same);
  // One message after the other: thousands of texts at once outlive a collection, and V8 then marks the whole heap.
  const encoded = new GrowingBytes();
  const tailEnds = fresh.map((message, index) => {
    encoded.appendText((same + index === 0 ? '' : ',') + encode(message));
    return encoded.length;
  });
  encoded.appendText(end);
  const tail = Buffer.from(encoded.view());
  const all = known?.messages ?? [];
  all.length = same;
  for (const message of fresh) all.push(message);
  return { messages: all, settled, ends, tail, tailEnds };
}

/** The bytes of the messages that are as they were. Those of an earlier request are never overwritten: it may still be sent. */
function settledUpTo(same: number, known: Encoded): Pick<Encoded, 'settled' | 'ends'> {
  const isBehind = same >= known.ends.length;
  const ends = isBehind ? known.ends : known.ends.slice(0, same);
  const settled = isBehind ? known.settled : known.settled.copy(ends.at(-1) ?? 0);
  const start = settled.length;
  const moved = known.tailEnds.slice(0, Math.max(0, same - known.ends.length));
  settled.append(known.tail.subarray(0, moved.at(-1) ?? 0));
  for (const at of moved) ends.push(start + at);
  return { settled, ends };
}

function countSame(messages: readonly JsonValue[], known: readonly JsonValue[]): number {
  let same = 0;
  const count = Math.min(messages.length, known.length);
  while (same < count && (messages[same] === known[same] || isSame(messages[same], known[same]))) same++;
  return same;
}

/** True if two messages hold the same objects, which nothing changes once they were sent. */
function isSame(message: JsonValue | undefined, known: JsonValue | undefined): boolean {
  const blocks = blocksOf(message);
  const knownBlocks = blocksOf(known);
  if (blocks === undefined || blocks.length !== knownBlocks?.length) return false;
  if ((message as JsonObject).role !== (known as JsonObject).role) return false;
  return blocks.every((block, index) => block === knownBlocks[index]);
}

/**
 * Half a surrogate pair cannot be sent: servers refuse the whole request, every time. JSON writes exactly
 * those halves as escapes, so they are found in the text without walking the body.
 */
function encode(value: JsonValue): string {
  const text = JSON.stringify(value);
  if (!text.includes('\\ud')) return text;
  return text.replace(/(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g, '$1\ufffd');
}
