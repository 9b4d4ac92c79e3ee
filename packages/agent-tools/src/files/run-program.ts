import { spawn } from 'node:child_process';
import { descendantsOf, groupOptions, signalProcesses, signalTree } from '@robota-sdk/agent-core';
import { ProcessOutput } from '../process/process-output.ts';

interface ProgramOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Output limit; the program is ended and the beginning is kept. */
  readonly maximumBytes?: number;
  /** Ends the program; the call fails with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** How a program ended. */
export interface ProgramResult {
  readonly stdout: string;
  readonly stderr: string;
  /** Undefined if a signal ended it. */
  readonly exitCode: number | undefined;
  /** Set if a limit ended it. */
  readonly stopped?: 'timeout' | 'output' | undefined;
}

/**
 * Runs a program in a new process group, and kills the whole group if a limit is exceeded. It is over when the program
 * exits and its output is quiet: processes that it left behind may hold the output open for ever.
 */
export function runProgram(
  program: string,
  args: readonly string[],
  { timeoutMs, maximumBytes = Number.POSITIVE_INFINITY, signal, ...options }: ProgramOptions,
): Promise<ProgramResult> {
  signal?.throwIfAborted();
  return new Promise((done, failed) => {
    const child = spawn(program, args, { ...options, ...groupOptions(), stdio: ['ignore', 'pipe', 'pipe'] });
    const output = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
    let stopped: ProgramResult['stopped'];
    const end = () => {
      if (child.pid === undefined) return;
      const strays = descendantsOf(child.pid);
      signalTree(child.pid, 'SIGKILL');
      signalProcesses(strays, 'SIGKILL');
    };
    const stop = (why: ProgramResult['stopped']) => {
      stopped ??= why;
      end();
    };
    let size = 0;
    for (const name of ['stdout', 'stderr'] as const)
      child[name].on('data', (piece: Buffer) => {
        if (stopped === 'output') return;
        size += piece.length;
        output[name].push(piece);
        if (size > maximumBytes) stop('output');
      });
    const timer = setTimeout(() => stop('timeout'), timeoutMs);
    signal?.addEventListener('abort', end, { once: true });
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
    };
    child.once('error', (error) => {
      settle();
      failed(error);
    });
    const following = new ProcessOutput([child.stdout, child.stderr]);
    child.once('exit', async (code) => {
      await following.quiet();
      following.release();
      settle();
      if (signal?.aborted) return failed(signal.reason as Error);
      const text = (pieces: readonly Buffer[]) => Buffer.concat(pieces).toString('utf8');
      done({
        stdout: text(output.stdout),
        stderr: text(output.stderr),
        exitCode: code ?? undefined,
        stopped,
      });
    });
  });
}
