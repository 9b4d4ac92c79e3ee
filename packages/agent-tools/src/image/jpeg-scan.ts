import { type HuffmanTable, type JpegComponent, type JpegFrame, zigzag } from './jpeg-frame.ts';

/** The header of one pass over the blocks of a JPEG. */
export interface ScanHeader {
  readonly components: readonly {
    readonly component: JpegComponent;
    readonly dc: HuffmanTable;
    readonly ac: HuffmanTable;
  }[];
  readonly first: number;
  readonly last: number;
  /** Bits missing in the values, now and before this scan. */
  readonly low: number;
  readonly high: number;
  /** Units between restart markers; 0 for none. */
  readonly restart: number;
}

type Coded = ScanHeader['components'][number];

/** Reads the coded blocks of one scan into the coefficients. */
export class JpegScan {
  readonly #bytes: Buffer;
  readonly #frame: JpegFrame;
  readonly #header: ScanHeader;
  #at: number;
  #bits = 0;
  #count = 0;
  /** Number of following blocks without further values. */
  #emptyBlocks = 0;

  constructor(bytes: Buffer, at: number, parts: { readonly frame: JpegFrame; readonly header: ScanHeader }) {
    this.#bytes = bytes;
    this.#at = at;
    this.#frame = parts.frame;
    this.#header = parts.header;
  }

  /** Reads line by line; `keepsAll` tells whether the coefficients of all lines are kept. */
  *lines({ keepsAll }: { readonly keepsAll: boolean }): Generator<void> {
    const { components, restart } = this.#header;
    const [only] = components;
    const isSingle = components.length === 1 && only !== undefined;
    const across = isSingle ? only.component.usedAcross : this.#frame.unitsAcross;
    const down = isSingle ? only.component.usedDown : this.#frame.unitsDown;
    for (let line = 0, unit = 0; line < down; line += 1) {
      for (let column = 0; column < across; column += 1, unit += 1) {
        if (restart > 0 && unit > 0 && unit % restart === 0) this.#restart();
        if (isSingle) this.#block(only, line * only.component.lineBlocks + column);
        else for (const one of components) this.#unit(one, keepsAll ? line : 0, column);
      }
      yield;
    }
  }

  #unit(coded: Coded, line: number, column: number): void {
    const { across, down, lineBlocks } = coded.component;
    for (let y = 0; y < down; y += 1)
      for (let x = 0; x < across; x += 1)
        this.#block(coded, (line * down + y) * lineBlocks + column * across + x);
  }

  #block(coded: Coded, index: number): void {
    const { first, high } = this.#header;
    const at = index * 64;
    if (!this.#frame.isProgressive) return this.#whole(coded, at);
    if (first === 0) return high === 0 ? this.#firstMean(coded, at) : this.#refineMean(coded, at);
    return high === 0 ? this.#firstBand(coded, at) : this.#refineBand(coded, at);
  }

  #whole({ component, dc, ac }: Coded, at: number): void {
    const { coefficients } = component;
    component.predictor += this.#signed(this.#value(dc));
    coefficients[at] = component.predictor;
    for (let place = 1; place < 64; place += 1) {
      const code = this.#value(ac);
      const size = code & 15;
      if (size === 0 && code < 0xf0) return;
      place += code >> 4;
      if (size > 0 && place < 64) coefficients[at + (zigzag[place] ?? 0)] = this.#signed(size);
    }
  }

  #firstMean({ component, dc }: Coded, at: number): void {
    component.predictor += this.#signed(this.#value(dc));
    component.coefficients[at] = component.predictor << this.#header.low;
  }

  #refineMean({ component }: Coded, at: number): void {
    if (this.#bit() === 1)
      component.coefficients[at] = (component.coefficients[at] ?? 0) | (1 << this.#header.low);
  }

  #firstBand({ component, ac }: Coded, at: number): void {
    if (this.#emptyBlocks > 0) {
      this.#emptyBlocks -= 1;
      return;
    }
    const { first, last, low } = this.#header;
    for (let place = first; place <= last; place += 1) {
      const code = this.#value(ac);
      const [run, size] = [code >> 4, code & 15];
      if (size === 0 && run < 15) {
        this.#emptyBlocks = (1 << run) - 1 + (run > 0 ? this.#take(run) : 0);
        return;
      }
      place += run;
      if (size > 0 && place < 64)
        component.coefficients[at + (zigzag[place] ?? 0)] = this.#signed(size) * (1 << low);
    }
  }

  /** Adds a bit to known values, and new one-bit values between them. */
  #refineBand({ component, ac }: Coded, at: number): void {
    const { first, last, low } = this.#header;
    const { coefficients } = component;
    const step = 1 << low;
    let place = first;
    if (this.#emptyBlocks === 0) {
      for (; place <= last; place += 1) {
        const code = this.#value(ac);
        const size = code & 15;
        let run = code >> 4;
        let found = 0;
        if (size > 0) found = this.#bit() === 1 ? step : -step;
        else if (run < 15) {
          this.#emptyBlocks = (1 << run) + (run > 0 ? this.#take(run) : 0);
          break;
        }
        for (; place <= last; place += 1) {
          const spot = at + (zigzag[place] ?? 0);
          if (coefficients[spot] !== 0) this.#refine(coefficients, spot, step);
          else if (run === 0) {
            if (found !== 0) coefficients[spot] = found;
            break;
          } else run -= 1;
        }
      }
    }
    if (this.#emptyBlocks === 0) return;
    for (; place <= last; place += 1) {
      const spot = at + (zigzag[place] ?? 0);
      if (coefficients[spot] !== 0) this.#refine(coefficients, spot, step);
    }
    this.#emptyBlocks -= 1;
  }

  #refine(coefficients: Int16Array, spot: number, step: number): void {
    const value = coefficients[spot] ?? 0;
    if (this.#bit() === 1 && (value & step) === 0)
      coefficients[spot] = value > 0 ? value + step : value - step;
  }

  /** Skips past the next restart marker. */
  #restart(): void {
    this.#bits = 0;
    this.#count = 0;
    this.#emptyBlocks = 0;
    for (const { component } of this.#header.components) component.predictor = 0;
    while (this.#at < this.#bytes.length) {
      const marker = this.#bytes[this.#at] === 0xff ? (this.#bytes[this.#at + 1] ?? 0) : 0;
      if (marker >= 0xd0 && marker <= 0xd7) {
        this.#at += 2;
        return;
      }
      if (marker === 0xd9) return;
      this.#at += 1;
    }
  }

  #value({ short, largest, offsets, values }: HuffmanTable): number {
    this.#fill(16);
    const next = (this.#bits >>> (this.#count - 16)) & 0xffff;
    const known = short[next >> 8] ?? 0;
    if (known !== 0) {
      this.#count -= known >> 8;
      return known & 255;
    }
    for (let length = 9; length <= 16; length += 1) {
      const code = next >> (16 - length);
      if (code > (largest[length] ?? -1)) continue;
      this.#count -= length;
      return values[code + (offsets[length] ?? 0)] ?? 0;
    }
    throw new Error('The JPEG is damaged.');
  }

  #signed(size: number): number {
    if (size === 0) return 0;
    const value = this.#take(size);
    return value < 1 << (size - 1) ? value - (1 << size) + 1 : value;
  }

  #bit(): number {
    return this.#take(1);
  }

  #take(size: number): number {
    this.#fill(size);
    this.#count -= size;
    return (this.#bits >>> this.#count) & ((1 << size) - 1);
  }

  /** Holds at most 24 bits. After a marker there are only zeros. */
  #fill(size: number): void {
    while (this.#count < size) {
      let byte = this.#bytes[this.#at] ?? 0;
      if (byte === 0xff) {
        if (this.#bytes[this.#at + 1] === 0) this.#at += 2;
        else byte = 0;
      } else if (this.#at < this.#bytes.length) this.#at += 1;
      this.#bits = ((this.#bits << 8) | byte) & 0xffffff;
      this.#count += 8;
    }
  }
}
