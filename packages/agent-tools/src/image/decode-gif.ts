import type { Picture } from './picture.ts';

const mostPixels = 60_000_000;

/** The first picture of a GIF. */
export function decodeGif(bytes: Buffer): Picture {
  const [width, height] = [bytes.readUInt16LE(6), bytes.readUInt16LE(8)];
  if (width * height === 0 || width * height > mostPixels) throw new Error('The GIF has no usable size.');
  const flags = bytes.readUInt8(10);
  let at = 13;
  const shared = paletteAt(bytes, at, flags);
  at += shared.length;
  let transparent = -1;
  for (;;) {
    const kind = bytes.readUInt8(at);
    if (kind === 0x2c) break;
    if (kind !== 0x21) throw new Error('The GIF is damaged.');
    if (bytes.readUInt8(at + 1) === 0xf9 && (bytes.readUInt8(at + 3) & 1) === 1)
      transparent = bytes.readUInt8(at + 6);
    at = blocksAt(bytes, at + 2).end;
  }
  const frame = {
    left: bytes.readUInt16LE(at + 1),
    top: bytes.readUInt16LE(at + 3),
    width: bytes.readUInt16LE(at + 5),
    height: bytes.readUInt16LE(at + 7),
    isInterlaced: (bytes.readUInt8(at + 9) & 0x40) !== 0,
  };
  if (frame.width * frame.height > mostPixels) throw new Error('The GIF has no usable size.');
  const own = paletteAt(bytes, at + 10, bytes.readUInt8(at + 9));
  at += 10 + own.length;
  const { data } = blocksAt(bytes, at + 1);
  const indexes = unpack(data, bytes.readUInt8(at), frame.width * frame.height);
  const palette = own.length > 0 ? own : shared;
  const pixels = new Uint8ClampedArray(width * height * 4);
  const lines = frame.isInterlaced ? interlacedLines(frame.height) : undefined;
  for (const [index, colour] of indexes.entries()) {
    const line = Math.floor(index / frame.width);
    const x = frame.left + (index % frame.width);
    const y = frame.top + (lines?.[line] ?? line);
    if (colour === transparent || x >= width || y >= height) continue;
    pixels.set([...palette.subarray(colour * 3, colour * 3 + 3), 255], (y * width + x) * 4);
  }
  return { width, height, pixels };
}

function paletteAt(bytes: Buffer, at: number, flags: number): Buffer {
  return (flags & 0x80) === 0 ? Buffer.alloc(0) : bytes.subarray(at, at + 3 * (2 << (flags & 7)));
}

/** Data in blocks that start with their length, ended by an empty block. */
function blocksAt(bytes: Buffer, from: number): { readonly data: Buffer; readonly end: number } {
  const pieces: Buffer[] = [];
  let at = from;
  for (let length = bytes.readUInt8(at); length > 0; length = bytes.readUInt8(at)) {
    pieces.push(bytes.subarray(at + 1, at + 1 + length));
    at += 1 + length;
    if (at >= bytes.length) break;
  }
  return { data: Buffer.concat(pieces), end: at + 1 };
}

/** Decodes LZW codes, each of which extends an earlier one by one colour. */
function unpack(data: Buffer, minimumBits: number, length: number): Uint8Array {
  const found = new Uint8Array(length);
  const clear = 1 << minimumBits;
  const before = new Uint16Array(4096);
  const last = new Uint8Array(4096);
  const lengths = new Uint16Array(4096).fill(1);
  for (let code = 0; code < clear; code += 1) last[code] = code;
  let [size, next, previous, filled] = [minimumBits + 1, clear + 2, -1, 0];
  let [bits, count] = [0, 0];
  const write = (code: number): number => {
    let [one, at] = [code, filled + (lengths[code] ?? 1)];
    filled = at;
    let first = 0;
    while (at-- > filled - (lengths[code] ?? 1)) {
      first = last[one] ?? 0;
      if (at < length) found[at] = first;
      one = before[one] ?? 0;
    }
    return first;
  };
  for (let at = 0; at < data.length && filled < length; ) {
    while (count < size && at < data.length) {
      bits |= (data[at++] ?? 0) << count;
      count += 8;
    }
    if (count < size) break;
    const code = bits & ((1 << size) - 1);
    bits >>>= size;
    count -= size;
    if (code === clear) {
      [size, next, previous] = [minimumBits + 1, clear + 2, -1];
      continue;
    }
    if (code === clear + 1 || code > next || (code === next && previous < 0)) break;
    if (previous >= 0 && next < 4096) {
      before[next] = previous;
      lengths[next] = (lengths[previous] ?? 0) + 1;
      let first = code === next ? previous : code;
      while (first >= clear) first = before[first] ?? 0;
      last[next] = last[first] ?? 0;
      next += 1;
    }
    write(code);
    previous = code;
    if (next === 1 << size && size < 12) size += 1;
  }
  return found;
}

/** Positions of lines, which come in four passes. */
function interlacedLines(height: number): readonly number[] {
  const steps = [
    [0, 8],
    [4, 8],
    [2, 4],
    [1, 2],
  ] as const;
  return steps.flatMap(([start, step]) =>
    Array.from(
      { length: Math.max(0, Math.ceil((height - start) / step)) },
      (_, index) => start + index * step,
    ),
  );
}
