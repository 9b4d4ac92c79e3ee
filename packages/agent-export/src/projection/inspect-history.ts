import { isUtf8 } from 'node:buffer';
import { open } from 'node:fs/promises';
import { DataElement, parseMany } from '@robota-sdk/xnl';

/** The end of a history: enough to continue it, at a cost independent of its length. */
export interface HistoryEnd {
  /** The entries whose records were read, in their order. */
  readonly ids: readonly string[];
  /** True if those are all. */
  readonly isWhole: boolean;
  /** The bytes up to the end of the last whole record. */
  readonly soundSize: number;
  /** The last system prompt among what was read. */
  readonly systemId: string | undefined;
}

const window = 256 * 1024;
/** Only the last characters are parsed; of records before them the first and the last line tell enough. */
const parsedEnd = 16 * 1024;
const head = /^<(\w+) id="([^"\\]+)" ts="[^\n]* \{\n/;

/** Reads the end of a history; nothing if it is missing, or damaged beyond a torn last record. */
export async function inspectHistory(file: string): Promise<HistoryEnd | undefined> {
  const end = await readEnd(file);
  if (!end || !isUtf8(end.bytes)) return undefined;
  const text = end.bytes.toString('utf8');
  const ids: string[] = [];
  let systemId: string | undefined;
  let at = end.offset;
  let soundSize = at;
  // Nothing within a record begins a line with "<".
  const parts = text.split(/^(?=<)/m);
  let left = text.length;
  for (const [index, part] of parts.entries()) {
    at += Buffer.byteLength(part);
    left -= part.length;
    const record = recordIn(part, left > parsedEnd);
    if (record === 'mark') continue;
    if (!record) return index === parts.length - 1 ? result() : undefined;
    if (record.tag === 'system') systemId = record.id;
    else ids.push(record.id);
    soundSize = at;
  }
  return result();

  function result(): HistoryEnd {
    return { ids, isWhole: end?.offset === 0, soundSize, systemId };
  }
}

interface RecordHead {
  readonly tag: string;
  readonly id: string;
}

/** The head of a whole record, or that it is only a mark; nothing for anything else. */
function recordIn(part: string, isOld: boolean): RecordHead | 'mark' | undefined {
  const [, tag = '', known = ''] = (isOld && head.exec(part)) || [];
  if (tag !== '' && part.endsWith('\n}>\n')) return { tag, id: known };
  if (!part.endsWith('\n')) return part === '' ? 'mark' : undefined;
  try {
    const [node, ...others] = parseMany(part).nodes;
    if (node === undefined) return 'mark';
    if (!(node instanceof DataElement) || others.length > 0) return undefined;
    const { id } = node.metadata;
    return typeof id === 'string' ? { tag: node.tag, id } : undefined;
  } catch {
    return undefined;
  }
}

/** The last bytes of a file, from the beginning of a record on. */
async function readEnd(file: string): Promise<{ bytes: Buffer; offset: number } | undefined> {
  const handle = await open(file, 'r').catch(missing);
  if (!handle) return undefined;
  try {
    const { size } = await handle.stat();
    const length = Math.min(size, window);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, size - length);
    const bytes = buffer.subarray(0, bytesRead);
    if (length === size) return { bytes, offset: 0 };
    const start = bytes.indexOf('\n<') + 1;
    return start === 0 ? undefined : { bytes: bytes.subarray(start), offset: size - length + start };
  } finally {
    await handle.close();
  }
}

function missing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
