import { zigzag } from './jpeg-frame.ts';
import type { Picture } from './picture.ts';

/** Standard quantization steps for brightness and colour, in the order of the coefficients. */
const brightnessSteps = [
  ...[
    16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17,
    22,
  ],
  ...[
    29, 51, 87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78, 87,
    103,
  ],
  ...[121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99],
];
const colourSteps = brightnessSteps.map((_, place) => {
  const known = [
    [17, 18, 24, 47],
    [18, 21, 26, 66],
    [24, 26, 56, 99],
    [47, 66, 99, 99],
  ];
  return known[place >> 3]?.[place & 7] ?? 99;
});

/** Standard Huffman codes: number of codes of each length, and their values. */
const meanCounts = [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0];
const meanValues = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
const bandCounts = [0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 125];
const frequentValues = [
  ...[
    0x01, 0x02, 0x03, 0x00, 0x04, 0x11, 0x05, 0x12, 0x21, 0x31, 0x41, 0x06, 0x13, 0x51, 0x61, 0x07, 0x22,
    0x71,
  ],
  ...[
    0x14, 0x32, 0x81, 0x91, 0xa1, 0x08, 0x23, 0x42, 0xb1, 0xc1, 0x15, 0x52, 0xd1, 0xf0, 0x24, 0x33, 0x62,
    0x72, 0x82,
  ],
];
const bandValues = [...frequentValues, ...otherValues()];

function otherValues(): number[] {
  const all = Array.from({ length: 256 }, (_, value) => value).filter(
    (value) => ((value & 15) >= 1 && (value & 15) <= 10) || value === 0 || value === 0xf0,
  );
  return all.filter((value) => !frequentValues.includes(value));
}

/** Encodes a picture as JPEG; transparent pixels become white. */
export function encodeJpeg(picture: Picture, quality: number): Buffer {
  const scale = quality < 50 ? 5000 / quality : 200 - quality * 2;
  const scaled = (steps: readonly number[]) =>
    steps.map((step) => Math.max(1, Math.min(255, Math.floor((step * scale + 50) / 100))));
  const tables = [scaled(brightnessSteps), scaled(colourSteps)] as const;
  const { width, height } = picture;
  const head = [
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, [...Buffer.from('JFIF\0'), 1, 1, 0, 0, 1, 0, 1, 0, 0]),
    ...tables.map((table, index) => segment(0xdb, [index, ...[...zigzag].map((place) => table[place] ?? 1)])),
    segment(0xc0, [
      ...[8, height >> 8, height & 255, width >> 8, width & 255, 3],
      ...[1, 0x11, 0, 2, 0x11, 1, 3, 0x11, 1],
    ]),
    segment(0xc4, [0x00, ...meanCounts, ...meanValues]),
    segment(0xc4, [0x10, ...bandCounts, ...bandValues]),
    segment(0xda, [3, 1, 0x00, 2, 0x00, 3, 0x00, 0, 63, 0]),
  ];
  return Buffer.concat([...head, new BlockWriter(picture, tables).write(), Buffer.from([0xff, 0xd9])]);
}

function segment(marker: number, body: readonly number[]): Buffer {
  const length = body.length + 2;
  return Buffer.from([0xff, marker, length >> 8, length & 255, ...body]);
}

/** Code and length of each value. */
function codesOf(
  counts: readonly number[],
  values: readonly number[],
): Map<number, readonly [number, number]> {
  const codes = new Map<number, readonly [number, number]>();
  let code = 0;
  let index = 0;
  counts.forEach((count, place) => {
    for (let one = 0; one < count; one += 1) codes.set(values[index++] ?? 0, [code++, place + 1]);
    code <<= 1;
  });
  return codes;
}

class BlockWriter {
  readonly #picture: Picture;
  readonly #tables: readonly (readonly number[])[];
  readonly #mean = codesOf(meanCounts, meanValues);
  readonly #band = codesOf(bandCounts, bandValues);
  readonly #cosines = Float32Array.from(
    { length: 64 },
    (_, at) => (at < 8 ? Math.SQRT1_2 : 1) * 0.5 * Math.cos(((2 * (at & 7) + 1) * (at >> 3) * Math.PI) / 16),
  );
  readonly #half = new Float32Array(64);
  readonly #values = new Float32Array(64);
  readonly #quantized = new Int32Array(64);
  #output = Buffer.alloc(1 << 16);
  #length = 0;
  #bits = 0;
  #count = 0;

  constructor(picture: Picture, tables: readonly (readonly number[])[]) {
    this.#picture = picture;
    this.#tables = tables;
  }

  write(): Buffer {
    const { width, height } = this.#picture;
    const means = [0, 0, 0];
    const blocks = [new Float32Array(64), new Float32Array(64), new Float32Array(64)];
    for (let y = 0; y < height; y += 8) {
      for (let x = 0; x < width; x += 8) {
        this.#fill(blocks, x, y);
        blocks.forEach((block, channel) => {
          means[channel] = this.#block(block, this.#tables[channel === 0 ? 0 : 1] ?? [], means[channel] ?? 0);
        });
      }
    }
    this.#put(0x7f, 7);
    return this.#output.subarray(0, this.#length);
  }

  /** Brightness and colour of eight by eight pixels; edge pixels are repeated beyond the picture. */
  #fill(blocks: readonly Float32Array[], left: number, top: number): void {
    const { width, height, pixels } = this.#picture;
    const [one, two, three] = blocks;
    for (let place = 0; place < 64; place += 1) {
      const x = Math.min(width - 1, left + (place & 7));
      const y = Math.min(height - 1, top + (place >> 3));
      const at = (y * width + x) * 4;
      const alpha = (pixels[at + 3] ?? 255) / 255;
      const white = 255 * (1 - alpha);
      const red = (pixels[at] ?? 0) * alpha + white;
      const green = (pixels[at + 1] ?? 0) * alpha + white;
      const blue = (pixels[at + 2] ?? 0) * alpha + white;
      if (one) one[place] = 0.299 * red + 0.587 * green + 0.114 * blue - 128;
      if (two) two[place] = -0.168736 * red - 0.331264 * green + 0.5 * blue;
      if (three) three[place] = 0.5 * red - 0.418688 * green - 0.081312 * blue;
    }
  }

  #block(block: Float32Array, steps: readonly number[], before: number): number {
    const values = this.#transform(block);
    const quantized = this.#quantized;
    let last = 0;
    for (let order = 0; order < 64; order += 1) {
      const place = zigzag[order] ?? 0;
      quantized[order] = Math.round((values[place] ?? 0) / (steps[place] ?? 1));
      if (order > 0 && quantized[order] !== 0) last = order;
    }
    const mean = quantized[0] ?? 0;
    this.#coded(this.#mean, 0, mean - before);
    let run = 0;
    for (let place = 1; place <= last; place += 1) {
      const value = quantized[place] ?? 0;
      if (value === 0) {
        run += 1;
        continue;
      }
      for (; run > 15; run -= 16) this.#put(...(this.#band.get(0xf0) ?? [0, 0]));
      this.#coded(this.#band, run, value);
      run = 0;
    }
    if (last < 63) this.#put(...(this.#band.get(0) ?? [0, 0]));
    return mean;
  }

  #transform(block: Float32Array): Float32Array {
    const half = this.#half;
    const values = this.#values;
    for (let row = 0; row < 8; row += 1)
      for (let order = 0; order < 8; order += 1) {
        let sum = 0;
        for (let x = 0; x < 8; x += 1) sum += (block[row * 8 + x] ?? 0) * (this.#cosines[order * 8 + x] ?? 0);
        half[row * 8 + order] = sum;
      }
    for (let column = 0; column < 8; column += 1)
      for (let order = 0; order < 8; order += 1) {
        let sum = 0;
        for (let y = 0; y < 8; y += 1)
          sum += (half[y * 8 + column] ?? 0) * (this.#cosines[order * 8 + y] ?? 0);
        values[order * 8 + column] = sum;
      }
    return values;
  }

  /** Writes the size of a value with the zeros before it, then its bits. */
  #coded(codes: ReadonlyMap<number, readonly [number, number]>, run: number, value: number): void {
    const size = 32 - Math.clz32(Math.abs(value));
    this.#put(...(codes.get((run << 4) | size) ?? [0, 0]));
    if (size > 0) this.#put(value > 0 ? value : value + (1 << size) - 1, size);
  }

  #put(value: number, length: number): void {
    this.#bits = (this.#bits << length) | (value & ((1 << length) - 1));
    this.#count += length;
    while (this.#count >= 8) {
      this.#count -= 8;
      const byte = (this.#bits >>> this.#count) & 255;
      this.#byte(byte);
      // Markers start with this byte, so in data it is followed by a zero.
      if (byte === 255) this.#byte(0);
    }
    this.#bits &= (1 << this.#count) - 1;
  }

  #byte(byte: number): void {
    if (this.#length === this.#output.length)
      this.#output = Buffer.concat([this.#output, Buffer.alloc(this.#length)]);
    this.#output[this.#length++] = byte;
  }
}
