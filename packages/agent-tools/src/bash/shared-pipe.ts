import { closeSync, constants, openSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram, helperEnvironment } from '@robota-sdk/agent-core';

/** Both ends of one pipe, as file descriptors of this process. */
export interface SharedPipe {
  readonly readEnd: number;
  readonly writeEnd: number;
}

/**
 * Opens a real pipe that a child can have as stdout and stderr at once, so that the order of both is kept.
 * Node's own stdio "pipes" are sockets: they can't be shared, and `echo x > /dev/stderr` fails on them.
 * Undefined where the system has no FIFOs.
 */
export async function openSharedPipe(): Promise<SharedPipe | undefined> {
  if (process.platform === 'win32') return undefined;
  const { randomUUID } = await import('node:crypto');
  const path = join(tmpdir(), `robota-${randomUUID()}`);
  if (!(await makeFifo(path))) return undefined;
  return openBothEnds(path);
}

let program: string | undefined;

async function makeFifo(path: string): Promise<boolean> {
  program ??= findProgram('mkfifo', { before: ['/usr/bin', '/bin'] });
  const file = program;
  if (file === undefined) return false;
  const { execFile } = await import('node:child_process');
  return new Promise((resolve) => {
    const options = { env: helperEnvironment() };
    execFile(file, ['-m', '600', path], options, (error) => resolve(error === null));
  });
}

function openBothEnds(path: string): SharedPipe | undefined {
  let readEnd: number | undefined;
  try {
    // Non-blocking, because opening a FIFO waits for the other side otherwise.
    readEnd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    return { readEnd, writeEnd: openSync(path, constants.O_WRONLY) };
  } catch {
    if (readEnd !== undefined) closeSync(readEnd);
    return undefined;
  } finally {
    unlinkSync(path);
  }
}
