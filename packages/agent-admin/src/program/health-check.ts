import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentError, helperEnvironment, shorten } from '@robota-sdk/agent-core';
import { createCheckHome } from './check-home.ts';
import type { InstalledVersion } from './installed-version.ts';

const patienceMs = 60_000;

/** The program that runs now, which knows how to write what the new one must read. */
export interface HealthCheckServices {
  readonly ownCommand: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/**
 * Starts a version three times in an empty home before anybody else does: it has to print its version, list a session
 * that the running version wrote, and continue it with the offline model.
 */
export async function checkHealth(
  { version, command }: InstalledVersion,
  { ownCommand, env, signal }: HealthCheckServices,
): Promise<void> {
  const { path: home, remove } = await createCheckHome();
  const start = (words: readonly string[]) => run(words, { home, env, signal });
  const fail = (step: string, ran: Ran) =>
    new AgentError('config', `Robota ${version} does not work: ${step} ${failureOf(ran)}.`, {
      details: ran.said === '' ? undefined : [firstLines(ran.said)],
      hint: 'The current version stays in use.',
    });
  try {
    await writeFile(join(home, 'note.txt'), 'health check\n');
    const printed = await start([...command, '--version']);
    if (printed.code !== 0 || printed.output.trim() !== version) throw fail('--version', printed);
    await start([...ownCommand, ...offline, 'read note.txt']);
    const listed = await start([...command, 'sessions', 'list', '--json']);
    if (listed.code !== 0 || !listed.output.includes('"id"')) throw fail('opening a stored session', listed);
    const turn = await start([...command, '--continue', ...offline, 'read note.txt']);
    if (turn.code !== 0 || !turn.output.includes('health check'))
      throw fail('a turn with the offline model', turn);
  } finally {
    await remove();
  }
}

const offline = ['-p', '--model', 'offline'];

interface Ran {
  readonly code: number | null;
  readonly output: string;
  readonly said: string;
  readonly isLate: boolean;
}

interface RunServices {
  readonly home: string;
  readonly env: HealthCheckServices['env'];
  readonly signal: AbortSignal;
}

/** Runs without the user's keys and settings. */
function run([program = '', ...words]: readonly string[], { home, env, signal }: RunServices): Promise<Ran> {
  signal.throwIfAborted();
  return new Promise((resolve) => {
    const own = { HOME: home, USERPROFILE: home, ROBOTA_HOME: join(home, '.robota') };
    const child = spawn(program, words, {
      cwd: home,
      env: { ...helperEnvironment({ env, cwd: home }), ...own },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: patienceMs,
      killSignal: 'SIGKILL',
      signal,
    });
    let [output, said] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    child.once('error', (error) => resolve({ code: null, output, said: error.message, isLate: false }));
    child.once('close', (code) => resolve({ code, output, said, isLate: child.killed }));
  });
}

function failureOf({ code, output, isLate }: Ran): string {
  if (isLate) return `did not finish in ${patienceMs / 1000} s`;
  if (code !== 0)
    return code === null ? 'could not be started or was killed' : `failed with exit code ${code}`;
  const printed = firstLines(output);
  return printed === '' ? 'printed nothing' : `printed "${shorten(printed, 80)}"`;
}

function firstLines(text: string): string {
  return text.trim().split('\n').slice(0, 5).join('\n');
}
