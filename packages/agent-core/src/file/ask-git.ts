import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findProgram, helperEnvironment } from './host-programs.ts';

export interface GitCall {
  readonly cwd: string;
  readonly input?: string;
  readonly timeoutMs: number;
  /** More output than this ends the call. */
  readonly maximumBytes: number;
}

/** `failed`: git is not there or refuses; `stopped`: it took too long or said too much. */
export type GitFailure = 'failed' | 'stopped';

/**
 * Asks git for something that only reads. Whatever a repository's configuration may name as a program stays unused, no
 * lock is taken and nothing is fetched.
 */
export function askGit(args: readonly string[], call: GitCall): Promise<Buffer | GitFailure> {
  return new Promise((resolve) => {
    const program = findProgram('git', { cwd: call.cwd });
    if (program === undefined) return resolve('failed');
    const child = spawn(program, [...harmless, ...args], {
      cwd: call.cwd,
      env: environment(call.cwd),
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout: call.timeoutMs,
      killSignal: 'SIGKILL',
    });
    const chunks: Buffer[] = [];
    let size = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > call.maximumBytes) child.kill('SIGKILL');
    });
    child.on('error', () => resolve('failed'));
    child.on('close', (code) => {
      if (code === 0) resolve(Buffer.concat(chunks));
      else resolve(child.killed ? 'stopped' : 'failed');
    });
    // It may end before it has read everything.
    child.stdin.on('error', () => {});
    child.stdin.end(call.input ?? '');
  });
}

/** True if a directory or one above it looks like the root of a repository. */
export function isInRepository(directory: string): boolean {
  for (let current = directory; ; current = dirname(current)) {
    if (existsSync(join(current, '.git'))) return true;
    if (dirname(current) === current) return false;
  }
}

const harmless = [
  '--no-pager',
  '--no-optional-locks',
  '--literal-pathspecs',
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.hooksPath=/dev/null',
];

/** The user's own settings of git count, those that redirect it do not. */
function environment(cwd: string): Record<string, string> {
  return {
    ...helperEnvironment({ cwd }),
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
  };
}
