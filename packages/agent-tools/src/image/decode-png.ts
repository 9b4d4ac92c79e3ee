import { createInflate } from 'node:zlib';
import type { RowSource } from './picture.ts';

interface Header {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly channels: number;
  readonly isInterlaced: boolean;
  readonly palette: Uint8Array | undefined;
  /** Opacity of palette entries, or the one transparent colour. */
  readonly transparency: Uint8Array | undefined;
  readonly data: readonly Buffer[];
}

const channelsOf: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
/** Limit for interlaced images, which must be loaded completely. */
const mostInterlacedPixels = 60_000_000;

/** Decodes the rows of a PNG on demand. */
export function decodePng(bytes: Buffer): RowSource {
  const header = readHeader(bytes);
  const { width, height } = header;
  if (!header.isInterlaced) return { width, height, rows: () => plainRows(header) };
  if (width * height > mostInterlacedPixels) throw new Error('The image is interlaced and too large.');
  return { width, height, rows: () => interlacedRows(header) };
}

function readHeader(bytes: Buffer): Header {
  const chunks = new Map<string, Buffer>();
  const data: Buffer[] = [];
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const name = bytes.toString('latin1', at + 4, at + 8);
    const body = bytes.subarray(at + 8, at + 8 + length);
    if (name === 'IDAT') data.push(body);
    else if (!chunks.has(name)) chunks.set(name, body);
    at += length + 12;
  }
  const start = chunks.get('IHDR');
  const channels = channelsOf[start?.[9] ?? -1];
  if (start === undefined || start.length < 13 || channels === undefined)
    throw new Error('The PNG is damaged.');
  return {
    width: start.readUInt32BE(0),
    height: start.readUInt32BE(4),
    depth: start[8] ?? 8,
    channels,
    isInterlaced: start[12] === 1,
    palette: start[9] === 3 ? (chunks.get('PLTE') ?? new Uint8Array()) : undefined,
    transparency: chunks.get('tRNS'),
    data,
  };
}

async function* plainRows(header: Header): AsyncGenerator<Uint8Array> {
  const { width, height } = header;
  const lines = scanLines(header, [{ width, height }]);
  const row = new Uint8Array(width * 4);
  for await (const line of lines) {
    expand(line, row, header);
    yield row;
  }
}

/** The seven passes of an interlaced image: first column and row, and the steps between. */
const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

async function* interlacedRows(header: Header): AsyncGenerator<Uint8Array> {
  const { width, height } = header;
  const pixels = new Uint8Array(width * height * 4);
  const own = passes
    .map(([x, y, stepX, stepY]) => ({
      ...{ x, y, stepX, stepY },
      width: Math.ceil((width - x) / stepX),
      height: Math.ceil((height - y) / stepY),
    }))
    .filter((pass) => pass.width > 0 && pass.height > 0);
  const places = own.flatMap((pass) =>
    Array.from({ length: pass.height }, (_, index) => ({ pass, y: pass.y + index * pass.stepY })),
  );
  let next = 0;
  for await (const line of scanLines(header, own)) {
    const place = places[next++];
    if (place === undefined) break;
    const row = new Uint8Array(place.pass.width * 4);
    expand(line, row, header);
    for (let index = 0; index < place.pass.width; index += 1) {
      const at = (place.y * width + place.pass.x + index * place.pass.stepX) * 4;
      pixels.set(row.subarray(index * 4, index * 4 + 4), at);
    }
  }
  for (let y = 0; y < height; y += 1) yield pixels.subarray(y * width * 4, (y + 1) * width * 4);
}

/** Decompressed lines without their filters; each is valid until the next one. */
async function* scanLines(
  header: Header,
  passes: readonly { readonly width: number; readonly height: number }[],
): AsyncGenerator<Uint8Array> {
  const bits = header.depth * header.channels;
  const reach = Math.max(1, bits >> 3);
  const input = new PieceReader(header.data);
  for (const { width, height } of passes) {
    const length = Math.ceil((width * bits) / 8);
    let before = new Uint8Array(length);
    for (let y = 0; y < height; y += 1) {
      const packed = await input.take(length + 1);
      if (packed === undefined) return;
      const line = Uint8Array.from(packed.subarray(1));
      unfilter(line, before, { kind: packed[0] ?? 0, reach });
      yield line;
      before = line;
    }
  }
}

/** Reads decompressed bytes in portions of a given size. */
class PieceReader {
  readonly #pieces: AsyncIterator<Buffer>;
  #held: Buffer = Buffer.alloc(0);

  constructor(data: readonly Buffer[]) {
    const inflate = createInflate();
    // A truncated image shows what arrived.
    inflate.on('error', () => inflate.destroy());
    for (const piece of data) inflate.write(piece);
    inflate.end();
    this.#pieces = inflate[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  async take(length: number): Promise<Buffer | undefined> {
    const pieces = [this.#held];
    let size = this.#held.length;
    while (size < length) {
      const next = await this.#pieces.next().catch(() => ({ done: true as const, value: undefined }));
      if (next.done) return undefined;
      pieces.push(next.value);
      size += next.value.length;
    }
    const all = pieces.length === 1 ? this.#held : Buffer.concat(pieces);
    this.#held = all.subarray(length);
    return all.subarray(0, length);
  }
}

function unfilter(
  line: Uint8Array,
  before: Uint8Array,
  { kind, reach }: { kind: number; reach: number },
): void {
  for (let at = 0; at < line.length; at += 1) {
    const left = at < reach ? 0 : (line[at - reach] ?? 0);
    const up = before[at] ?? 0;
    const corner = at < reach ? 0 : (before[at - reach] ?? 0);
    line[at] = (line[at] ?? 0) + predicted(kind, left, { up, corner });
  }
}

function predicted(kind: number, left: number, { up, corner }: { up: number; corner: number }): number {
  if (kind === 1) return left;
  if (kind === 2) return up;
  if (kind === 3) return (left + up) >> 1;
  if (kind !== 4) return 0;
  const [toLeft, toUp, toCorner] = [
    Math.abs(up - corner),
    Math.abs(left - corner),
    Math.abs(left + up - 2 * corner),
  ];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

/** Expands each pixel of a line to four bytes. */
function expand(line: Uint8Array, row: Uint8Array, header: Header): void {
  const width = row.length / 4;
  const { depth, channels, palette, transparency } = header;
  const key = palette === undefined && transparency !== undefined ? transparency : undefined;
  for (let x = 0; x < width; x += 1) {
    const sample = (channel: number) => sampleAt(line, x * channels + channel, depth);
    const at = x * 4;
    if (palette !== undefined) {
      const index = sample(0);
      for (let channel = 0; channel < 3; channel += 1) row[at + channel] = palette[index * 3 + channel] ?? 0;
      row[at + 3] = transparency?.[index] ?? 255;
      continue;
    }
    const isColour = channels >= 3;
    for (let channel = 0; channel < 3; channel += 1)
      row[at + channel] = toByte(sample(isColour ? channel : 0), depth);
    if (channels === 2 || channels === 4) row[at + 3] = toByte(sample(channels - 1), depth);
    else row[at + 3] = key !== undefined && isKey(sample, key, isColour ? 3 : 1) ? 0 : 255;
  }
}

function isKey(sample: (channel: number) => number, key: Uint8Array, channels: number): boolean {
  for (let channel = 0; channel < channels; channel += 1) {
    const wanted = ((key[channel * 2] ?? 0) << 8) | (key[channel * 2 + 1] ?? 0);
    if (sample(channel) !== wanted) return false;
  }
  return true;
}

function sampleAt(line: Uint8Array, index: number, depth: number): number {
  if (depth === 8) return line[index] ?? 0;
  if (depth === 16) return ((line[index * 2] ?? 0) << 8) | (line[index * 2 + 1] ?? 0);
  const bit = index * depth;
  return ((line[bit >> 3] ?? 0) >> (8 - depth - (bit & 7))) & ((1 << depth) - 1);
}

function toByte(sample: number, depth: number): number {
  if (depth === 8) return sample;
  return depth === 16 ? sample >> 8 : Math.round((sample * 255) / ((1 << depth) - 1));
}
