/** Width and height of an image in pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Base64 characters to read: JPEG may have large metadata before the size. */
const headCharacters = 512 * 1024;

/** Reads the size from the header of a PNG, JPEG, GIF or WebP; undefined for other data. */
export function imageSize(base64: string, mimeType: string): ImageSize | undefined {
  const bytes = Buffer.from(base64.slice(0, headCharacters), 'base64');
  try {
    const size = readers[mimeType]?.(bytes);
    return size && size.width > 0 && size.height > 0 ? size : undefined;
  } catch {
    // The data ends before the size.
    return undefined;
  }
}

const readers: Readonly<Record<string, (bytes: Buffer) => ImageSize | undefined>> = {
  'image/png': pngSize,
  'image/gif': gifSize,
  'image/webp': webpSize,
  'image/jpeg': jpegSize,
};

function pngSize(bytes: Buffer): ImageSize | undefined {
  const isPng = bytes.toString('latin1', 0, 8) === '\x89PNG\r\n\x1a\n' && textAt(bytes, 12) === 'IHDR';
  return isPng ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) } : undefined;
}

function gifSize(bytes: Buffer): ImageSize | undefined {
  const isGif = /^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6));
  return isGif ? { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) } : undefined;
}

function webpSize(bytes: Buffer): ImageSize | undefined {
  if (textAt(bytes, 0) !== 'RIFF' || textAt(bytes, 8) !== 'WEBP') return undefined;
  switch (textAt(bytes, 12)) {
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8 ':
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    default:
      return undefined;
  }
}

/** The size is in the frame header, after any number of segments with a length each. */
function jpegSize(bytes: Buffer): ImageSize | undefined {
  if (bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  for (let at = 2; ; ) {
    if (bytes.readUInt8(at) !== 0xff) return undefined;
    const marker = bytes.readUInt8(at + 1);
    if (marker === 0xff) at += 1;
    else if (isFrame(marker))
      return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    else at += 2 + bytes.readUInt16BE(at + 2);
  }
}

/** Sixteen frame markers; three numbers in that range have another meaning. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function textAt(bytes: Buffer, at: number): string {
  return bytes.toString('latin1', at, at + 4);
}
