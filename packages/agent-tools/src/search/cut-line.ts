const longest = 500;
const before = 150;

/** The text of a line; for a long one only the part around a match at a byte offset. */
export function cutBytes(line: Uint8Array, match: number): string {
  const bytes = Buffer.from(
    line.buffer,
    line.byteOffset,
    line.at(-1) === 0x0d ? line.length - 1 : line.length,
  );
  if (bytes.length <= longest) return bytes.toString();
  const wanted = Math.min(Math.max(0, match - before), bytes.length - longest);
  const start = characterStart(bytes, wanted);
  const end = characterStart(bytes, start + longest);
  return `${start > 0 ? '…' : ''}${bytes.toString('utf8', start, end)}${end < bytes.length ? '…' : ''}`;
}

function characterStart(bytes: Buffer, wanted: number): number {
  let at = Math.min(wanted, bytes.length);
  while (at > 0 && at < bytes.length && ((bytes[at] ?? 0) & 0xc0) === 0x80) at -= 1;
  return at;
}
