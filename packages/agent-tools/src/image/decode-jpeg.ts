import { type HuffmanTable, huffmanTable, type JpegFrame, readFrame, zigzag } from './jpeg-frame.ts';
import { JpegScan, type ScanHeader } from './jpeg-scan.ts';
import { blockPixels } from './jpeg-transform.ts';
import type { RowSource } from './picture.ts';

/** A JPEG, decoded at a half, a quarter or an eighth of its size if that is enough. */
export interface JpegSource extends RowSource {
  /** EXIF orientation, from 1 to 8. */
  readonly orientation: number;
}

/** Decodes a JPEG, at least as large as the longest edge requires. */
export function decodeJpeg(bytes: Buffer, longestEdge: number): JpegSource {
  const decoder = new JpegDecoder(bytes);
  const { width, height } = decoder.frame;
  const size = [1, 2, 4].find((one) => (Math.max(width, height) * one) / 8 >= longestEdge * 1.3) ?? 8;
  return {
    width: Math.ceil((width * size) / 8),
    height: Math.ceil((height * size) / 8),
    orientation: decoder.orientation,
    rows: () => decoder.rows(size),
  };
}

class JpegDecoder {
  readonly frame: JpegFrame;
  orientation = 1;
  readonly #bytes: Buffer;
  readonly #quantization: Uint16Array[] = [];
  readonly #dc: HuffmanTable[] = [];
  readonly #ac: HuffmanTable[] = [];
  #restart = 0;
  /** Adobe's colour transform. */
  #transform: number | undefined;
  #scanAt = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    let frame: JpegFrame | undefined;
    for (const { marker, body, at } of segments(bytes, 2)) {
      if (marker === 0xda) {
        this.#scanAt = at;
        break;
      }
      if (marker >= 0xc0 && marker <= 0xc2) frame = readFrame(body, marker === 0xc2);
      else if (marker === 0xe1) this.orientation = orientationIn(body);
      else this.#segment(marker, body);
    }
    if (frame === undefined || this.#scanAt === 0) throw new Error('The JPEG is damaged or of a rare kind.');
    this.frame = frame;
  }

  /** Decodes line by line if one scan holds everything, otherwise all scans first. */
  *rows(size: number): Generator<Uint8Array | undefined> {
    const { frame } = this;
    const first = this.#scanHeader(this.#scanAt);
    const keepsAll = frame.isProgressive || first.components.length < frame.components.length;
    for (const component of frame.components) {
      const lines = component.down * (keepsAll ? frame.unitsDown : 1);
      component.coefficients = new Int16Array(component.lineBlocks * lines * 64);
    }
    if (keepsAll) yield* this.#allScans();
    const scan = keepsAll ? undefined : this.#scan(this.#scanAt, first).lines({ keepsAll });
    const height = Math.ceil((frame.height * size) / 8);
    for (let line = 0, left = height; line < frame.unitsDown; line += 1) {
      if (scan !== undefined) for (const { coefficients } of frame.components) coefficients.fill(0);
      scan?.next();
      for (const row of this.#unitRows(scan === undefined ? line : 0, size)) if (left-- > 0) yield row;
    }
  }

  *#allScans(): Generator<undefined> {
    for (const { marker, body, at } of segments(this.#bytes, this.#scanAt)) {
      if (marker !== 0xda) {
        this.#segment(marker, body);
        continue;
      }
      for (const component of this.frame.components) component.predictor = 0;
      for (const _ of this.#scan(at, this.#scanHeader(at)).lines({ keepsAll: true })) yield undefined;
    }
  }

  #scan(at: number, header: ScanHeader): JpegScan {
    return new JpegScan(this.#bytes, at + 2 + this.#bytes.readUInt16BE(at + 2), {
      frame: this.frame,
      header,
    });
  }

  #scanHeader(at: number): ScanHeader {
    const body = this.#bytes.subarray(at + 4, at + 2 + this.#bytes.readUInt16BE(at + 2));
    const count = body.readUInt8(0);
    const components = Array.from({ length: count }, (_, index) => {
      const id = body.readUInt8(1 + index * 2);
      const tables = body.readUInt8(2 + index * 2);
      const component = this.frame.components.find((one) => one.id === id);
      if (component === undefined) throw new Error('The JPEG is damaged.');
      const none = huffmanTable(new Uint8Array(16), new Uint8Array());
      return { component, dc: this.#dc[tables >> 4] ?? none, ac: this.#ac[tables & 15] ?? none };
    });
    const [first, last, bits] = [1, 2, 3].map((place) => body.readUInt8(count * 2 + place)) as [
      number,
      number,
      number,
    ];
    return {
      components,
      first,
      last: Math.min(63, last),
      high: bits >> 4,
      low: bits & 15,
      restart: this.#restart,
    };
  }

  #segment(marker: number, body: Buffer): void {
    if (marker === 0xdb) this.#readQuantization(body);
    else if (marker === 0xc4) this.#readHuffman(body);
    else if (marker === 0xdd) this.#restart = body.readUInt16BE(0);
    else if (marker === 0xee && body.toString('latin1', 0, 5) === 'Adobe') this.#transform = body[11];
    else if (marker >= 0xc3 && marker <= 0xcf && marker !== 0xc8 && marker !== 0xcc)
      throw new Error('The JPEG is of a rare kind.');
  }

  #readQuantization(body: Buffer): void {
    for (let at = 0; at < body.length; ) {
      const head = body.readUInt8(at++);
      const table = new Uint16Array(64);
      for (const place of zigzag) {
        table[place] = head >> 4 === 0 ? body.readUInt8(at) : body.readUInt16BE(at);
        at += head >> 4 === 0 ? 1 : 2;
      }
      this.#quantization[head & 15] = table;
    }
  }

  #readHuffman(body: Buffer): void {
    for (let at = 0; at + 17 <= body.length; ) {
      const head = body.readUInt8(at);
      const counts = body.subarray(at + 1, at + 17);
      const total = counts.reduce((sum, count) => sum + count, 0);
      const table = huffmanTable(counts, body.subarray(at + 17, at + 17 + total));
      (head >> 4 === 0 ? this.#dc : this.#ac)[head & 15] = table;
      at += 17 + total;
    }
  }

  /** The rows of one line of units, in four bytes a pixel. */
  *#unitRows(line: number, size: number): Generator<Uint8Array> {
    const { components, mostAcross, mostDown, width } = this.frame;
    const rowWidth = Math.ceil((width * size) / 8);
    const channels = components.map((component) => {
      const table = this.#quantization[component.table] ?? new Uint16Array(64).fill(1);
      const plane = blockPixels(component, line, { table, size });
      const columns = Uint32Array.from({ length: rowWidth }, (_, x) =>
        Math.floor((x * component.across) / mostAcross),
      );
      return { plane, columns, down: component.down, stride: component.lineBlocks * size };
    });
    for (let y = 0; y < mostDown * size; y += 1) {
      const row = new Uint8Array(rowWidth * 4).fill(255);
      channels.forEach(({ plane, columns, down, stride }, channel) => {
        const start = Math.floor((y * down) / mostDown) * stride;
        for (let x = 0; x < rowWidth; x += 1) row[x * 4 + channel] = plane[start + (columns[x] ?? 0)] ?? 0;
      });
      this.#toColours(row, channels.length);
      yield row;
    }
  }

  /** Converts the channels of a row to red, green, blue and opacity. */
  #toColours(row: Uint8Array, channels: number): void {
    const isPlain = this.#transform === 0 || (this.#transform === undefined && channels === 4);
    for (let at = 0; at < row.length; at += 4) {
      const first = row[at] ?? 0;
      if (channels === 1) {
        row.fill(first, at + 1, at + 3);
        continue;
      }
      if (!isPlain) {
        const [blue, red] = [(row[at + 1] ?? 0) - 128, (row[at + 2] ?? 0) - 128];
        row[at] = clamped(first + 1.402 * red);
        row[at + 1] = clamped(first - 0.344136 * blue - 0.714136 * red);
        row[at + 2] = clamped(first + 1.772 * blue);
      }
      if (channels !== 4) continue;
      // Print images hold ink, nearly always inverted.
      const black = (row[at + 3] ?? 0) / 255;
      for (let channel = 0; channel < 3; channel += 1) row[at + channel] = (row[at + channel] ?? 0) * black;
      row[at + 3] = 255;
    }
  }
}

function clamped(value: number): number {
  return value < 0 ? 0 : value > 255 ? 255 : value;
}

interface Segment {
  readonly marker: number;
  readonly body: Buffer;
  readonly at: number;
}

/** The segments from an offset on; coded data between them is skipped. */
function* segments(bytes: Buffer, from: number): Generator<Segment> {
  for (let at = from; at + 4 <= bytes.length; ) {
    const marker = bytes[at] === 0xff ? (bytes[at + 1] ?? 0) : 0;
    const isSegment = marker >= 0xc0 && marker !== 0xff && (marker < 0xd0 || marker > 0xd9);
    if (!isSegment) {
      if (marker === 0xd9) return;
      at += 1;
      continue;
    }
    const length = bytes.readUInt16BE(at + 2);
    yield { marker, body: bytes.subarray(at + 4, at + 2 + length), at };
    at += 2 + length;
  }
}

/** The EXIF orientation; 1 if there is none. */
function orientationIn(body: Buffer): number {
  if (body.toString('latin1', 0, 4) !== 'Exif' || body.length < 14) return 1;
  const tiff = body.subarray(6);
  const isLittle = tiff.toString('latin1', 0, 2) === 'II';
  const short = (at: number) =>
    at + 2 > tiff.length ? 0 : isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at);
  const start = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  for (let entry = 0; entry < Math.min(short(start), 200); entry += 1) {
    const at = start + 2 + entry * 12;
    if (short(at) === 0x0112) return short(at + 8) >= 1 && short(at + 8) <= 8 ? short(at + 8) : 1;
  }
  return 1;
}
