import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sharedCode } from '@robota-sdk/agent-testing';

/** The program that works for a fleet in tests. */
const program = fileURLToPath(new URL('./fixtures/fleet-worker.mjs', import.meta.url));

/** Starts a worker with options of the program. */
export function startWorkerProgram(options: object, env?: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.execPath, [program, JSON.stringify({ version: '1.0.0', ...options })], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: env ?? process.env,
  });
}

/** Starts a worker whose agents ask a model server; each machine has a home of its own below the root. */
export function startRealWorker(
  machine: string,
  { root, url }: { readonly root: string; readonly url: string },
  options: object,
): ChildProcess {
  const home = join(root, `home-${machine}`, '.robota');
  mkdirSync(home, { recursive: true });
  return startWorkerProgram(
    { home, real: true, log: join(root, `${machine}.log`), ...options },
    {
      PATH: process.env['PATH'],
      HOME: join(home, '..'),
      ANTHROPIC_API_KEY: 'sk-ant-test-key-0123456789',
      ANTHROPIC_BASE_URL: url,
      ...sharedCode(),
    },
  );
}

/** Waits for the end of a process. */
export async function gone(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}
