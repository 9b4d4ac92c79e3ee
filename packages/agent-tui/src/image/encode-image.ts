/** The protocol for images. */
export type ImageProtocol = 'kitty' | 'iterm2';

/** An image and the cells it fills; the terminal scales it. */
export interface PlacedImage {
  /** The bytes in Base64. */
  readonly data: string;
  readonly columns: number;
  readonly rows: number;
  /** The id by which a Kitty terminal can replace or delete it: 1 to 4294967295. */
  readonly id: number;
}

/** The most of a payload that the Kitty protocol takes in one sequence. */
const chunkSize = 4096;

/**
 * The sequence that shows an image on the rows above the cursor's, which is left where it was. It goes up to existing
 * rows, since an image that does not fit below the cursor is cut off or scrolls the screen.
 */
export function encodeImage(image: PlacedImage, protocol: ImageProtocol): string {
  const shown = protocol === 'kitty' ? encodeKitty(image) : encodeIterm(image);
  return `\x1b7\x1b[${image.rows}A${shown}\x1b8`;
}

/** True if a line of a component holds an image, and so must be written as it is: it takes no room itself. */
export function isImageLine(line: string): boolean {
  return line.startsWith('\x1b7\x1b[') && (line.includes('\x1b_G') || line.includes('\x1b]1337;File='));
}

/** The sequence that makes a Kitty terminal forget an image, wherever it is shown. */
export function deleteImage(id: number): string {
  return `\x1b_Ga=d,d=I,i=${id},q=2\x1b\\`;
}

/** The number of bytes in Base64 text. */
export function decodedLength(data: string): number {
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0;
  return Math.floor((data.length * 3) / 4) - padding;
}

/** Shows PNG data, which the terminal is asked to keep quiet about, in chunks. */
function encodeKitty({ data, columns, rows, id }: PlacedImage): string {
  const control = `a=T,f=100,q=2,C=1,i=${id},c=${columns},r=${rows}`;
  const chunks: string[] = [];
  for (let start = 0; start < data.length; start += chunkSize) {
    const hasMore = start + chunkSize < data.length ? 1 : 0;
    const keys = start === 0 ? `${control},m=${hasMore}` : `m=${hasMore}`;
    chunks.push(`\x1b_G${keys};${data.slice(start, start + chunkSize)}\x1b\\`);
  }
  return chunks.join('');
}

function encodeIterm({ data, columns, rows }: PlacedImage): string {
  const size = decodedLength(data);
  return `\x1b]1337;File=inline=1;size=${size};width=${columns};height=${rows};preserveAspectRatio=0:${data}\x07`;
}
