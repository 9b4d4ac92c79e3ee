/** The mode of an entry of the index that stands for another repository. */
const linkMode = Buffer.from([0, 0, 0xe0, 0]);
/** The mode of one that stands for a whole directory outside a sparse checkout. */
const directoryMode = Buffer.from([0, 0, 0x40, 0]);
const headerBytes = 12;
/** Bytes of an entry before its object name, and where its mode stands among them. */
const statBytes = 40;
const modeAt = 24;
/** Names that are no text are not read, for their files can't be looked at. */
const textDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const longestName = 0xfff;

/**
 * Paths of the other repositories that an index names, and with a slash at the end of directories whose files it does not
 * tell, or undefined where it cannot be read. Nearly every index has none, which a search of its bytes shows.
 */
export function linkedRepositories(
  bytes: Uint8Array,
  { nameBytes }: { readonly nameBytes: number },
): readonly string[] | undefined {
  const index = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!index.includes(linkMode) && !index.includes(directoryMode)) return [];
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
  let at = headerBytes;
  let previous = Buffer.alloc(0);
  for (let entry = 0; entry < count; entry += 1) {
    const start = at;
    const mode = index.readUInt32BE(start + modeAt);
    const flags = index.readUInt16BE(start + statBytes + nameBytes);
    at = start + statBytes + nameBytes + ((flags & 0x4000) === 0 ? 2 : 4);
    let kept = 0;
    if (version === 4) [kept, at] = readOffset(index, at, previous.length);
    const end = index.indexOf(0, at);
    if (end === -1) throw new RangeError('The index ends within a name.');
    const name = Buffer.concat([previous.subarray(0, kept), index.subarray(at, end)]);
    if (Math.min(name.length, longestName) !== (flags & longestName))
      throw new RangeError('The index gives a name another length.');
    if (version === 4) {
      at = end + 1;
      previous = name;
    } else at = start + ((end - start + 8) & ~7);
    if ((mode & 0xf000) === 0xe000) links.push(textDecoder.decode(name));
    if ((mode & 0xf000) === 0x4000) links.push(`${textDecoder.decode(name).replace(/\/$/, '')}/`);
  }
  return links;
}

/** How many bytes of the name before an entry of version 4 keeps, and where its own bytes begin. */
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
