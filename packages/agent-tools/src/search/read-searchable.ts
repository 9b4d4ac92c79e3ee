import { openRegularFile, readRegularFileSync } from '@robota-sdk/agent-core';

/** The text of a file, or why it cannot be searched. */
export type Searchable =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'binary' }
  | { readonly kind: 'unreadable' };

// Larger files do not fit into one string.
const largestFile = 256 * 1024 * 1024;

/**
 * Reads a file for searching. A NUL makes it binary, unless it starts as UTF-16. Synchronous, because that is several
 * times faster for thousands of small files; callers that read many must yield.
 */
export function readSearchable(path: string): Searchable {
  try {
    return decode(readRegularFileSync(path, { noFollow: true, largest: largestFile }));
  } catch {
    return { kind: 'unreadable' };
  }
}

const sampleSize = 64 * 1024;

/** True if a file starts like a binary one. */
export async function isBinaryFile(path: string): Promise<boolean> {
  const file = await openRegularFile(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(sampleSize), 0, sampleSize, 0);
    return decode(buffer.subarray(0, bytesRead)).kind === 'binary';
  } finally {
    await file.close();
  }
}

function decode(bytes: Buffer): Searchable {
  const encoding = byteOrderMark(bytes);
  if (encoding !== undefined) return { kind: 'text', text: new TextDecoder(encoding).decode(bytes) };
  if (bytes.includes(0)) return { kind: 'binary' };
  return { kind: 'text', text: bytes.toString().replace(/^\ufeff/, '') };
}

function byteOrderMark(bytes: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}
