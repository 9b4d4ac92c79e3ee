import { execFile } from 'node:child_process';
import { homeDirectory } from '@robota-sdk/agent-core';
import { objectIn } from './credentials.ts';

/** A program of the user that prints credentials. */
export interface CredentialProgram {
  /** The program and its arguments, as `programWords` and `userShellWords` give them. */
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

const maxBytes = 1024 * 1024;

/**
 * The JSON object that a program prints, or why there is none. It starts in the user's home, since a repository must not decide
 * what it reads. Its own words are never repeated: they may hold a secret.
 */
export function printedJson(
  call: CredentialProgram,
): Promise<{ readonly value: Readonly<Record<string, unknown>> } | { readonly why: string }> {
  const { words, env, signal, timeoutMs } = call;
  const [program = '', ...args] = words;
  const options = {
    cwd: homeDirectory(),
    env: { ...env },
    signal,
    timeout: timeoutMs,
    maxBuffer: maxBytes,
    // A program that ignores a polite signal must not hold up the run.
    killSignal: 'SIGKILL',
    windowsHide: true,
    windowsVerbatimArguments: true,
  } as const;
  return new Promise((resolve, reject) => {
    const child = execFile(program, args, options, (error, stdout) => {
      if (signal.aborted) {
        // Node sends the polite signal here, whatever `killSignal` says.
        child.kill('SIGKILL');
        return reject(signal.reason as Error);
      }
      if (error) return resolve({ why: reasonOf(error, timeoutMs) });
      resolve({ value: objectIn(stdout) });
    });
    child.stdin?.end();
  });
}

function reasonOf(error: { readonly code?: unknown; readonly killed?: boolean }, timeoutMs: number): string {
  if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return `printed more than ${maxBytes / 1024} KB`;
  if (error.killed) return `did not end within ${timeoutMs / 1000} s`;
  return typeof error.code === 'number' ? `failed with exit code ${error.code}` : 'could not be started';
}
