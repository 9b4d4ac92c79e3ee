import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { beforeEach, describe, expect, it } from 'vitest';
import { WorkspaceFiles } from './workspace-files.ts';

let outside: string;
let files: WorkspaceFiles;

beforeEach(async () => {
  outside = await temporaryDirectory();
  await mkdir(join(outside, 'ws/src'), { recursive: true });
  await writeFile(join(outside, 'secret.txt'), 'secret');
  files = new WorkspaceFiles(join(outside, 'ws'));
});

describe('WorkspaceFiles', () => {
  it('reads, writes, lists and runs relative to its root', async () => {
    proves('E-1');
    await files.writeFile('src/deep/a.txt', 'hello');
    expect(await files.readFile('./src/deep/a.txt')).toBe('hello');
    expect(await files.listDirectory('src')).toEqual(['deep/']);
    expect(await files.listDirectory()).toEqual(['src/']);
    expect(await files.runCommand('cat src/deep/a.txt; pwd')).toEqual({
      stdout: `hello${files.root}\n`,
      stderr: '',
      exitCode: 0,
    });
  });

  it('returns when a command has ended, though a process it left behind holds its output open', async () => {
    const { stdout, exitCode } = await files.runCommand('setsid sleep 600 & echo $!', { timeoutMs: 60_000 });
    process.kill(Number(stdout), 'SIGKILL');
    expect(exitCode).toBe(0);
  });

  it('ends a command at its time-out with the processes that left its group', async () => {
    const ended = await files.runCommand('echo $$; setsid sleep 600; true', { timeoutMs: 500 });
    expect(ended).toMatchObject({ stopped: 'timeout', exitCode: undefined });
  });

  it.each(['../secret.txt', 'src/../../secret.txt', '/etc/passwd', 'link/secret.txt', 'link'])(
    'refuses %s with a code that a program can test',
    async (path) => {
      proves('E-2');
      await symlink(outside, join(files.root, 'link'));
      const refused = { name: 'AgentError', code: 'outside-workspace' };
      await expect(files.readFile(path)).rejects.toMatchObject(refused);
      await expect(files.writeFile(path, 'x')).rejects.toMatchObject(refused);
      await expect(files.listDirectory(path)).rejects.toMatchObject(refused);
      expect(await readFile(join(outside, 'secret.txt'), 'utf8')).toBe('secret');
    },
  );

  it('refuses to run what would destroy the machine', async () => {
    proves('E-3');
    for (const command of ['rm -rf /', 'sudo ls', 'cd / && rm -rf *'])
      await expect(files.runCommand(command)).rejects.toMatchObject({ code: 'blocked' });
  });

  it('tells standard output, standard error and the exit code apart', async () => {
    proves('E-4');
    expect(await files.runCommand('echo out; echo err >&2; exit 3')).toEqual({
      stdout: 'out\n',
      stderr: 'err\n',
      exitCode: 3,
    });
  });

  it('ends a command that takes too long, with everything it started', async () => {
    const { exitCode, stdout } = await files.runCommand('sleep 60 & echo $!; wait', { timeoutMs: 300 });
    expect(exitCode).toBeUndefined();
    // A process that has ended has no command line, even before its parent has asked for its end.
    const alive = () => readFile(`/proc/${Number(stdout)}/cmdline`, 'utf8').then(Boolean, () => false);
    await expect.poll(alive).toBe(false);
  });
});
