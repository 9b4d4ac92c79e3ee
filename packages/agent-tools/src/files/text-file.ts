import { isUtf8 } from 'node:buffer';
import { AgentError } from '@robota-sdk/agent-core';

type TextEncodingName = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** How a file's text is stored as bytes. */
export interface TextFormat {
  readonly encoding: TextEncodingName;
  readonly bom: boolean;
}

/** A file's text exactly as stored (line endings included, byte-order mark excluded) and how it was stored. */
export interface TextFile extends TextFormat {
  readonly text: string;
}

/** How new text files are stored. */
export const plainFormat: TextFormat = { encoding: 'utf-8', bom: false };

/** Decodes bytes so that `encodeText` returns the same bytes; undefined for binary data. */
export function decodeText(bytes: Uint8Array): TextFile | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const format = detectTextFormat(buffer);
  if (!format) return undefined;
  const body = buffer.subarray(format.bom ? byteOrderMarks[format.encoding].length : 0);
  const text = decoders[format.encoding](body);
  return text.includes('\0') ? undefined : { ...format, text };
}

/** Encodes text in a format; throws for characters the format cannot represent. */
export function encodeText(text: string, format: TextFormat): Buffer {
  const index = text.search(unencodable[format.encoding]);
  if (index !== -1) throw new AgentError('tool', explainUnencodable(text, index, format.encoding));
  const body = encoders[format.encoding](text);
  return format.bom ? Buffer.concat([Buffer.from(byteOrderMarks[format.encoding]), body]) : body;
}

/** The format of a text by its first bytes; `undefined` for binary data. */
export function detectTextFormat(buffer: Buffer): TextFormat | undefined {
  const marked = (['utf-8', 'utf-16le', 'utf-16be'] as const).find((encoding) => {
    const mark = Buffer.from(byteOrderMarks[encoding]);
    return buffer.subarray(0, mark.length).equals(mark);
  });
  if (marked === 'utf-8' && isUtf8(buffer)) return { encoding: marked, bom: true };
  if (marked && marked !== 'utf-8')
    return buffer.length % 2 === 0 ? { encoding: marked, bom: true } : undefined;
  if (buffer.includes(0)) return detectUtf16(buffer);
  if (isUtf8(buffer)) return plainFormat;
  return hasBinaryControls(buffer) ? undefined : { encoding: 'windows-1252', bom: false };
}

/** The line break of a text: a lone CR counts only if there is no LF. */
export function lineBreakOf(text: string): '\n' | '\r' {
  return !text.includes('\n') && text.includes('\r') ? '\r' : '\n';
}

/** The text with LF line breaks, as the model sees and matches it. */
export function withLineFeeds(text: string): string {
  if (!text.includes('\r')) return text;
  return lineBreakOf(text) === '\r' ? text.replaceAll('\r', '\n') : text.replaceAll('\r\n', '\n');
}

/** The only line ending of a text, `mixed`, or undefined if it has none. */
export function lineEndingOf(text: string): '\n' | '\r\n' | '\r' | 'mixed' | undefined {
  if (lineBreakOf(text) === '\r') return '\r';
  const all = text.split('\n').length - 1;
  if (all === 0) return undefined;
  const windows = text.split('\r\n').length - 1;
  if (windows === 0) return '\n';
  return windows === all ? '\r\n' : 'mixed';
}

const byteOrderMarks: Readonly<Record<TextEncodingName, readonly number[]>> = {
  'utf-8': [0xef, 0xbb, 0xbf],
  'utf-16le': [0xff, 0xfe],
  'utf-16be': [0xfe, 0xff],
  'windows-1252': [],
};

const decoders: Readonly<Record<TextEncodingName, (bytes: Buffer) => string>> = {
  'utf-8': (bytes) => bytes.toString('utf8'),
  'utf-16le': (bytes) => bytes.toString('utf16le'),
  'utf-16be': (bytes) => Buffer.from(bytes).swap16().toString('utf16le'),
  'windows-1252': decodeWindows1252,
};

const encoders: Readonly<Record<TextEncodingName, (text: string) => Buffer>> = {
  'utf-8': (text) => Buffer.from(text, 'utf8'),
  'utf-16le': (text) => Buffer.from(text, 'utf16le'),
  'utf-16be': (text) => Buffer.from(text, 'utf16le').swap16(),
  'windows-1252': encodeWindows1252,
};

// The characters of bytes 0x80 to 0x9f; the five unassigned bytes map to themselves, which preserves them.
const windows1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/** Decodes Windows-1252; every byte is a character, so chunks may be cut anywhere. */
export function decodeWindows1252(bytes: Buffer): string {
  const decode = (byte: string) => windows1252[byte.charCodeAt(0) - 0x80] ?? byte;
  return bytes.toString('latin1').replace(/[\x80-\x9f]/g, decode);
}

function encodeWindows1252(text: string): Buffer {
  const encode = (character: string) => {
    const index = windows1252.indexOf(character);
    return index === -1 ? character : String.fromCharCode(0x80 + index);
  };
  return Buffer.from(text.replace(/[\u0080-\u009f\u0100-\uffff]/g, encode), 'latin1');
}

const unstorable = /[\0\p{Surrogate}]/u;
const unencodable: Readonly<Record<TextEncodingName, RegExp>> = {
  'utf-8': unstorable,
  // Unpaired surrogates are preserved.
  'utf-16le': /\0/,
  'utf-16be': /\0/,
  'windows-1252': new RegExp(`[^\\x01-\\x7f\\xa0-\\xff${windows1252}]`, 'u'),
};

function explainUnencodable(text: string, index: number, encoding: TextEncodingName): string {
  const character = String.fromCodePoint(text.codePointAt(index) ?? 0);
  const code = (text.codePointAt(index) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  const line = text.slice(0, index).split('\n').length;
  if (code === '0000') return `Line ${line} of the text has a NUL character, which text files can't hold.`;
  if (unstorable.test(character))
    return `Line ${line} of the text has half a character (U+${code}), which can't be stored.`;
  return (
    `${character} (U+${code}, line ${line} of the text) can't be stored in ${encoding}, the file's encoding. ` +
    'Use other characters, or convert the file to UTF-8 first.'
  );
}

/**
 * Detects UTF-16 without a byte order mark if the text is mostly ASCII and has no characters that never occur in text.
 */
function detectUtf16(buffer: Buffer): TextFormat | undefined {
  if (buffer.length % 2 !== 0) return undefined;
  for (const encoding of ['utf-16le', 'utf-16be'] as const) {
    const text = decoders[encoding](buffer);
    const plain = text.match(/[\t\n\r\x20-\x7e]/g)?.length ?? 0;
    if (plain * 2 > text.length && !notText.test(text)) return { encoding, bom: false };
  }
  return undefined;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what tells binary data
const notText = /[\x00-\x07\x0b\x0e-\x1a\x1c-\x1f\x7f\ufffe\uffff]|\p{Surrogate}/u;

function hasBinaryControls(buffer: Buffer): boolean {
  return notText.test(buffer.toString('latin1'));
}
