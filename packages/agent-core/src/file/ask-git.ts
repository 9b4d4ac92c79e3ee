import { spawn } from 'node:child_process';
import { findProgram, helperEnvironment } from './host-programs.ts';

export interface GitCall {
  readonly cwd: string;
  readonly input?: string;
  readonly timeoutMs: number;
  /** More output than this ends the call. */
  readonly maximumBytes: number;
}

/** `failed`: git is missing or returned an error; `stopped`: it took too long or printed too much. */
export type GitFailure = 'failed' | 'stopped';

/**
 * Runs a read-only git command. Programs named in the repository's configuration are not run, no lock is taken and
 * nothing is fetched.
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
    // git may exit before it has read all input.
    child.stdin.on('error', () => {});
    child.stdin.end(call.input ?? '');
  });
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

/** Keeps the user's git settings and drops variables that redirect git. */
function environment(cwd: string): Record<string, string> {
  return {
    ...helperEnvironment({ cwd }),
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
  };
}
