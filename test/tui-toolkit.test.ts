import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { build } from 'esbuild';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openTerminal, type Terminal } from './terminal.ts';
import { expectScreen, keys, sizes } from './tui.ts';

const example = fileURLToPath(new URL('../examples/tui/todo.ts', import.meta.url));
let program: string;
let terminal: Terminal | undefined;

beforeAll(async () => {
  program = join(await temporaryDirectory('todo-program'), 'todo.mjs');
  await build({
    entryPoints: [example],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['@robota-sdk/source'],
    logLevel: 'error',
  });
});

afterEach(() => terminal?.kill('SIGKILL'));

async function open(content: string) {
  const cwd = await temporaryDirectory('todo');
  const file = join(cwd, 'todo.txt');
  await writeFile(file, content);
  const options = { cwd, home: cwd, program: process.execPath, ...sizes[0] };
  const opened = openTerminal([program, file], options);
  terminal = opened;
  await opened.shows('ctrl+d quit');
  return { terminal: opened, cwd, read: () => readFile(file, 'utf8') };
}

describe('a second program on the toolkit', () => {
  it('imports nothing else of ours', async () => {
    proves('P-71');
    const files = ['todo.ts', 'task-list.ts'].map((name) => join(example, '..', name));
    const sources = await Promise.all(files.map((file) => readFile(file, 'utf8')));
    const imported = sources.flatMap((source) =>
      [...source.matchAll(/ from '([^']+)'/g)].map(([, name]) => name),
    );
    const ours = imported.filter((name) => name?.startsWith('@robota-sdk/'));
    expect(new Set(ours)).toEqual(new Set(['@robota-sdk/agent-tui']));
  });

  it('shows its layout, takes tasks and keeps them', async () => {
    proves('P-71', 'P-99', 'P-86');
    const { terminal, cwd, read } = await open('[ ] buy milk #home\n[x] call Ann\n');
    await expectScreen(terminal, 'todo-start', { cwd });
    terminal.type('pay rent! #ho');
    await terminal.shows('> #home');
    terminal.type(keys.tab);
    terminal.type(keys.enter);
    await terminal.shows('☐ pay rent! #home');
    terminal.type('\u001b[1;3B');
    terminal.type('\u001b[1;3B');
    terminal.type(keys.ctrlT);
    await terminal.shows('> ☑ pay rent! #home');
    expect(await read()).toBe('[ ] buy milk #home\n[x] call Ann\n[x] pay rent! #home\n');
    terminal.type(keys.ctrlD);
    expect(await terminal.exit).toBe(0);
    expect(terminal.raw).toContain('\u001b[?2004l');
  });

  it('lays its help over the screen, and any key takes it away', async () => {
    proves('P-73');
    const { terminal, cwd } = await open('[ ] buy milk\n[ ] call Ann\n[ ] pay rent\n');
    terminal.type('\u001bOP');
    await terminal.shows('Mark the task as done or open');
    await expectScreen(terminal, 'todo-help', { cwd });
    terminal.type('x');
    await expect.poll(() => terminal.screen()).not.toContain('Mark the task');
  });

  it('runs commands of its own, and escape cancels what it waits for', async () => {
    proves('P-94', 'P-98');
    const { terminal, cwd, read } = await open('[x] buy milk\n');
    terminal.type(':');
    await terminal.shows(':import');
    await expectScreen(terminal, 'todo-commands', { cwd });
    terminal.type("import printf 'one\\ntwo\\n'");
    terminal.type(keys.enter);
    await terminal.shows('☐ two');
    terminal.type(':import exec sleep 100');
    terminal.type(keys.enter);
    await terminal.shows('exec sleep 100 (escape cancels)');
    terminal.type(keys.escape);
    await expect.poll(() => terminal.screen()).not.toContain('escape cancels');
    terminal.type(':clear');
    terminal.type(keys.enter);
    await expectScreen(terminal, 'todo-cleared', { cwd });
    expect(await read()).toBe('[ ] one\n[ ] two\n');
  });
});
