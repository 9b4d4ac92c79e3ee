import { availableParallelism } from 'node:os';
import { AgentError, helperEnvironment } from '@robota-sdk/agent-core';
import { hasIrregularIgnoreFile, hasIrregularIgnoreFileAbove, isInRepository } from './ignore-scope.ts';

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
  call.signal.throwIfAborted();
  if (await hasIrregularIgnoreFileAbove(call.cwd)) return unusable;
  const { spawn } = await import('node:child_process');
  // A `.gitignore` applies even without a repository; within one, the search for more ends at its root.
  const scopeArgs = isInRepository(call.cwd) ? [] : ['--no-require-git'];
  const args = [...commonArgs, ...threadArgs(availableParallelism()), ...scopeArgs, ...call.args];
  const child = spawn(call.program, args, {
    cwd: call.cwd,
    env: helperEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let isTimedOut = false;
  const abort = () => child.kill('SIGKILL');
  const output = new HeldOutput(call);
  const cutShort = () => {
    isTimedOut = true;
    abort();
  };
  const doubt = doubtRipgrep(call, output, cutShort);
  const timer = setTimeout(cutShort, call.timeoutMs);
  call.signal.addEventListener('abort', abort);
  let errors = '';
  let errorLines = 0;
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errorLines += text.split('\n').length - 1;
    if (errors.length < errorsKept) errors += text;
  });
  child.stdout.on('data', (chunk: Buffer) => output.write(chunk));
  try {
    const code = await new Promise<number | null>((resolve) => {
      child.once('error', () => resolve(null));
      child.once('close', resolve);
    });
    if (call.signal.aborted) throw new AgentError('aborted', 'The search was interrupted.');
    if (output.state === 'discarded') return unusable;
    if (output.state === 'held') output.release();
    const isUsable = child.pid !== undefined && !(code === 2 && unknownFlag.test(errors));
    return { code, isUsable, isTimedOut, errors, errorLines };
  } finally {
    clearTimeout(timer);
    doubt.stop();
    call.signal.removeEventListener('abort', abort);
  }
}

const unusable: RipgrepEnd = { code: null, isUsable: false, isTimedOut: false, errors: '', errorLines: 0 };

/** Milliseconds after which ripgrep may be blocked. */
const patienceMs = 250;

/**
 * If ripgrep takes longer than usual, searches for ignore files that would block it, and ends it if there are any.
 * Ripgrep is faster than this search, so ordinary runs end first.
 */
function doubtRipgrep(call: RipgrepCall, output: HeldOutput, end: () => void): { stop(): void } {
  const stopped = new AbortController();
  const look = async () => {
    const { walkFiles } = await import('./walk-files.ts');
    await walkFiles({
      root: call.cwd,
      signal: stopped.signal,
      deadline: Date.now() + call.timeoutMs,
      onFile: () => undefined,
      onIgnoreFiles: async (directory, names) => {
        if (!(await hasIrregularIgnoreFile(directory, names)) || stopped.signal.aborted) return;
        stopped.abort();
        end();
        if (output.state === 'held') output.discard();
      },
    });
    if (output.state === 'held') output.release();
  };
  const timer = setTimeout(() => void look().catch(() => {}), patienceMs);
  return {
    stop: () => {
      clearTimeout(timer);
      stopped.abort();
    },
  };
}

/** Maximum bytes to hold back. */
const mostHeldBytes = 32 * 1024 * 1024;

/** Output that is passed on once the run is known to be valid. */
class HeldOutput {
  readonly #call: RipgrepCall;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  state: 'held' | 'released' | 'discarded' = 'held';

  constructor(call: RipgrepCall) {
    this.#call = call;
  }

  write(chunk: Buffer): void {
    if (this.state === 'released') this.#call.onOutput(chunk);
    if (this.state !== 'held') return;
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes > mostHeldBytes) this.release();
  }

  release(): void {
    this.state = 'released';
    for (const chunk of this.#chunks.splice(0)) this.#call.onOutput(chunk);
  }

  discard(): void {
    this.state = 'discarded';
    this.#chunks.length = 0;
  }
}

/** Walking waits for the disk more than it computes: on small machines, more threads than cores are faster. */
function threadArgs(cores: number): string[] {
  return cores > 6 ? [] : [`--threads=${cores * 2}`];
}
