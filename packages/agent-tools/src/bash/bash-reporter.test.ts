import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ShellProcess } from './shell-process.ts';

const path = process.env.PATH ?? '';
const decoder = new TextDecoder();
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'robota-reporter-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function outputOf(command: string, env: Record<string, string> = {}): Promise<string> {
  let output = '';
  const shell = await ShellProcess.start({
    command,
    cwd: folder,
    env: { PATH: path, ...env },
    onOutput: (chunk) => {
      output += decoder.decode(chunk);
      return undefined;
    },
  });
  await shell.settle();
  return output;
}

describe.skipIf(process.platform !== 'linux')('a bash that reports itself', () => {
  it('is started without a second shell and has the command as its only text', async () => {
    const [parent, line, text] = (
      await outputOf('echo $PPID; tr "\\0" " " </proc/$$/cmdline; echo; echo "$BASH_EXECUTION_STRING"')
    ).split('\n');
    expect(parent).toBe(String(process.pid));
    expect(line).toMatch(/^\/bin\/bash --noprofile --norc -c -- echo \$PPID/);
    expect(text).toMatch(/^echo \$PPID/);
  });

  it('leaves nothing of the report to the command', async () => {
    expect(await outputOf('echo "$_ $#"; env | grep -c BASH; set | grep "^BASH_ENV"')).toBe(
      '/bin/bash 0\n0\n',
    );
    expect(await outputOf('for open in 3 4; do [ ! -e /proc/$$/fd/$open ] || echo $open; done')).toBe('');
  });

  it('counts lines and shows errors as without a report', async () => {
    expect(await outputOf('true\nnowhere-to-be-found')).toBe(
      '/bin/bash: line 2: nowhere-to-be-found: command not found\n',
    );
    expect(await outputOf('echo (')).toMatch(/^\/bin\/bash: -c: line 1: .*\n.*: `echo \('\n$/);
  });

  it('becomes the last program of the command, so that its signals are that one’s', async () => {
    expect(await outputOf('sh -c \'[ "$PPID" = "$0" ] && echo same\' "$PPID"')).toBe('same\n');
  });

  it('reads the file that the user’s BASH_ENV names', async () => {
    const file = join(folder, 'given.sh');
    writeFileSync(file, 'given=yes');
    expect(await outputOf('echo "$given $BASH_ENV"', { BASH_ENV: file })).toBe(`yes ${file}\n`);
  });

  it('keeps the options of its environment', async () => {
    expect(await outputOf('shopt -o posix', { POSIXLY_CORRECT: '1' })).toMatch(/^posix\s+on\n$/);
    expect(await outputOf('shopt -o noglob', { SHELLOPTS: 'noglob' })).toMatch(/^noglob\s+on\n$/);
  });
});

/** Starts a command, says that it runs and waits to be killed. */
const program = `
  import { ShellProcess } from './shell-process.ts';
  const env = { PATH: process.env.PATH, ...JSON.parse(process.argv[2]) };
  const command = 'set -m; sleep 71 & command echo $$ $!; sleep 72';
  await ShellProcess.start({ command, cwd: '/', env, onOutput: (chunk) => void process.stdout.write(chunk) });
  setInterval(() => {}, 1000);
`;

describe.skipIf(process.platform !== 'linux')('a command whose program is killed', () => {
  let file: string;

  beforeAll(async () => {
    file = join(folder, 'program.mjs');
    await build({
      stdin: { contents: program, resolveDir: import.meta.dirname, loader: 'ts' },
      outfile: file,
      bundle: true,
      platform: 'node',
      format: 'esm',
      conditions: ['@robota-sdk/source'],
    });
    writeFileSync(join(folder, 'start.sh'), 'echo() { :; }; exec() { :; }');
  });

  it.each([
    ['a usual environment', {}],
    ['a start-up file of the user', { BASH_ENV: 'start.sh' }],
    [
      'functions named as what the report uses',
      { 'BASH_FUNC_echo%%': '() { :; }', 'BASH_FUNC_exec%%': '() { :; }' },
    ],
    ['POSIXLY_CORRECT', { POSIXLY_CORRECT: 'y' }],
    ['SHELLOPTS', { SHELLOPTS: 'posix' }],
    ['BASHOPTS', { BASHOPTS: 'expand_aliases' }],
  ])('dies with it in %s', async (_, env) => {
    const child = spawn(process.execPath, [file, JSON.stringify(env)], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const line = await new Promise<string>((resolve) =>
      child.stdout.once('data', (data) => resolve(String(data))),
    );
    const pids = line.trim().split(' ').map(Number);
    expect(pids.map(isRunning)).toEqual([true, true]);
    child.kill('SIGKILL');
    for (let wait = 0; pids.some(isRunning) && wait < 400; wait++) await sleep(25);
    const left = pids.filter(isRunning);
    for (const pid of left) process.kill(pid, 'SIGKILL');
    expect(left).toEqual([]);
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
