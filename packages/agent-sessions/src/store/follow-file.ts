import { type FileHandle, open } from 'node:fs/promises';
import { AgentError } from '@robota-sdk/agent-core';
import { decodeLine } from '../entry/codec.ts';
import { formatVersion } from '../entry/entry.ts';
import { LineMigrator } from '../entry/migrate.ts';
import type { LinePosition } from '../entry/tree.ts';
import { watchPath } from '../watch/watch-path.ts';
import { LineSplitter, textOfLine } from './line-splitter.ts';
import type { FollowedLine } from './session-store.ts';

/** Small, so that other work can run between chunks: decoding one takes a few milliseconds. */
const chunkBytes = 64 * 1024;

/** Reads a session's file, then follows appended lines, until the signal is aborted or the file is deleted. */
export async function* followFile(
  file: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<FollowedLine> {
  const tail = new FileTail(file);
  let isChanged = false;
  let wake = () => {};
  const notice = () => {
    isChanged = true;
    wake();
  };
  signal?.addEventListener('abort', notice, { once: true });
  const handle = await open(file, 'r');
  const stop = watchPath(file, notice, { persistent: true });
  try {
    while (!signal?.aborted) {
      isChanged = false;
      for await (const { line } of tail.read(handle)) yield line;
      if ((await handle.stat()).nlink === 0) return;
      if (isChanged) continue;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  } finally {
    stop();
    signal?.removeEventListener('abort', notice);
    await handle.close();
  }
}

/** How far a file was read, in whole lines. */
export class FileTail {
  readonly #file: string;
  readonly #migrator = new LineMigrator();
  #end = 0;
  #inode: number | undefined;
  #isFirst = true;

  constructor(file: string) {
    this.#file = file;
  }

  /** True if the file is as it was read, by its facts now. */
  isAtEnd(now: { readonly size: number; readonly ino: number } | undefined): boolean {
    return now?.size === this.#end && now.ino === this.#inode;
  }

  /** False for lines of an older format, which cannot be read alone. */
  get isPresentFormat(): boolean {
    return this.#migrator.version >= formatVersion;
  }

  /**
   * New lines and their positions. An incomplete line is read again next time, because it may be cut off and replaced
   * before.
   */
  async *read(handle: FileHandle): AsyncGenerator<LinePosition & { readonly line: FollowedLine }> {
    const { size, ino } = await handle.stat();
    this.#inode ??= ino;
    if (size < this.#end || ino !== this.#inode) throw this.#replaced();
    const splitter = new LineSplitter();
    for (let position = this.#end; position < size; ) {
      // A separate buffer, because lines share its memory until they are read.
      const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, size - position));
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, position);
      if (bytesRead === 0) break;
      position += bytesRead;
      for (const bytes of splitter.push(buffer.subarray(0, bytesRead))) {
        const offset = this.#end;
        this.#end += bytes.length + 1;
        const line = this.#decode(bytes);
        if (line) yield { line, offset, bytes: bytes.length };
      }
    }
  }

  #replaced(): AgentError {
    return new AgentError(
      'session',
      `${this.#file} became shorter or was replaced while it was followed. Follow it again from its start.`,
    );
  }

  #decode(bytes: Buffer): FollowedLine | undefined {
    const text = textOfLine(bytes, { isFirst: this.#isFirst });
    this.#isFirst = false;
    if (text === undefined) return { kind: 'problem', reason: 'not-json' };
    return text.trim() === '' ? undefined : decodeLine(text, this.#migrator);
  }
}
