import { execFile } from 'node:child_process';
import { isKeyCommand, resolveHeader, secretForms } from '@robota-sdk/agent-config';
import { AgentError, hideFromNowOn, homeDirectory, orAborted, userShellWords } from '@robota-sdk/agent-core';

/** Time for a password manager to ask the user. */
const timeoutMs = 120_000;
const maxBytes = 64 * 1024;

type Environment = Readonly<Record<string, string | undefined>>;

/** A command that runs or has printed its key, and how many requests wait for it. */
interface Printed {
  readonly key: Promise<string>;
  readonly stop: AbortController;
  waiting: number;
  isDone: boolean;
}

/** Keys by command, so that a password manager asks once per process. */
const printed = new Map<string, Printed>();

/**
 * Runs a command that prints a key, written as `!command` in one of the user's own files. It starts in the user's home:
 * a repository must not decide what it reads. It ends when no caller waits for it any more. Throws an `AgentError` of the code `no-provider` if there is no key.
 */
export function runKeyCommand(written: string, env: Environment, signal?: AbortSignal): Promise<string> {
  const known = printed.get(written) ?? start(written, env);
  if (signal === undefined) {
    known.waiting += 1;
    return known.key;
  }
  return waitFor(known, written, signal);
}

function start(written: string, env: Environment): Printed {
  const stop = new AbortController();
  const key = print(written.slice(1).trim(), env, stop.signal);
  const started: Printed = { key, stop, waiting: 0, isDone: false };
  printed.set(written, started);
  key.then(
    () => {
      started.isDone = true;
    },
    () => forget(written, started),
  );
  return started;
}

/** One caller's wait: where it is interrupted, the command continues for the others. */
async function waitFor(running: Printed, written: string, signal: AbortSignal): Promise<string> {
  running.waiting += 1;
  try {
    return await orAborted(running.key, signal);
  } catch (thrown) {
    throw signal.aborted ? noKey(written.slice(1).trim(), 'was interrupted') : thrown;
  } finally {
    running.waiting -= 1;
    if (running.waiting === 0 && !running.isDone) {
      forget(written, running);
      running.stop.abort();
    }
  }
}

function forget(written: string, old: Printed): void {
  if (printed.get(written) === old) printed.delete(written);
}

/** Forgets what commands printed, since a vendor refused it: a token may have expired. */
export function forgetPrinted(commands: readonly string[]): void {
  for (const written of commands) printed.delete(written);
}

/** Headers as they are sent: of those that are written as commands, what the command prints; variables are filled in. */
export async function printHeaders(
  headers: Readonly<Record<string, string>>,
  env: Environment,
  signal?: AbortSignal,
): Promise<Record<string, string>> {
  const entries = Object.entries(headers).map(
    async ([name, text]) =>
      [
        name,
        isKeyCommand(text) ? await runKeyCommand(text, env, signal) : resolveHeader(name, text, env),
      ] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}

async function print(command: string, env: Environment, signal?: AbortSignal): Promise<string> {
  const [program = '', ...words] = userShellWords(command);
  const output = await new Promise<string>((resolve, reject) => {
    const options = {
      cwd: homeDirectory(),
      env: { ...env },
      timeout: timeoutMs,
      maxBuffer: maxBytes,
      // A command that ignores a polite signal must not hold up the run.
      killSignal: 'SIGKILL',
      windowsHide: true,
      windowsVerbatimArguments: true,
      ...(signal && { signal }),
    } as const;
    const child = execFile(program, words, options, (error, stdout) => {
      if (!error) return resolve(stdout);
      // Node sends only the polite signal where its `signal` aborts.
      if (signal?.aborted) child.kill('SIGKILL');
      reject(signal?.aborted ? noKey(command, 'was interrupted') : failed(command, error));
    });
    child.stdin?.end();
  });
  const key = output.trim();
  if (key === '') throw noKey(command, 'printed nothing');
  if (/[\r\n]/.test(key)) throw noKey(command, 'printed more than one line');
  for (const form of secretForms(key)) hideFromNowOn(form);
  return key;
}

function failed(command: string, error: { readonly killed?: boolean; readonly code?: unknown }): AgentError {
  if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return noKey(command, 'printed too much');
  if (error.killed) return noKey(command, `did not end within ${timeoutMs / 1000} seconds`);
  return noKey(command, `failed (exit code ${String(error.code)})`);
}

/** Names the program only: the rest of the command, and whatever it printed, may hold a secret. */
function noKey(command: string, why: string): AgentError {
  const [program = ''] = /^[\w./~-]+/.exec(command) ?? [];
  const name = program === '' ? '' : `, ${program},`;
  const hint = 'Run it in a terminal, then start again.';
  return new AgentError('no-provider', `The command for the key${name} ${why}.`, { hint });
}
