import { closeSync, constants, existsSync, mkdtempSync, openSync, rmSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atExit, findProgram, helperEnvironment, startGroupWatchdog } from '@robota-sdk/agent-core';

/** Both ends of one pipe, as file descriptors of this process. */
export interface SharedPipe {
  readonly readEnd: number;
  readonly writeEnd: number;
}

/**
 * Number of FIFOs made by the first `mkfifo`. Starting it costs as much as a small command, so later ones make many.
 */
const firstBatch = 4;
const laterBatch = 64;
/** With fewer left, more are made while a command runs. */
const fewLeft = 2;

let program: string | undefined;
let directory: string | undefined;
let made: string[] = [];
let making: Promise<boolean> | undefined;
let batchSize = firstBatch;
let count = 0;

/**
 * Opens a real pipe that a child can use as stdout and stderr at once, which keeps their order. Node's stdio "pipes"
 * are sockets: they cannot be shared, and `echo x > /dev/stderr` fails on them. Undefined if the system has no FIFOs.
 */
export async function openSharedPipe(): Promise<SharedPipe | undefined> {
  if (process.platform === 'win32') return undefined;
  // The first one may have been deleted by a cleaner of the temporary directory.
  const pipe = (await openNext()) ?? (await openNext());
  if (made.length < fewLeft) void makeMore();
  return pipe;
}

async function openNext(): Promise<SharedPipe | undefined> {
  if (directory !== undefined && !existsSync(directory)) made = [];
  // Many commands started together need more than one batch.
  while (made.length === 0) if (!(await makeMore())) return undefined;
  const path = made.pop();
  return path === undefined ? undefined : openBothEnds(path);
}

/** Returns whether there are more now. */
function makeMore(): Promise<boolean> {
  making ??= makeFifos().finally(() => {
    making = undefined;
  });
  return making;
}

async function makeFifos(): Promise<boolean> {
  program ??= findProgram('mkfifo', { before: ['/usr/bin', '/bin'] });
  const file = program;
  if (file === undefined) return false;
  try {
    const folder = await ownDirectory();
    const paths = Array.from({ length: batchSize }, () => join(folder, String(count++)));
    const { execFile } = await import('node:child_process');
    const error = await new Promise((resolve) => {
      execFile(file, ['-m', '600', ...paths], { env: helperEnvironment() }, resolve);
    });
    if (error === null) made = [...made, ...paths];
    batchSize = laterBatch;
    return error === null;
  } catch {
    // Without a temporary directory, commands get two pipes of Node.
    return false;
  }
}

/** A directory for unused FIFOs; removed with this process, even after `kill -9`. */
async function ownDirectory(): Promise<string> {
  if (directory !== undefined && existsSync(directory)) return directory;
  made = [];
  const fresh = makeDirectory();
  directory = fresh;
  const watchdog = await startGroupWatchdog();
  if (watchdog) watchdog.removeAtEnd(fresh);
  else atExit(() => rmSync(fresh, { recursive: true, force: true }));
  return fresh;
}

/** Files in memory are several times faster to create and remove. */
function makeDirectory(): string {
  const name = `robota-pipes-${process.pid}-`;
  try {
    return mkdtempSync(join('/dev/shm', name));
  } catch {
    return mkdtempSync(join(tmpdir(), name));
  }
}

function openBothEnds(path: string): SharedPipe | undefined {
  let readEnd: number | undefined;
  try {
    // Non-blocking, because opening a FIFO otherwise waits for the other side.
    readEnd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    return { readEnd, writeEnd: openSync(path, constants.O_WRONLY) };
  } catch {
    if (readEnd !== undefined) closeSync(readEnd);
    return undefined;
  } finally {
    remove(path);
  }
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Deleted by a cleaner of the temporary directory.
  }
}
