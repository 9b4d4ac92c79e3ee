import { watch } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { AgentError } from '@robota-sdk/agent-core';
import { decodeLine } from '../entry/codec.ts';
import { LineMigrator } from '../entry/migrate.ts';
import { LineSplitter, textOfLine } from './line-splitter.ts';
import type { FollowedLine } from './session-store.ts';

const chunkBytes = 1024 * 1024;
/** Network file systems report no changes of other machines. */
const pollMs = 1000;

/**
 * Reads a session's file, then follows what others append, until the signal is aborted or the file is
 * deleted.
 */
export async function* followFile(
  file: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<FollowedLine> {
  const tail = new FileTail(file);
  const changes = new Changes(file, signal);
  const handle = await open(file, 'r');
  try {
    while (!signal?.aborted) {
      yield* tail.read(handle);
      if ((await handle.stat()).nlink === 0) return;
      await changes.next();
    }
  } finally {
    changes.close();
    await handle.close();
  }
}

/** How far a file was read, in whole lines. */
class FileTail {
  readonly #file: string;
  readonly #splitter = new LineSplitter();
  readonly #migrator = new LineMigrator();
  #position = 0;
  #isFirst = true;

  constructor(file: string) {
    this.#file = file;
  }

  /**
   * The lines since the last time. A line without its end is read again next time, because a torn one may be cut off
   * and others appended in its place before anybody looks.
   */
  async *read(handle: FileHandle): AsyncGenerator<FollowedLine> {
    await this.#assertNotShorter(handle);
    const buffer = Buffer.allocUnsafe(chunkBytes);
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, chunkBytes, this.#position);
      if (bytesRead === 0) break;
      this.#position += bytesRead;
      for (const bytes of this.#splitter.push(buffer.subarray(0, bytesRead))) {
        const line = this.#decode(bytes);
        if (line) yield line;
      }
    }
    this.#position -= this.#splitter.rest()?.length ?? 0;
    this.#splitter.reset();
  }

  async #assertNotShorter(handle: FileHandle): Promise<void> {
    const { size } = await handle.stat();
    if (size >= this.#position) return;
    throw new AgentError(
      'session',
      `${this.#file} became shorter while it was followed. Follow it again from its start.`,
    );
  }

  #decode(bytes: Buffer): FollowedLine | undefined {
    const text = textOfLine(bytes, { isFirst: this.#isFirst });
    this.#isFirst = false;
    if (text === undefined) return { kind: 'problem', reason: 'not-json' };
    return text.trim() === '' ? undefined : decodeLine(text, this.#migrator);
  }
}

/** Waits for changes of a file: told by the system, and looked for now and then where it tells nothing. */
class Changes {
  readonly #signal: AbortSignal | undefined;
  readonly #close: () => void;
  #changed = false;
  #wake: () => void = () => {};

  constructor(file: string, signal: AbortSignal | undefined) {
    this.#signal = signal;
    const notice = () => {
      this.#changed = true;
      this.#wake();
    };
    const watcher = watchOrNothing(file, notice);
    signal?.addEventListener('abort', notice, { once: true });
    this.#close = () => {
      watcher?.close();
      signal?.removeEventListener('abort', notice);
    };
  }

  /** Resolves after a change, at the latest when it is time to look. */
  async next(): Promise<void> {
    if (!this.#changed && !this.#signal?.aborted) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pollMs);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#changed = false;
    this.#wake = () => {};
  }

  close(): void {
    this.#close();
  }
}

/** The system may have no watches left, and some file systems have none at all. */
function watchOrNothing(file: string, onChange: () => void): { close(): void } | undefined {
  try {
    const watcher = watch(file, onChange);
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    return undefined;
  }
}
