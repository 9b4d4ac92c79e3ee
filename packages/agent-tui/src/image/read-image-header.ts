/** Kinds of images whose headers can be read. */
export type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

/** The content of an image header. */
export interface ImageHeader {
  readonly type: ImageType;
  readonly width: number;
  readonly height: number;
}

/** Reads the kind and the size in pixels from the first bytes of an image; nothing if it is none, or broken. */
export function readImageHeader(bytes: Uint8Array): ImageHeader | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const header = readPng(view) ?? readGif(view) ?? readWebp(view) ?? readJpeg(view);
    return header && header.width > 0 && header.height > 0 ? header : undefined;
  } catch (error) {
    // A view throws where the bytes end too early.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function readPng(view: DataView): ImageHeader | undefined {
  if (view.getUint32(0) !== 0x89504e47 || !hasText(view, 12, 'IHDR')) return undefined;
  return { type: 'image/png', width: view.getUint32(16), height: view.getUint32(20) };
}

function readGif(view: DataView): ImageHeader | undefined {
  if (!hasText(view, 0, 'GIF8')) return undefined;
  return { type: 'image/gif', width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

function readWebp(view: DataView): ImageHeader | undefined {
  if (!hasText(view, 0, 'RIFF') || !hasText(view, 8, 'WEBP')) return undefined;
  const type = 'image/webp';
  if (hasText(view, 12, 'VP8 '))
    return { type, width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  if (hasText(view, 12, 'VP8L')) {
    const bits = view.getUint32(21, true);
    return { type, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (!hasText(view, 12, 'VP8X')) return undefined;
  return {
    type,
    width: (view.getUint32(24, true) & 0xffffff) + 1,
    height: (view.getUint32(26, true) >>> 8) + 1,
  };
}

/** Goes from segment to segment up to the one that begins a frame. */
function readJpeg(view: DataView): ImageHeader | undefined {
  if (view.getUint16(0) !== 0xffd8) return undefined;
  let position = 2;
  for (;;) {
    if (view.getUint8(position) !== 0xff) return undefined;
    const marker = view.getUint8(position + 1);
    if (marker === 0xff) position += 1;
    else if (isFrame(marker))
      return {
        type: 'image/jpeg',
        width: view.getUint16(position + 7),
        height: view.getUint16(position + 5),
      };
    else position += 2 + Math.max(2, view.getUint16(position + 2));
  }
}

function isFrame(marker: number): boolean {
  const isTable = marker === 0xc4 || marker === 0xc8 || marker === 0xcc;
  return marker >= 0xc0 && marker <= 0xcf && !isTable;
}

function hasText(view: DataView, position: number, text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    if (view.getUint8(position + index) !== text.charCodeAt(index)) return false;
  }
  return true;
}

/** An image inside a text. */
export interface DataUrl {
  readonly mimeType: string;
  /** Its bytes in Base64. */
  readonly data: string;
}

const imageUrl = /^data:(image\/[\w.+-]{1,40})(?:;[\w-]{1,40}=[\w.+-]{1,80}){0,4};base64,/i;

/** Reads `data:image/…;base64,…`; nothing if the text is anything else. */
export function readDataUrl(text: string): DataUrl | undefined {
  const trimmed = text.trim();
  const found = imageUrl.exec(trimmed);
  if (!found) return undefined;
  const data = trimmed.slice(found[0].length).replace(/\s+/g, '');
  const isBase64 = data !== '' && /^[A-Za-z0-9+/]*={0,2}$/.test(data);
  return isBase64 ? { mimeType: (found[1] ?? '').toLowerCase(), data } : undefined;
}
