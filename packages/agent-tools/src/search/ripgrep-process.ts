import { availableParallelism } from 'node:os';
import { AgentError, helperEnvironment } from '@robota-sdk/agent-core';
import { isInRepository } from './ignore-scope.ts';

export interface RipgrepCall {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  onOutput(chunk: Buffer): void;
}

/** How a run of ripgrep ended. */
export interface RipgrepEnd {
  readonly code: number | null;
  /** False if it can't be started, or is too old to know what it was asked. */
  readonly isUsable: boolean;
  readonly isTimedOut: boolean;
  /** The beginning of what it complained about. */
  readonly errors: string;
  readonly errorLines: number;
}

const errorsKept = 16 * 1024;
const unknownFlag = /unrecognized flag|wasn't expected|isn't a valid value/i;

// Answers depend on the project alone: not on a configuration file or global ignore list of the user.
const commonArgs = [
  '--no-config',
  '--no-ignore-global',
  '--hidden',
  '--glob=!.git',
  '--glob=!.hg',
  '--glob=!.svn',
  '--glob=!.jj',
  '--color=never',
  '--null',
];

/** Runs ripgrep and streams what it prints; it is killed when the time is up or the call is interrupted. */
export async function runRipgrep(call: RipgrepCall): Promise<RipgrepEnd> {
  call.signal.throwIfAborted();
  const { spawn } = await import('node:child_process');
  // Also without a repository a `.gitignore` means something; within one its root ends the search for more of them.
  const scopeArgs = (await isInRepository(call.cwd)) ? [] : ['--no-require-git'];
  const args = [...commonArgs, ...threadArgs(availableParallelism()), ...scopeArgs, ...call.args];
  const child = spawn(call.program, args, {
    cwd: call.cwd,
    env: helperEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let isTimedOut = false;
  const abort = () => child.kill('SIGKILL');
  const timer = setTimeout(() => {
    isTimedOut = true;
    abort();
  }, call.timeoutMs);
  call.signal.addEventListener('abort', abort);
  let errors = '';
  let errorLines = 0;
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errorLines += text.split('\n').length - 1;
    if (errors.length < errorsKept) errors += text;
  });
  child.stdout.on('data', call.onOutput);
  try {
    const code = await new Promise<number | null>((resolve) => {
      child.once('error', () => resolve(null));
      child.once('close', resolve);
    });
    if (call.signal.aborted) throw new AgentError('aborted', 'The search was interrupted.');
    const isUsable = child.pid !== undefined && !(code === 2 && unknownFlag.test(errors));
    return { code, isUsable, isTimedOut, errors, errorLines };
  } finally {
    clearTimeout(timer);
    call.signal.removeEventListener('abort', abort);
  }
}

/** Walking waits for the disk more than it computes: on small machines more threads than cores are faster. */
function threadArgs(cores: number): string[] {
  return cores > 6 ? [] : [`--threads=${cores * 2}`];
}
