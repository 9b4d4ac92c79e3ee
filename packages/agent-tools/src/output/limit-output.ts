import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { errorMessage, makeDirectories, type OmittedOutput, type ToolOutput } from '@robota-sdk/agent-core';
import { fitImages } from '../image/fit-images.ts';

/** Maximum characters of a tool's output for the model. */
export const outputLimit = 30_000;

/** The file for the full text of a long output, and its limits. */
export interface LimitOptions {
  /** Created on first use. */
  readonly outputDir: string;
  /** The file's name without extension, usually the call's id. */
  readonly name: string;
  /** Maximum characters for the model. Default: `outputLimit`. */
  readonly limit?: number;
  /** Characters that a cut output leaves free below the limit, for remarks. */
  readonly reserve?: number;
  /** Maximum bytes in the file. Default: 64 MB. */
  readonly fileLimit?: number;
}

export interface LimitedOutput {
  /** At most `limit` characters, including the marker. */
  readonly text: string;
  /** The file with the full text, if something was omitted and it could be saved. */
  readonly file?: string;
  readonly omitted?: OmittedOutput;
}

/** Shortens a text for the model by removing its middle, and saves the whole in a file. */
export async function limitText(text: string, options: LimitOptions): Promise<LimitedOutput> {
  if (text.length <= (options.limit ?? outputLimit)) return { text };
  const buffer = new OutputBuffer(options);
  await buffer.write(text);
  return buffer.finish();
}

/**
 * Shortens a tool's whole output if it is too long: its text then becomes one block. Images are kept, and shrunk if a
 * vendor would refuse them.
 */
export async function limitToolOutput(given: ToolOutput, options: LimitOptions): Promise<ToolOutput> {
  const content = await fitImages(given.content);
  const output = content === given.content ? given : { ...given, content };
  const text = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  const limited = await limitText(text, options);
  if (limited.text === text) return output;
  return {
    ...output,
    content: [{ type: 'text', text: limited.text }, ...content.filter(({ type }) => type === 'image')],
  };
}

/** Collects output of any length in limited memory: its start and end stay in memory, the whole goes to a file. */
export class OutputBuffer {
  readonly #limit: number;
  readonly #reserve: number;
  readonly #file: FullTextFile;
  #head = '';
  #tail = '';
  #length = 0;
  #newlines = 0;

  constructor(options: LimitOptions) {
    this.#limit = options.limit ?? outputLimit;
    this.#reserve = options.reserve ?? 0;
    this.#file = new FullTextFile(options);
  }

  /** Characters received so far. */
  get length(): number {
    return this.#length;
  }

  /** Adds a chunk. A returned promise asks the caller to wait for the disk. */
  write(piece: string): Promise<void> | undefined {
    const before = this.#length;
    const room = this.#limit - this.#head.length;
    this.#length += piece.length;
    this.#newlines += countNewlines(piece);
    // Copied, because a slice would keep the whole chunk in memory.
    if (room > 0) this.#head += room < piece.length ? copyOf(piece.slice(0, room)) : piece;
    const isTailLong = this.#tail.length + piece.length > 4 * this.#limit;
    this.#tail = isTailLong ? copyOf((this.#tail + piece).slice(-this.#limit)) : this.#tail + piece;
    if (this.#length <= this.#limit) return undefined;
    return this.#file.write(before <= this.#limit ? this.#head.slice(0, before) + piece : piece);
  }

  /** Ends the collection: closes the file and returns the text for the model. */
  async finish(): Promise<LimitedOutput> {
    if (this.#length <= this.#limit) return { text: this.#head };
    const place = await this.#file.close();
    const longest = marker(this.#length, this.#newlines, place.note);
    const budget = Math.max(0, this.#limit - this.#reserve - longest.length);
    const head = cutEnd(this.#head, Math.ceil(budget / 2));
    const tail = cutStart(this.#tail, Math.floor(budget / 2));
    const lines = this.#newlines - countNewlines(head) - countNewlines(tail);
    const mark = marker(this.#length - head.length - tail.length, lines, place.note);
    const omitted = { lines: Math.max(0, lines - countNewlines(mark)), note: place.note };
    return { text: head + mark + tail, omitted, ...(place.path && { file: place.path }) };
  }
}

function marker(characters: number, lines: number, note: string): string {
  return `\n\n[... ${characters} characters (${lines} lines) left out; ${note} ...]\n\n`;
}

/** The first `length` characters, one less if that would split a surrogate pair. */
function cutEnd(text: string, length: number): string {
  const isSplit = length < text.length && isHighSurrogate(text.charCodeAt(length - 1));
  return text.slice(0, isSplit ? length - 1 : length);
}

function cutStart(text: string, length: number): string {
  const start = Math.max(0, text.length - length);
  const isSplit = start > 0 && isHighSurrogate(text.charCodeAt(start - 1));
  return text.slice(isSplit ? start + 1 : start);
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function countNewlines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

function copyOf(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}

const defaultFileLimit = 64 * 1024 * 1024;
const pendingLimit = 1024 * 1024;
const bufferSize = 64 * 1024;

/** Writes chunks in order, up to a limit; the first failure stops it and is reported in the note. */
class FullTextFile {
  readonly #options: LimitOptions;
  readonly #limit: number;
  #queue: Promise<void> = Promise.resolve();
  #buffer = '';
  #pending = 0;
  #accepted = 0;
  #isFull = false;
  #handle: FileHandle | undefined;
  #path: string | undefined;
  #failure: string | undefined;

  constructor(options: LimitOptions) {
    this.#options = options;
    this.#limit = options.fileLimit ?? defaultFileLimit;
  }

  write(piece: string): Promise<void> | undefined {
    if (this.#isFull || this.#failure !== undefined) return undefined;
    this.#buffer += piece;
    if (this.#buffer.length < bufferSize) return undefined;
    this.#flush();
    return this.#pending > pendingLimit ? this.#queue : undefined;
  }

  async close(): Promise<{ readonly path?: string; readonly note: string }> {
    this.#flush();
    await this.#queue;
    await this.#handle?.close().catch((thrown: unknown) => this.#fail(thrown));
    if (this.#failure !== undefined) return { note: `the full text could not be saved: ${this.#failure}` };
    const path = this.#path ?? '';
    const note = this.#isFull ? `the first ${this.#limit} bytes are in ${path}` : `full text in ${path}`;
    return { path, note };
  }

  #flush(): void {
    let bytes = Buffer.from(this.#buffer);
    this.#buffer = '';
    if (this.#accepted + bytes.length > this.#limit) {
      bytes = bytes.subarray(0, this.#limit - this.#accepted);
      this.#isFull = true;
    }
    this.#accepted += bytes.length;
    this.#pending += bytes.length;
    this.#queue = this.#queue.then(() => this.#append(bytes));
  }

  async #append(bytes: Buffer): Promise<void> {
    try {
      if (this.#failure !== undefined) return;
      this.#handle ??= await this.#create();
      await this.#handle.appendFile(bytes);
    } catch (thrown) {
      this.#fail(thrown);
    } finally {
      this.#pending -= bytes.length;
    }
  }

  async #create(): Promise<FileHandle> {
    const { outputDir, name } = this.#options;
    makeDirectories(outputDir, 0o700);
    const base = name.replace(/[^\w.-]/g, '_').slice(0, 100);
    for (let copy = 1; ; copy += 1) {
      const path = join(outputDir, copy === 1 ? `${base}.txt` : `${base}-${copy}.txt`);
      try {
        const handle = await open(path, 'wx', 0o600);
        this.#path = path;
        return handle;
      } catch (thrown) {
        if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST' || copy === 100) throw thrown;
      }
    }
  }

  #fail(thrown: unknown): void {
    this.#failure ??= errorMessage(thrown);
  }
}
