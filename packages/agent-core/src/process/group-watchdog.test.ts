import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** Starts two commands under the watchdog, releases the first, says their process ids and waits to be killed. */
const program = `
  import { spawn } from 'node:child_process';
  import { guarded, startGroupWatchdog } from './group-watchdog.ts';

  const watchdog = await startGroupWatchdog();
  const start = (script) => {
    const [file, ...args] = guarded(['bash', '-c', script]);
    return spawn(file, args, { detached: true, stdio: ['ignore', 'pipe', 'ignore', watchdog.channel] });
  };
  const said = ({ stdout }) => new Promise((resolve) => stdout.once('data', resolve));
  const free = start('echo up; sleep 300');
  await said(free);
  watchdog.guard(free.pid)();
  const held = start('set -m; sleep 301 & echo $!; sleep 302');
  console.log(free.pid, held.pid, String(await said(held)).trim());
  setInterval(() => {}, 1000);
`;

let directory: string;
let file: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'robota-watchdog-'));
  file = join(directory, 'program.mjs');
  const stdin = { contents: program, resolveDir: import.meta.dirname, loader: 'ts' } as const;
  await build({ stdin, outfile: file, bundle: true, platform: 'node', format: 'esm' });
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe.skipIf(process.platform !== 'linux')('the watchdog of process groups', () => {
  it('ends what it guards after kill -9, in whatever group of the session, and nothing else', async () => {
    const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] });
    const line = await new Promise<string>((resolve) =>
      child.stdout.once('data', (data) => resolve(String(data))),
    );
    const [free = 0, held = 0, moved = 0] = line.trim().split(' ').map(Number);
    expect([free, held, moved].map(isRunning)).toEqual([true, true, true]);
    child.kill('SIGKILL');
    try {
      while (isRunning(held) || isRunning(moved)) await sleep(25);
      expect([free, held, moved].map(isRunning)).toEqual([true, false, false]);
    } finally {
      process.kill(free, 'SIGKILL');
    }
  });
});

function isRunning(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
  } catch {
    return false;
  }
}
