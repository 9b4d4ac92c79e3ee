import { type Picture, type RowSource, rowsOf, shrinkRows } from './picture.ts';

/** An image in the form in which it is sent. */
export interface SentImage {
  readonly mimeType: string;
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
}

/** The limits that an image must fit into. */
export interface ShrinkLimits {
  readonly mimeType: string;
  readonly bytes: number;
  /** Pixels of the longer edge. */
  readonly edge: number;
  readonly signal?: AbortSignal;
}

/** Shrinks an image until it fits; undefined if its type cannot be decoded. Throws if it is damaged. */
export async function shrinkImage(bytes: Buffer, limits: ShrinkLimits): Promise<SentImage | undefined> {
  const { mimeType, signal } = limits;
  const source = await decoded(bytes, mimeType);
  if (source === undefined) return undefined;
  const { encodeJpeg } = await import('./encode-jpeg.ts');
  const isPhoto = mimeType === 'image/jpeg';
  for (let { edge } = limits; ; edge = Math.floor(edge * 0.7)) {
    const small = await shrinkRows(source.rows(edge), edge, signal);
    const picture = upright(small, source.orientation);
    const { width, height } = picture;
    const png = isPhoto ? undefined : (await import('./encode-png.ts')).encodePng(picture);
    if (png !== undefined && png.length <= limits.bytes)
      return { mimeType: 'image/png', bytes: png, width, height };
    const jpeg = encodeJpeg(picture, 85);
    if (jpeg.length <= limits.bytes) return { mimeType: 'image/jpeg', bytes: jpeg, width, height };
  }
}

interface DecodedImage {
  readonly orientation: number;
  rows(longestEdge: number): RowSource;
}

async function decoded(bytes: Buffer, mimeType: string): Promise<DecodedImage | undefined> {
  if (mimeType === 'image/png') {
    const { decodePng } = await import('./decode-png.ts');
    return { orientation: 1, rows: () => decodePng(bytes) };
  }
  if (mimeType === 'image/jpeg') {
    const { decodeJpeg } = await import('./decode-jpeg.ts');
    const { orientation } = decodeJpeg(bytes, 1);
    return { orientation, rows: (edge) => decodeJpeg(bytes, edge) };
  }
  if (mimeType === 'image/webp') {
    const { decodeWebp } = await import('./decode-webp.ts');
    const source = await decodeWebp(bytes);
    return source && { orientation: 1, rows: () => source };
  }
  if (mimeType !== 'image/gif') return undefined;
  const { decodeGif } = await import('./decode-gif.ts');
  const picture = decodeGif(bytes);
  return { orientation: 1, rows: () => rowsOf(picture) };
}

/** Applies the EXIF orientation: 2 to 4 mirror or rotate by 180 degrees, 5 to 8 swap width and height. */
function upright(picture: Picture, orientation: number): Picture {
  if (orientation === 1) return picture;
  const { width: from, height: rows, pixels } = picture;
  const isOnSide = orientation > 4;
  const [width, height] = isOnSide ? [rows, from] : [from, rows];
  const turned = new Uint8ClampedArray(pixels.length);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [across, down] = isOnSide ? [y, x] : [x, y];
      const sourceX = [2, 3, 7, 8].includes(orientation) ? from - 1 - across : across;
      const sourceY = [3, 4, 6, 7].includes(orientation) ? rows - 1 - down : down;
      const at = (sourceY * from + sourceX) * 4;
      turned.set(pixels.subarray(at, at + 4), (y * width + x) * 4);
    }
  }
  return { width, height, pixels: turned };
}
