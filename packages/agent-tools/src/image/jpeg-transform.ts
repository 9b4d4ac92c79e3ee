import type { JpegComponent } from './jpeg-frame.ts';

const cosines = new Map<number, Float32Array>();

/** Factors of each coefficient for each output position of a block's row. */
function cosinesFor(size: number): Float32Array {
  const known = cosines.get(size);
  if (known !== undefined) return known;
  const table = new Float32Array(size * size);
  for (let place = 0; place < size; place += 1)
    for (let order = 0; order < size; order += 1)
      table[place * size + order] =
        (order === 0 ? Math.SQRT1_2 : 1) * 0.5 * Math.cos(((2 * place + 1) * order * Math.PI) / (2 * size));
  cosines.set(size, table);
  return table;
}

/**
 * The values of one line of units of a channel, each block as `size` by `size` pixels. A smaller size uses only low
 * frequencies, which averages the pixels.
 */
export function blockPixels(
  component: JpegComponent,
  line: number,
  { table, size }: { readonly table: Uint16Array; readonly size: number },
): Uint8ClampedArray {
  const { coefficients, lineBlocks, down } = component;
  const width = lineBlocks * size;
  const pixels = new Uint8ClampedArray(width * down * size);
  const factors = cosinesFor(size);
  const half = new Float32Array(size * size);
  for (let block = 0; block < lineBlocks * down; block += 1) {
    const from = (line * down * lineBlocks + block) * 64;
    const [x, y] = [(block % lineBlocks) * size, Math.floor(block / lineBlocks) * size];
    for (let row = 0; row < size; row += 1) {
      for (let place = 0; place < size; place += 1) {
        let sum = 0;
        for (let order = 0; order < size; order += 1) {
          const value = coefficients[from + row * 8 + order] ?? 0;
          if (value !== 0)
            sum += value * (table[row * 8 + order] ?? 1) * (factors[place * size + order] ?? 0);
        }
        half[row * size + place] = sum;
      }
    }
    for (let place = 0; place < size; place += 1) {
      for (let row = 0; row < size; row += 1) {
        let sum = 128;
        for (let order = 0; order < size; order += 1)
          sum += (half[order * size + place] ?? 0) * (factors[row * size + order] ?? 0);
        pixels[(y + row) * width + x + place] = sum;
      }
    }
  }
  return pixels;
}
