/** A binary file type, detected by the first bytes. */
export interface FileType {
  readonly name: string;
  /** Set for images that models accept. */
  readonly imageType?: string;
}

const signatures: readonly (readonly [start: string, type: FileType])[] = [
  ['\x89PNG\r\n\x1a\n', { name: 'PNG image', imageType: 'image/png' }],
  ['\xff\xd8\xff', { name: 'JPEG image', imageType: 'image/jpeg' }],
  ['GIF87a', { name: 'GIF image', imageType: 'image/gif' }],
  ['GIF89a', { name: 'GIF image', imageType: 'image/gif' }],
  ['%PDF-', { name: 'PDF document' }],
  ['PK\x03\x04', { name: 'ZIP archive (or an office document, or a jar)' }],
  ['\x1f\x8b', { name: 'gzip archive' }],
  ['BZh', { name: 'bzip2 archive' }],
  ['\xfd7zXZ\0', { name: 'xz archive' }],
  ['\x28\xb5\x2f\xfd', { name: 'zstd archive' }],
  ['7z\xbc\xaf\x27\x1c', { name: '7-Zip archive' }],
  ['\x7fELF', { name: 'ELF program or library' }],
  ['MZ\x90\0', { name: 'Windows program or library' }],
  ['\xcf\xfa\xed\xfe', { name: 'macOS program or library' }],
  ['\xca\xfe\xba\xbe', { name: 'Java class or macOS program' }],
  ['\0asm', { name: 'WebAssembly module' }],
  ['SQLite format 3\0', { name: 'SQLite database' }],
  ['OggS', { name: 'Ogg audio or video' }],
  ['ID3', { name: 'MP3 audio' }],
  ['wOF2', { name: 'WOFF2 font' }],
];

/** Detects common binary files; undefined if unknown. */
export function fileTypeOf(start: Buffer): FileType | undefined {
  const text = start.subarray(0, 16).toString('latin1');
  if (text.startsWith('RIFF') && text.startsWith('WEBP', 8))
    return { name: 'WebP image', imageType: 'image/webp' };
  return signatures.find(([signature]) => text.startsWith(signature))?.[1];
}
