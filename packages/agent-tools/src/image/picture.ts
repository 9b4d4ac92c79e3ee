/** The pixels of an image: four bytes each, red, green, blue and opacity, row by row. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8ClampedArray;
}

/** An image that is read row by row, so that it is never loaded completely. */
export interface RowSource {
  readonly width: number;
  readonly height: number;
  /** Rows of four bytes per pixel; undefined in between lets other work run. */
  rows(): Iterable<Uint8Array | undefined> | AsyncIterable<Uint8Array | undefined>;
}

/** Milliseconds of pixel work before other work gets a turn. */
const turnMs = 30;

/** Larger images are decompression bombs: small files that would fill the memory or take minutes. */
const mostPixels = 400_000_000;
const longestEdgeRead = 65_536;

/** Shrinks a picture by averaging; one that is small enough is unchanged. */
export async function shrinkRows(
  source: RowSource,
  longestEdge: number,
  signal?: AbortSignal,
): Promise<Picture> {
  assertReadable(source);
  const { width, height } = fittingSize(source, longestEdge);
  const picture = { width, height, pixels: new Uint8ClampedArray(width * height * 4) };
  const averager = new Averager(picture, source);
  let since = Date.now();
  for await (const row of source.rows()) {
    if (row !== undefined) averager.add(row);
    if (Date.now() - since < turnMs) continue;
    signal?.throwIfAborted();
    await new Promise((resolve) => setImmediate(resolve));
    since = Date.now();
  }
  averager.finish();
  return picture;
}

/** Throws for an image that is too large to decode, before memory is allocated. */
function assertReadable({ width, height }: Pick<RowSource, 'width' | 'height'>): void {
  const isUsable = width > 0 && height > 0 && Math.max(width, height) <= longestEdgeRead;
  if (!isUsable || width * height > mostPixels) throw new Error('the image has no usable size.');
}

/** Scales a size so that its longer edge fits a limit. */
function fittingSize(
  { width, height }: { readonly width: number; readonly height: number },
  longestEdge: number,
): { readonly width: number; readonly height: number } {
  const scale = Math.min(1, longestEdge / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** The rows of a picture in memory. */
export function rowsOf({ width, height, pixels }: Picture): RowSource {
  return {
    width,
    height,
    *rows() {
      for (let y = 0; y < height; y += 1)
        yield new Uint8Array(pixels.buffer, pixels.byteOffset + y * width * 4, width * 4);
    },
  };
}

/** Averages the source pixels of each target pixel, weighted by overlap and opacity. */
class Averager {
  readonly #picture: Picture;
  readonly #source: RowSource;
  readonly #sums: Float32Array;
  /** For each source pixel of a row: its first target column, and its share there. */
  readonly #columns: Uint32Array;
  readonly #shares: Float32Array;
  #from = 0;
  #row = 0;

  constructor(picture: Picture, source: RowSource) {
    this.#picture = picture;
    this.#source = source;
    this.#sums = new Float32Array((picture.width + 1) * 5);
    const parts = Array.from({ length: source.width }, (_, x) => shareOf(x, picture.width, source.width));
    this.#columns = Uint32Array.from(parts, ({ first }) => first);
    this.#shares = Float32Array.from(parts, ({ share }) => share);
  }

  add(row: Uint8Array): void {
    if (this.#from >= this.#source.height) return;
    const { first, share } = shareOf(this.#from, this.#picture.height, this.#source.height);
    this.#from += 1;
    if (first !== this.#row) this.finish();
    this.#row = first;
    this.#sum(row, share);
    if (share >= 1 || first + 1 >= this.#picture.height) return;
    this.finish();
    this.#row = first + 1;
    this.#sum(row, 1 - share);
  }

  #sum(row: Uint8Array, weight: number): void {
    const [sums, columns, shares] = [this.#sums, this.#columns, this.#shares];
    const { width } = this.#source;
    for (let x = 0; x < width; x += 1) {
      const share = shares[x] ?? 1;
      const at = (columns[x] ?? 0) * 5;
      const part = weight * share;
      const alpha = row[x * 4 + 3] ?? 255;
      addTo(sums, at, part * alpha, row, x * 4);
      sums[at + 3] = (sums[at + 3] ?? 0) + part * alpha;
      sums[at + 4] = (sums[at + 4] ?? 0) + part;
      if (share >= 1) continue;
      const rest = weight - part;
      addTo(sums, at + 5, rest * alpha, row, x * 4);
      sums[at + 8] = (sums[at + 8] ?? 0) + rest * alpha;
      sums[at + 9] = (sums[at + 9] ?? 0) + rest;
    }
  }

  /** Writes the averaged row. */
  finish(): void {
    const { width, pixels } = this.#picture;
    const start = this.#row * width * 4;
    const sums = this.#sums;
    for (let x = 0; x < width; x += 1) {
      const alpha = sums[x * 5 + 3] ?? 0;
      const weight = alpha === 0 ? 1 : alpha;
      const to = start + x * 4;
      for (let channel = 0; channel < 3; channel += 1)
        pixels[to + channel] = (sums[x * 5 + channel] ?? 0) / weight;
      pixels[to + 3] = alpha / Math.max(1e-6, sums[x * 5 + 4] ?? 0);
    }
    sums.fill(0);
  }
}

function addTo(sums: Float32Array, at: number, weight: number, row: Uint8Array, from: number): void {
  sums[at] = (sums[at] ?? 0) + (row[from] ?? 0) * weight;
  sums[at + 1] = (sums[at + 1] ?? 0) + (row[from + 1] ?? 0) * weight;
  sums[at + 2] = (sums[at + 2] ?? 0) + (row[from + 2] ?? 0) * weight;
}

/** The first of at most two target positions, and the share that falls there. */
function shareOf(
  index: number,
  places: number,
  count: number,
): { readonly first: number; readonly share: number } {
  const start = (index * places) / count;
  const end = ((index + 1) * places) / count;
  const first = Math.min(places - 1, Math.floor(start + 1e-9));
  const share = end <= first + 1 + 1e-9 ? 1 : (first + 1 - start) / (end - start);
  return { first, share };
}
