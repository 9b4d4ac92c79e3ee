import { TerminalText } from './terminal-text.ts';

/** Receives text; a returned promise asks to wait before more is sent. */
export type TextSink = (text: string) => Promise<void> | undefined;

/** Converts a command's output bytes to text, in chunks of any size; binary data is counted, not shown. */
export class CommandText {
  readonly #decoder = new TextDecoder();
  readonly #terminal = new TerminalText();
  #bytes = 0;
  #isBinary = false;

  get bytes(): number {
    return this.#bytes;
  }

  get isBinary(): boolean {
    return this.#isBinary;
  }

  /** The line that is not finished yet. */
  get pending(): string {
    return this.#isBinary ? '' : this.#terminal.pending;
  }

  /** Adds bytes and returns the completed lines. */
  write(chunk: Uint8Array): string {
    this.#bytes += chunk.length;
    if (this.#isBinary) return '';
    const text = this.#decoder.decode(chunk, { stream: true });
    if (!looksBinary(text)) return this.#terminal.write(text);
    this.#isBinary = true;
    return this.#terminal.flush();
  }

  /** Returns the rest of the last line. */
  flush(): string {
    return this.#isBinary ? '' : this.#terminal.flush();
  }
}

const sampleLength = 8192;
const oddShare = 0.1;

/**
 * Detects runs of NULs or many characters that do not occur in text. Single NULs may separate names, as in `find
 * -print0`.
 */
function looksBinary(text: string): boolean {
  if (!text.includes('\0') && !text.includes('\ufffd')) return false;
  const sample = text.slice(0, sampleLength);
  if (sample.includes('\0\0')) return true;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const odd = sample.match(/[\u0001-\u0007\u000e-\u001a\u001c-\u001f\ufffd]/g)?.length ?? 0;
  return odd > Math.max(4, sample.length * oddShare);
}
