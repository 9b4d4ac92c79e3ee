import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeDirectories } from '@robota-sdk/agent-core';

const unreadLimit = 28_000;
const fileLimit = 64 * 1024 * 1024;
/** Maximum size of the file, for the model. */
export const fileLimitText = '64 MB';

/** Text since the last read; only its end if it is too long. */
export interface UnreadText {
  readonly text: string;
  /** Number of characters omitted before `text`. */
  readonly dropped: number;
}

/** Stores the output of a background command: its beginning in a file, the unread end in memory. */
export class BackgroundOutput {
  readonly file: string;
  #unread = '';
  #dropped = 0;
  #written = 0;
  #handle: Promise<FileHandle | undefined> | undefined;
  #queue: Promise<void> = Promise.resolve();

  constructor(file: string) {
    this.file = file;
  }

  /** Writes earlier output at the start of the file; it counts as read. */
  startWith(earlier: Promise<string>): void {
    this.#queue = earlier.then((text) => this.#append(text));
  }

  /** Adds text; a returned promise asks the caller to wait, so that a fast command cannot outrun the disk. */
  write(text: string): Promise<void> | undefined {
    if (text === '') return undefined;
    this.#unread += text;
    if (this.#unread.length > 2 * unreadLimit) this.#shorten();
    if (this.isFull) return undefined;
    this.#written += text.length;
    const end = this.isFull ? `\n[The rest is not saved: this file holds at most ${fileLimitText}.]\n` : '';
    this.#queue = this.#queue.then(() => this.#append(text + end));
    return this.#queue;
  }

  /** True if the file takes no more. */
  get isFull(): boolean {
    return this.#written >= fileLimit;
  }

  /** Returns the unread text and marks it as read. */
  take(): UnreadText {
    if (this.#unread.length > unreadLimit) this.#shorten();
    const unread = { text: this.#unread, dropped: this.#dropped };
    this.#unread = '';
    this.#dropped = 0;
    return unread;
  }

  /** Closes the file after all writes. */
  async close(): Promise<void> {
    await this.#queue;
    await (await this.#handle)?.close().catch(() => {});
    this.#handle = undefined;
  }

  #shorten(): void {
    const start = this.#unread.length - unreadLimit;
    const lineStart = this.#unread.indexOf('\n', start) + 1 || start;
    this.#dropped += lineStart;
    // Copied, because a slice would keep the whole text in memory.
    this.#unread = Buffer.from(this.#unread.slice(lineStart), 'utf16le').toString('utf16le');
  }

  // Text that cannot be saved stays in memory for the next read: a full disk must not stop the command.
  async #append(text: string): Promise<void> {
    this.#handle ??= openFile(this.file);
    await (await this.#handle)?.appendFile(text).catch(() => {});
  }
}

async function openFile(path: string): Promise<FileHandle | undefined> {
  try {
    makeDirectories(dirname(path), 0o700);
    return await open(path, 'a', 0o600);
  } catch {
    return undefined;
  }
}
