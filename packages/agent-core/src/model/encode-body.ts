import { GrowingBytes } from '@robota-sdk/agent-http';
import { isJsonObject, type JsonObject, type JsonValue } from '../shape/json.ts';

/** Messages one behind the other, each with the comma before it. */
interface Row<Bytes> {
  readonly bytes: Bytes;
  /** The end of each message. */
  readonly ends: number[];
}

/** The latest request of a conversation. */
interface Encoded {
  /** Grows in place: a copy with every request would be most of the garbage of a long session. */
  readonly messages: JsonValue[];
  /** Messages that the next request is likely to begin with. */
  readonly settled: Row<GrowingBytes>;
  /** The messages behind them, and the end of the body. */
  readonly tail: Row<Buffer>;
}

/** Larger requests are rare, and their memory counts for more than the time. */
const maxKeptBytes = 8 * 1024 * 1024;
const end = ']}';
/** How many messages at the end of a request the next one may change: the marks for the cache move. */
const unsettled = 32;
/** Characters encoded at once. Thousands of texts would outlive a collection, and V8 then marks the whole heap. */
const lengthAtOnce = 16 * 1024;

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
  if (encoded.settled.bytes.length + encoded.tail.bytes.length <= maxKeptBytes) latest.set(key, encoded);
  else latest.delete(key);
  const opening = Buffer.from(`${head}${head === '{' ? '' : ','}"messages":[`);
  return [opening, encoded.settled.bytes.view(), encoded.tail.bytes];
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
  const settled = known ? settledUpTo(same, known) : { bytes: new GrowingBytes(), ends: [] };
  // Of a long conversation that is sent for the first time, only the end will be another in the next request.
  const last = Math.max(same, messages.length - unsettled);
  append(messages.slice(same, last), settled);
  const tail = { bytes: new GrowingBytes(), ends: [] };
  if (0 < last && last < messages.length) tail.bytes.appendText(',');
  append(messages.slice(last), tail);
  tail.bytes.appendText(end);
  const all = known?.messages ?? [];
  all.length = same;
  for (const message of messages.slice(same)) all.push(message);
  return { messages: all, settled, tail: { bytes: Buffer.from(tail.bytes.view()), ends: tail.ends } };
}

function append(messages: readonly JsonValue[], row: Row<GrowingBytes>): void {
  let texts: string[] = [];
  let length = 0;
  for (const message of messages) {
    const text = JSON.stringify(message);
    texts.push(text);
    length += text.length;
    if (length < lengthAtOnce) continue;
    appendTexts(texts, row);
    texts = [];
    length = 0;
  }
  if (texts.length > 0) appendTexts(texts, row);
}

function appendTexts(written: readonly string[], { bytes, ends }: Row<GrowingBytes>): void {
  const joined = written.join(',');
  const texts = joined.includes(half) ? written.map(withoutHalves) : written;
  const text = texts === written ? joined : texts.join(',');
  if (ends.length > 0) bytes.appendText(',');
  let at = bytes.length;
  bytes.appendText(text);
  const isAscii = bytes.length - at === text.length;
  for (const each of texts) {
    at += isAscii ? each.length : Buffer.byteLength(each);
    ends.push(at);
    // The comma before the next one.
    at += 1;
  }
}

/** The bytes of the messages that are as they were. Those of an earlier request are never overwritten: it may still be sent. */
function settledUpTo(same: number, { settled, tail }: Encoded): Row<GrowingBytes> {
  const isBehind = same >= settled.ends.length;
  const ends = isBehind ? settled.ends : settled.ends.slice(0, same);
  const bytes = isBehind ? settled.bytes : settled.bytes.copy(ends.at(-1) ?? 0);
  const start = bytes.length;
  const moved = tail.ends.slice(0, Math.max(0, same - settled.ends.length));
  bytes.append(tail.bytes.subarray(0, moved.at(-1) ?? 0));
  for (const at of moved) ends.push(start + at);
  return { bytes, ends };
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

function encode(value: JsonValue): string {
  const text = JSON.stringify(value);
  return text.includes(half) ? withoutHalves(text) : text;
}

/**
 * Half a surrogate pair cannot be sent: servers refuse the whole request, every time. JSON writes exactly
 * those halves as escapes, so they are found in the text without walking the body.
 */
const half = '\\ud';

function withoutHalves(text: string): string {
  return text.replace(/(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g, '$1\ufffd');
}
