import { GrowingBytes } from '@robota-sdk/agent-http';
import { isJsonObject, type JsonObject, type JsonValue } from '../shape/json.ts';

/** Messages one behind the other, with commas between them. */
interface Row<Bytes> {
  readonly bytes: Bytes;
  /** Ends of some messages; thousands of marks would cost more than it does to encode a few messages again. */
  readonly marks: Mark[];
}

interface Mark {
  /** Messages of the row before it. */
  readonly count: number;
  readonly end: number;
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
/** Messages encoded at once. Each by itself takes longer; in one text, large ones would take much memory for a moment. */
const atOnce = 16;

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
  const settled = known ? settledUpTo(same, known) : { bytes: new GrowingBytes(), marks: [] };
  // Of a long conversation that is sent for the first time, only the end will be another in the next request.
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
 * The bytes of the messages that are as they were, up to the last mark among them. Those of an earlier request are never
 * overwritten: it may still be sent.
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
