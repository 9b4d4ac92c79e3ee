import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findProgram, helperEnvironment, orElse } from '@robota-sdk/agent-core';

/** A process whose working directory, program or open file lies below a directory. */
export interface ProcessBelow {
  readonly pid: number;
  readonly name: string;
}

/** The first process that uses files below a directory; `unknown` where the system does not tell. */
export async function processBelow(directory: string): Promise<ProcessBelow | 'unknown' | undefined> {
  if (process.platform === 'linux') return fromProc(directory);
  const lsof = findProgram('lsof', { before: ['/usr/sbin', '/usr/bin'] });
  if (lsof === undefined) return 'unknown';
  return fromLsof(lsof, directory).catch(() => 'unknown' as const);
}

function fromProc(directory: string): ProcessBelow | 'unknown' | undefined {
  const pids = namesIn('/proc').filter((name) => /^\d+$/.test(name));
  if (pids.length === 0) return 'unknown';
  const found = pids.find((pid) => isUsing(join('/proc', pid), directory));
  return found === undefined ? undefined : { pid: Number(found), name: nameOf(found) };
}

function isUsing(proc: string, directory: string): boolean {
  for (const link of linksOf(proc)) if (isBelow(link, directory)) return true;
  return false;
}

/** Also files that are mapped, such as a running program's libraries. */
function* linksOf(proc: string): Generator<string> {
  for (const name of ['cwd', 'root', 'exe']) yield targetOf(join(proc, name));
  for (const folder of ['fd', 'map_files'])
    for (const name of namesIn(join(proc, folder))) yield targetOf(join(proc, folder, name));
}

function isBelow(link: string, directory: string): boolean {
  const path = link.replace(/ \(deleted\)$/, '');
  return path === directory || path.startsWith(`${directory}/`);
}

/** Empty for a process that is gone, or another user's: that one cannot reach a private directory. */
function targetOf(path: string): string {
  return orElse(() => readlinkSync(path), '');
}

function namesIn(directory: string): string[] {
  return orElse(() => readdirSync(directory), []);
}

function nameOf(pid: string): string {
  return orElse(() => readFileSync(`/proc/${pid}/comm`, 'utf8').trim(), 'unknown');
}

const run = promisify(execFile);

/** Reads lines of `p` with a process, `c` with its name and `n` with a file. */
async function fromLsof(program: string, directory: string): Promise<ProcessBelow | undefined> {
  const options = { env: helperEnvironment(), maxBuffer: 256 * 1024 * 1024, timeout: 60_000 };
  // It ends with 1 where it could not see everything.
  const { stdout } = await run(program, ['-n', '-P', '-w', '-F', 'pcn'], options).catch(
    (thrown: { stdout?: string; code?: unknown }) => {
      if (thrown.code === 1 && thrown.stdout) return { stdout: thrown.stdout };
      throw thrown;
    },
  );
  let current = { pid: 0, name: '' };
  for (const line of stdout.split('\n')) {
    const text = line.slice(1);
    if (line.startsWith('p')) current = { pid: Number(text), name: '' };
    else if (line.startsWith('c')) current = { ...current, name: text };
    else if (line.startsWith('n') && isBelow(text, directory)) return current;
  }
  return undefined;
}
