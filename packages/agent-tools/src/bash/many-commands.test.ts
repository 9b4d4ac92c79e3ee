import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ShellProcess } from './shell-process.ts';

const start = (command: string) =>
  ShellProcess.start({
    command,
    cwd: tmpdir(),
    env: { PATH: process.env.PATH ?? '' },
    onOutput: () => undefined,
  });

describe.skipIf(process.platform !== 'linux')('many commands at once', () => {
  it('end together, with what they moved to groups of their own', async () => {
    const commands = await Promise.all(
      Array.from({ length: 40 }, () => start('set -m; sleep 61 >/dev/null 2>&1 & sleep 62')),
    );
    await Promise.all(commands.map((command) => command.terminate()));
    expect(commands.filter(({ isRunning }) => isRunning)).toEqual([]);
  });

  it('are still known as running when the shell leaves something behind at the last moment', async () => {
    const commands = await Promise.all(
      Array.from({ length: 20 }, () => start('sleep 63 >/dev/null 2>&1 & exit 0')),
    );
    expect(await Promise.all(commands.map((command) => command.settle()))).toEqual(Array(20).fill(true));
    await Promise.all(commands.map((command) => command.terminate()));
    expect(commands.filter(({ isRunning }) => isRunning)).toEqual([]);
  });

  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'leave no temporary file when the program ends by %s',
    async (signal) => {
      const folder = mkdtempSync(join(tmpdir(), 'robota-many-'));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      const file = join(folder, 'program.mjs');
      const temporary = join(folder, 'tmp');
      const contents = `
      import { ShellProcess } from './shell-process.ts';
      process.on('SIGTERM', () => process.exit(0));
      const options = { command: 'sleep 64', cwd: '/', env: { PATH: process.env.PATH }, onOutput() {} };
      await ShellProcess.start(options);
      console.log('up');
      setInterval(() => {}, 1000);
    `;
      await build({
        stdin: { contents, resolveDir: import.meta.dirname, loader: 'ts' },
        outfile: file,
        bundle: true,
        platform: 'node',
        format: 'esm',
        conditions: ['@robota-sdk/source'],
      });
      mkdirSync(temporary);
      const env = { PATH: process.env.PATH ?? '', TMPDIR: temporary };
      const child = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] });
      await new Promise((resolve) => child.stdout.once('data', resolve));
      const left = () => pipesOf(child.pid, [temporary, '/dev/shm']);
      expect(left()).toHaveLength(1);
      child.kill(signal);
      await expect.poll(left).toEqual([]);
      expect(readdirSync(temporary)).toEqual([]);
    },
  );
});

function pipesOf(pid: number | undefined, folders: readonly string[]): string[] {
  const names = folders.filter(existsSync).flatMap((folder) => readdirSync(folder));
  return names.filter((name) => name.startsWith(`robota-pipes-${pid}-`));
}
