/** One colour channel of a JPEG, with its blocks of 64 coefficients. */
export interface JpegComponent {
  readonly id: number;
  /** Number of its blocks in one unit, across and down. */
  readonly across: number;
  readonly down: number;
  readonly table: number;
  /** Blocks in a line, including padding of the last unit. */
  readonly lineBlocks: number;
  /** Blocks with image data. */
  readonly usedAcross: number;
  readonly usedDown: number;
  coefficients: Int16Array;
  /** The previous mean value, relative to which the next one is coded. */
  predictor: number;
}

/** The header of a JPEG. */
export interface JpegFrame {
  readonly width: number;
  readonly height: number;
  readonly isProgressive: boolean;
  readonly components: readonly JpegComponent[];
  /** Units across and down. */
  readonly unitsAcross: number;
  readonly unitsDown: number;
  readonly mostAcross: number;
  readonly mostDown: number;
}

/** A Huffman table for decoding. */
export interface HuffmanTable {
  /** By the next 8 bits: length and value, or 0. */
  readonly short: Uint16Array;
  /** By length: the largest code, and the offset from a code to its value's index. */
  readonly largest: Int32Array;
  readonly offsets: Int32Array;
  readonly values: Uint8Array;
}

/** Positions of the coefficients in order of frequency. */
export const zigzag = Uint8Array.of(
  ...[0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48],
  ...[41, 34, 27, 20, 13, 6, 7, 14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15],
  ...[23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63],
);

const mostPixels = 150_000_000;
/** Limit for progressive images, whose coefficients are all kept in memory. */
const mostProgressivePixels = 60_000_000;

/** Reads a frame header; coefficients are allocated later. */
export function readFrame(body: Buffer, isProgressive: boolean): JpegFrame {
  const [height, width] = [body.readUInt16BE(1), body.readUInt16BE(3)];
  const count = body.readUInt8(5);
  if (body.readUInt8(0) !== 8) throw new Error('Only JPEG images of 8 bits can be made smaller.');
  if (width === 0 || height === 0 || width * height > (isProgressive ? mostProgressivePixels : mostPixels))
    throw new Error('The JPEG has no usable size.');
  const parts = Array.from({ length: count }, (_, index) => {
    const factors = body.readUInt8(7 + index * 3);
    return {
      id: body.readUInt8(6 + index * 3),
      across: factors >> 4,
      down: factors & 15,
      table: body.readUInt8(8 + index * 3),
    };
  });
  if (
    count === 0 ||
    count > 4 ||
    parts.some(({ across, down }) => across < 1 || across > 4 || down < 1 || down > 4)
  )
    throw new Error('The JPEG is damaged.');
  const mostAcross = Math.max(...parts.map(({ across }) => across));
  const mostDown = Math.max(...parts.map(({ down }) => down));
  const unitsAcross = Math.ceil(width / (8 * mostAcross));
  const unitsDown = Math.ceil(height / (8 * mostDown));
  const components = parts.map((part) => ({
    ...part,
    lineBlocks: unitsAcross * part.across,
    usedAcross: Math.ceil(Math.ceil((width * part.across) / mostAcross) / 8),
    usedDown: Math.ceil(Math.ceil((height * part.down) / mostDown) / 8),
    coefficients: new Int16Array(),
    predictor: 0,
  }));
  return { width, height, isProgressive, components, unitsAcross, unitsDown, mostAcross, mostDown };
}

/** Creates a table from the number of codes of each length and their values. */
export function huffmanTable(counts: Uint8Array, values: Uint8Array): HuffmanTable {
  const short = new Uint16Array(256);
  const largest = new Int32Array(17).fill(-1);
  const offsets = new Int32Array(17);
  let code = 0;
  let index = 0;
  for (let length = 1; length <= 16; length += 1) {
    offsets[length] = index - code;
    for (let one = 0; one < (counts[length - 1] ?? 0); one += 1, code += 1, index += 1) {
      if (length > 8) continue;
      const start = code << (8 - length);
      short.fill((length << 8) | (values[index] ?? 0), start, start + (1 << (8 - length)));
    }
    if ((counts[length - 1] ?? 0) > 0) largest[length] = code - 1;
    code <<= 1;
  }
  return { short, largest, offsets, values };
}
