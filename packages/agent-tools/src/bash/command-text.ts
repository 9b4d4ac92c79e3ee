import { TerminalText } from './terminal-text.ts';

/** Receives text; a returned promise asks to wait before more is sent. */
export type TextSink = (text: string) => Promise<void> | undefined;

/** Makes text of the bytes a command prints, whatever the pieces they come in; binary data is counted, not shown. */
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

  /** Takes bytes and returns the lines they completed. */
  write(chunk: Uint8Array): string {
    this.#bytes += chunk.length;
    if (this.#isBinary) return '';
    const text = this.#decoder.decode(chunk, { stream: true });
    if (!looksBinary(text)) return this.#terminal.write(text);
    this.#isBinary = true;
    return this.#terminal.flush();
  }

  /** Gives what is left of the last line. */
  flush(): string {
    return this.#isBinary ? '' : this.#terminal.flush();
  }
}

const sampleLength = 8192;
const oddShare = 0.1;

/** Runs of NULs, or many characters that no text has. Single NULs may separate names, as `find -print0` does. */
function looksBinary(text: string): boolean {
  if (!text.includes('\0') && !text.includes('\ufffd')) return false;
  const sample = text.slice(0, sampleLength);
  if (sample.includes('\0\0')) return true;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const odd = sample.match(/[\u0001-\u0007\u000e-\u001a\u001c-\u001f\ufffd]/g)?.length ?? 0;
  return odd > Math.max(4, sample.length * oddShare);
}
