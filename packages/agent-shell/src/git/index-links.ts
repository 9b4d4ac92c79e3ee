/** Entry modes: another repository, and a whole directory outside a sparse checkout. */
const linkType = 0xe000;
const directoryType = 0x4000;
/** The index extension that lets git read entries in parallel. */
const offsetTable = Buffer.from('IEOT');
const headerBytes = 12;
/** Bytes of an entry before its object name, and the offset of its mode. */
const statBytes = 40;
const modeAt = 24;
/** Names that are not valid text are rejected, because their files cannot be checked. */
const textDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const longestName = 0xfff;

/**
 * Paths of other repositories that an index names, and (with a final slash) directories whose files it does not list.
 * Undefined if it cannot be read, or if git might read entries in another order.
 */
export function linkedRepositories(
  bytes: Uint8Array,
  { nameBytes }: { readonly nameBytes: number },
): readonly string[] | undefined {
  const index = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (index.length < headerBytes || index.toString('latin1', 0, 4) !== 'DIRC') return undefined;
  const version = index.readUInt32BE(4);
  const count = index.readUInt32BE(8);
  if (version < 2 || version > 4) return undefined;
  try {
    return readLinks(index, { version, count, nameBytes });
  } catch {
    return undefined;
  }
}

function readLinks(
  index: Buffer,
  { version, count, nameBytes }: { version: number; count: number; nameBytes: number },
): string[] {
  const links: string[] = [];
  const starts: number[] = [];
  const hasTable = index.includes(offsetTable);
  let at = headerBytes;
  let previous = Buffer.alloc(0);
  for (let entry = 0; entry < count; entry += 1) {
    const start = at;
    if (hasTable) starts.push(start);
    const mode = index.readUInt32BE(start + modeAt);
    const flags = index.readUInt16BE(start + statBytes + nameBytes);
    at = start + statBytes + nameBytes + ((flags & 0x4000) === 0 ? 2 : 4);
    let kept = 0;
    if (version === 4) [kept, at] = readOffset(index, at, previous.length);
    const type = mode & 0xf000;
    const written = flags & longestName;
    if (version < 4 && written < longestName && type !== linkType && type !== directoryType) {
      if (index.readUInt8(at + written) !== 0) throw new RangeError('The index has a wrong name length.');
      at = start + ((at + written - start + 8) & ~7);
      continue;
    }
    const end = index.indexOf(0, at);
    if (end === -1) throw new RangeError('The index ends within a name.');
    const name = Buffer.concat([previous.subarray(0, kept), index.subarray(at, end)]);
    if (Math.min(name.length, longestName) !== written)
      throw new RangeError('The index has a wrong name length.');
    if (version === 4) {
      at = end + 1;
      previous = name;
    } else at = start + ((end - start + 8) & ~7);
    if (type === linkType) links.push(textDecoder.decode(name));
    if (type === directoryType) links.push(`${textDecoder.decode(name).replace(/\/$/, '')}/`);
  }
  if (hasTable) checkTables(index, { starts, end: at });
  return links;
}

/** An offset table must point to the entries where they are. */
function checkTables(index: Buffer, { starts, end }: { starts: readonly number[]; end: number }): void {
  for (let at = index.indexOf(offsetTable); at !== -1; at = index.indexOf(offsetTable, at + 1)) {
    const size = index.readUInt32BE(at + 4);
    let entry = 0;
    for (let block = at + 12; block < at + 8 + size; block += 8) {
      if (index.readUInt32BE(block) !== starts[entry]) throw new RangeError('A table has a wrong offset.');
      entry += index.readUInt32BE(block + 4);
    }
    if (at < end || entry !== starts.length) throw new RangeError('A table has a wrong offset.');
  }
}

/** How many bytes an entry of version 4 shares with the name before it, and where its own bytes start. */
function readOffset(index: Buffer, start: number, length: number): [number, number] {
  let at = start;
  let byte = index.readUInt8(at++);
  let value = byte & 0x7f;
  while ((byte & 0x80) !== 0) {
    byte = index.readUInt8(at++);
    value = ((value + 1) << 7) + (byte & 0x7f);
  }
  if (value > length) throw new RangeError('The index shortens a name too much.');
  return [length - value, at];
}
