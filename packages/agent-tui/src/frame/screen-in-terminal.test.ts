import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import { proves } from '@robota-sdk/agent-testing/proves';
import xterm from '@xterm/headless';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** A program that streams three hundred lines above an editor, and shows what is typed. */
const program = `
  import { Screen } from './screen.ts';
  import { ProcessTerminal } from '../terminal/process-terminal.ts';
  let typed = '';
  let count = 0;
  const screen = new Screen(new ProcessTerminal(), {
    reflow: 'all-but-cursor-line',
    render: ({ columns }) => ({
      lines: ['tail '.repeat(14) + count, 'work '.repeat(9), '-'.repeat(columns), '> ' + typed, '-'.repeat(columns), 'status ' + columns],
      cursor: { row: 3, column: 2 + typed.length },
    }),
    input: (event) => {
      if (event.type !== 'key') return;
      if (event.id === 'ctrl+d') return void screen.stop();
      typed += event.text;
      screen.refresh();
    },
  });
  screen.start();
  const timer = setInterval(() => {
    screen.commit(['#' + count + '# ' + 'word '.repeat(count % 20)]);
    count++;
    if (count === 300) clearInterval(timer);
  }, 2);
`;

let folder: string;
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'robota-screen-')));
  await build({
    stdin: { contents: program, resolveDir: import.meta.dirname, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: join(folder, 'program.mjs'),
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function open(columns: number, rows: number) {
  const emulator = new xterm.Terminal({ cols: columns, rows, scrollback: 5000, allowProposedApi: true });
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, TERM: 'xterm-256color' };
  const child = spawn(process.execPath, [join(folder, 'program.mjs')], {
    cols: columns,
    rows,
    cwd: folder,
    env,
  });
  let raw = '';
  child.onData((data) => {
    raw += data;
    emulator.write(data);
  });
  emulator.onData((answer) => child.write(answer));
  const exit = new Promise<void>((resolve) => child.onExit(() => resolve()));
  const lines = async () => {
    await new Promise<void>((resolve) => emulator.write('', resolve));
    const { active } = emulator.buffer;
    const shown: string[] = [];
    for (let row = 0; row < active.length; row++) {
      const line = active.getLine(row);
      const text = line?.translateToString(true) ?? '';
      if (line?.isWrapped && shown.length > 0) shown[shown.length - 1] += text;
      else shown.push(text);
    }
    return shown;
  };
  const resize = (toColumns: number, toRows: number) => {
    emulator.resize(toColumns, toRows);
    child.resize(toColumns, toRows);
  };
  return { child, exit, lines, resize, raw: () => raw };
}

function numbersIn(lines: readonly string[]): number[] {
  return lines.flatMap((line) => [...line.matchAll(/#(\d+)#/g)].map(([, number]) => Number(number)));
}

const everyNumber = Array.from({ length: 300 }, (_, index) => index);

describe.skipIf(process.platform === 'win32')('a screen in a terminal', () => {
  it('streams into scrollback while keys are echoed, and leaves a clean line', async () => {
    proves('P-72', 'P-74');
    const { child, exit, lines, raw } = open(80, 12);
    await expect.poll(async () => (await lines()).some((line) => line.startsWith('>'))).toBe(true);
    child.write('hello');
    await expect.poll(lines).toContain('> hello');
    await expect.poll(async () => numbersIn(await lines()).length).toBe(300);
    child.write('\x04');
    await exit;
    const shown = await lines();
    expect(numbersIn(shown)).toEqual(everyNumber);
    expect(shown.filter((line) => line.startsWith('>') || line.startsWith('status'))).toEqual([]);
    expect(raw()).not.toMatch(/\[[23]J/);
  });

  it('loses and doubles no line while the window is dragged', async () => {
    proves('P-72');
    const { child, exit, lines, resize, raw } = open(80, 12);
    let last: { readonly at: number; readonly bytes: number } | undefined;
    for (let step = 0; step < 40; step++) {
      // A window that stood still for a while is taken for at rest; the frame for that must not be on its way.
      const { bytes = 0 } = last ?? {};
      if (last && performance.now() - last.at > 60)
        await expect.poll(() => raw().slice(bytes)).toContain('\x1b[J');
      last = { at: performance.now(), bytes: raw().length };
      resize(30 + ((step * 37) % 70), 8 + ((step * 5) % 12));
      await new Promise((resolve) => setTimeout(resolve, 7 + ((step * 13) % 40)));
    }
    await expect.poll(async () => numbersIn(await lines()).at(-1)).toBe(299);
    child.write('\x04');
    await exit;
    expect(numbersIn(await lines())).toEqual(everyNumber);
    expect(raw()).not.toMatch(/\[[23]J/);
  });
});
