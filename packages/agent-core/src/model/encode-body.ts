import { GrowingBytes } from '@robota-sdk/agent-http';
import { isJsonObject, type JsonObject, type JsonValue } from '../shape/json.ts';

/** Encoded messages, joined by commas. */
interface Row<Bytes> {
  readonly bytes: Bytes;
  /** Ends of some messages; marking each of thousands would cost more than encoding a few again. */
  readonly marks: Mark[];
}

interface Mark {
  /** Number of messages before it. */
  readonly count: number;
  readonly end: number;
}

/** The latest request of a conversation. */
interface Encoded {
  /** Grows in place: copying it for every request would be most of the garbage of a long session. */
  readonly messages: JsonValue[];
  /** Messages that the next request is likely to begin with. */
  readonly settled: Row<GrowingBytes>;
  /** The messages after them, and the end of the body. */
  readonly tail: Row<Buffer>;
}

/** Larger requests are rare, and keeping them would cost more memory than it saves time. */
const maxKeptBytes = 8 * 1024 * 1024;
const end = ']}';
/** Number of messages at the end of a request that the next one may change: cache marks move. */
const unsettled = 32;
/** Messages encoded together: one by one is slower, all at once needs much memory. */
const atOnce = 16;

/** Keyed by the first block of a conversation, so that entries are collected with it. */
const latest = new WeakMap<JsonObject, Encoded>();

/**
 * Encodes the body of a request as JSON, in consecutive chunks. A conversation is sent again with every turn: messages
 * whose blocks are the same objects as in the last request reuse their bytes.
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

/** Undefined for a message with fields other than role and blocks. */
function blocksOf(message: JsonValue | undefined): readonly JsonValue[] | undefined {
  if (!isJsonObject(message) || !Array.isArray(message.content)) return undefined;
  return Object.keys(message).length === 2 && typeof message.role === 'string' ? message.content : undefined;
}

function encodeConversation(messages: readonly JsonValue[], known: Encoded | undefined): Encoded {
  const same = known === undefined ? 0 : countSame(messages, known.messages);
  const settled = known ? settledUpTo(same, known) : { bytes: new GrowingBytes(), marks: [] };
  // When a long conversation is sent for the first time, only its end can change in the next request.
  const last = Math.max(same, messages.length - unsettled);
  append(messages.slice(countIn(settled), last), settled, atOnce);
  const tail = { bytes: new GrowingBytes(), marks: [] };
  if (0 < last && last < messages.length) tail.bytes.appendText(',');
  append(messages.slice(last), tail, 1);
  tail.bytes.appendText(end);
  const all = known?.messages ?? [];
  all.length = same;
  for (const message of messages.slice(same)) all.push(message);
  return { messages: all, settled, tail: { bytes: Buffer.from(tail.bytes.view()), marks: tail.marks } };
}

function countIn({ marks }: Row<unknown>): number {
  return marks.at(-1)?.count ?? 0;
}

function append(messages: readonly JsonValue[], row: Row<GrowingBytes>, most: number): void {
  const { bytes, marks } = row;
  const before = countIn(row);
  for (let at = 0; at < messages.length; at += most) {
    const some = messages.slice(at, at + most);
    if (marks.length > 0) bytes.appendText(',');
    bytes.appendText(encode(some).slice(1, -1));
    marks.push({ count: before + at + some.length, end: bytes.length });
  }
}

/**
 * The bytes of unchanged messages, up to the last mark among them. Bytes of an earlier request are never overwritten:
 * it may still be sent.
 */
function settledUpTo(same: number, { settled, tail }: Encoded): Row<GrowingBytes> {
  const count = countIn(settled);
  if (same < count) {
    const marks = settled.marks.filter((mark) => mark.count <= same);
    return { bytes: settled.bytes.copy(marks.at(-1)?.end ?? 0), marks };
  }
  const { bytes, marks } = settled;
  const start = bytes.length;
  const moved = tail.marks.filter((mark) => count + mark.count <= same);
  bytes.append(tail.bytes.subarray(0, moved.at(-1)?.end ?? 0));
  for (const mark of moved) marks.push({ count: count + mark.count, end: start + mark.end });
  return settled;
}

function countSame(messages: readonly JsonValue[], known: readonly JsonValue[]): number {
  let same = 0;
  const count = Math.min(messages.length, known.length);
  while (same < count && (messages[same] === known[same] || isSame(messages[same], known[same]))) same++;
  return same;
}

/** True if two messages hold the same objects, which never change after they were sent. */
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
 * Servers refuse a request with half a surrogate pair. JSON escapes exactly these halves, so they are found in the text
 * without walking the body.
 */
const half = '\\ud';

function withoutHalves(text: string): string {
  return text.replace(/(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g, '$1\ufffd');
}
