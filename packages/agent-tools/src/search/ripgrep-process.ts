import { availableParallelism } from 'node:os';
import { AgentError, helperEnvironment } from '@robota-sdk/agent-core';
import { hasIrregularIgnoreFile, hasIrregularIgnoreFileAbove, isInRepository } from './ignore-scope.ts';

export interface RipgrepCall {
  readonly program: string;
  readonly args: readonly string[];
  /** The directory it runs in. */
  readonly root: string;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Receives the output piece by piece; must be forgotten if ripgrep proves unusable. */
  onOutput(chunk: Buffer): Promise<void>;
}

/** How a run of ripgrep ended. */
export interface RipgrepEnd {
  readonly code: number | null;
  /** False if it cannot be started, or is too old for these arguments. */
  readonly isUsable: boolean;
  readonly isTimedOut: boolean;
  /** The beginning of its error output. */
  readonly errors: string;
  readonly errorLines: number;
}

const errorsKept = 16 * 1024;
const unknownFlag = /unrecognized flag|wasn't expected|isn't a valid value/i;

// Results depend only on the project, not on the user's configuration or global ignore list.
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

/** Runs ripgrep and streams its output; it is killed on timeout or interrupt. */
export async function runRipgrep(call: RipgrepCall): Promise<RipgrepEnd> {
  const { root, signal } = call;
  signal.throwIfAborted();
  if (await hasIrregularIgnoreFileAbove(root)) return unusable;
  const { spawn } = await import('node:child_process');
  // A `.gitignore` applies even without a repository; within one, the search for more ends at its root.
  const scopeArgs = isInRepository(root) ? [] : ['--no-require-git'];
  const args = [...commonArgs, ...threadArgs(availableParallelism()), ...scopeArgs, ...call.args];
  const child = spawn(call.program, args, {
    cwd: root,
    env: helperEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const kill = () => child.kill('SIGKILL');
  const exited = new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null));
    child.once('close', resolve);
  });
  let isTimedOut = false;
  const timer = setTimeout(() => {
    isTimedOut = true;
    kill();
  }, call.timeoutMs);
  const doubt = doubtRipgrep(call, kill);
  signal.addEventListener('abort', kill);
  let errors = '';
  let errorLines = 0;
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errorLines += text.split('\n').length - 1;
    if (errors.length < errorsKept) errors += text;
  });
  try {
    for await (const chunk of child.stdout) {
      await call.onOutput(chunk as Buffer);
      // Data that is already there would otherwise be handled in one turn of the event loop.
      await new Promise((resolve) => setImmediate(resolve));
      if (isTimedOut) break;
    }
    const code = await exited;
    if (signal.aborted) throw new AgentError('aborted', 'The search was interrupted.');
    if (doubt.found !== undefined) throw doubt.found;
    if (doubt.isConfirmed) return unusable;
    const isUsable = child.pid !== undefined && !(code === 2 && unknownFlag.test(errors));
    return { code, isUsable, isTimedOut, errors, errorLines };
  } finally {
    kill();
    clearTimeout(timer);
    doubt.stop();
    signal.removeEventListener('abort', kill);
  }
}

const unusable: RipgrepEnd = { code: null, isUsable: false, isTimedOut: false, errors: '', errorLines: 0 };

/** Milliseconds after which ripgrep may be blocked. */
const patienceMs = 250;

interface Doubt {
  /** True if an ignore file would block ripgrep. */
  isConfirmed: boolean;
  /** An ignore file that cannot be used. */
  found: AgentError | undefined;
  stop(): void;
}

/**
 * If ripgrep takes longer than usual, looks for ignore files that would block it, and ends it if there are any. Ripgrep
 * is faster than this walk, so ordinary runs end first.
 */
function doubtRipgrep(call: RipgrepCall, end: () => void): Doubt {
  const stopped = new AbortController();
  const look = async () => {
    const { walkFiles } = await import('./walk-files.ts');
    await walkFiles({
      ...call,
      signal: stopped.signal,
      onFile: () => undefined,
      onIgnoreFiles: async (directory, names) => {
        if (!(await hasIrregularIgnoreFile(directory, names)) || stopped.signal.aborted) return;
        doubt.isConfirmed = true;
        stopped.abort();
        end();
      },
    });
  };
  const timer = setTimeout(() => {
    look().catch((thrown: unknown) => {
      if (stopped.signal.aborted || !(thrown instanceof AgentError)) return;
      doubt.found = thrown;
      end();
    });
  }, patienceMs);
  const doubt: Doubt = {
    isConfirmed: false,
    found: undefined,
    stop: () => {
      clearTimeout(timer);
      stopped.abort();
    },
  };
  return doubt;
}

/** Walking waits for the disk more than it computes: on small machines, more threads than cores are faster. */
function threadArgs(cores: number): string[] {
  return cores > 6 ? [] : [`--threads=${cores * 2}`];
}
