import { closeSync, openSync, readSync, truncateSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { errorMessage } from '@robota-sdk/agent-core';
import type { SessionContent } from './read-session-file.ts';
import type { SessionProblem } from './session-problem.ts';

/** The end of a file that is ready for the next line. */
export interface RepairedTail {
  readonly size: number;
  /** The file still ends without a line feed. */
  readonly unterminated: boolean;
  readonly problems: readonly SessionProblem[];
}

/** Cuts off an incomplete last line after copying its bytes. If they cannot be copied, it stays. */
export function repairTail(file: string, { size, tail }: SessionContent): RepairedTail {
  if (!tail) return { size, unterminated: false, problems: [] };
  if (!tail.torn) return { size, unterminated: true, problems: [] };
  const aside = `${file}.torn-${new Date().toISOString().replace(/[:.]/g, '-')}`;
  try {
    writeFileSync(aside, bytesAt(file, tail.offset, size - tail.offset), {
      mode: 0o600,
      flag: 'wx',
      flush: true,
    });
    truncateSync(file, tail.offset);
  } catch (error) {
    const message = `The last line was only partly written. It stays in the file: ${errorMessage(error)}.`;
    return { size, unterminated: true, problems: [{ code: 'torn-tail', count: 1, message }] };
  }
  const message = `The last line was only partly written; it was moved to ${basename(aside)}.`;
  return { size: tail.offset, unterminated: false, problems: [{ code: 'torn-tail', count: 1, message }] };
}

function bytesAt(file: string, offset: number, length: number): Buffer {
  const fd = openSync(file, 'r');
  try {
    const buffer = Buffer.alloc(length);
    let read = 0;
    for (let count = -1; count !== 0 && read < length; read += count) {
      count = readSync(fd, buffer, read, length - read, offset + read);
    }
    return buffer.subarray(0, read);
  } finally {
    closeSync(fd);
  }
}
