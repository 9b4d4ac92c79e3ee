import { readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { anthropicChunks, anthropicReply, eventStream } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it, vi } from 'vitest';
import { isRunning } from './stage.ts';
import type { Terminal } from './terminal.ts';
import {
  expectModesOff,
  expectNothingWiped,
  expectOnceInOrder,
  hangingAnswer,
  keys,
  openShop,
  pasted,
  prompt,
  runEnd,
  tuiHarness,
} from './tui.ts';

const desk = tuiHarness(openShop);
const { open } = desk;

const robota = '"$NODE" "$ROBOTA" --model claude-sonnet-4-6';
const inFile = (name: string) => readFileSync(join(desk.stage.cwd, name), 'utf8');

/** Starts the command from a shell that looks at the terminal before and after it. */
async function openInShell(): Promise<Terminal> {
  const script = `stty -a > before; ${robota}; code=$?; stty -a > after; echo "code $code"; read line; echo "line [$line]"`;
  return open(['-c', script], { program: '/bin/sh', hasAnswers: true });
}

/** The process that the shell has started. */
function childOf(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return Number(children.trim().split(' ')[0]);
}

/** The terminal is the next program's, as if there had been none before. */
async function expectTerminalGivenBack(tui: Terminal): Promise<void> {
  expectModesOff(tui);
  expectNothingWiped(tui);
  tui.type(`typed${keys.enter}`);
  await tui.shows('line [typed]');
  expect(inFile('after')).toBe(inFile('before'));
}

/** An extension with a command that fails after it returned. */
const crashing = `export default { name: 'crash', setup(host) {
  host.command({ name: 'crash', description: 'Fails later', run: (words) => {
    const own = Object.assign(new Error('our own mistake'), { stack: '' });
    setTimeout(() => { throw words === 'ours' ? own : new Error('late mistake'); }, 1);
    console.log('a word from an extension');
    return { kind: 'done' };
  } });
} };`;

describe.skipIf(process.platform === 'win32')('every end gives the terminal back', () => {
  it.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
    ['SIGINT', 0],
  ] as const)('%s while an answer streams', async (signal, code) => {
    desk.stage.server.reply(hangingAnswer(['Half of ', 'an answer']));
    const tui = await openInShell();
    tui.type(`hello${keys.enter}`);
    await tui.shows('Half of an answer');
    process.kill(childOf(tui.pid), signal);
    await tui.shows(`code ${code}`);
    expectOnceInOrder(await tui.screen(), ['> hello', 'Half of an answer', 'robota -r']);
    await expectTerminalGivenBack(tui);
  });

  it('SIGQUIT, which ends at once', async () => {
    desk.stage.server.reply(hangingAnswer(['Half of ', 'an answer']));
    const tui = await openInShell();
    tui.type(`hello${keys.enter}`);
    await tui.shows('Half of an answer');
    process.kill(childOf(tui.pid), 'SIGQUIT');
    await tui.shows('code 131');
    await expectTerminalGivenBack(tui);
  });

  it('SIGTERM while the pager has the second screen', async () => {
    desk.stage.server.reply(anthropicReply({ text: 'Seen.' }));
    const tui = await openInShell();
    tui.type(`hello${keys.enter}`);
    await tui.shows(runEnd);
    tui.type(keys.ctrlO);
    await tui.shows('History');
    process.kill(childOf(tui.pid), 'SIGTERM');
    await tui.shows('code 143');
    await expectTerminalGivenBack(tui);
  });

  it('Ctrl+Z leaves it to the shell, and fg brings back what was there', async () => {
    desk.stage.server.reply(anthropicReply({ text: 'Seen.' }), anthropicReply({ text: 'Still there.' }));
    const shell = desk.start(['-i'], { program: '/bin/sh', env: { PS1: '$ ' } });
    await shell.shows('$');
    shell.type(`stty -a > before; ${robota}${keys.enter}`);
    await shell.shows(prompt);
    shell.type(`hello${keys.enter}`);
    await shell.shows('Seen.');
    shell.type('not yet sent');
    await shell.shows('> not yet sent');
    shell.type(keys.ctrlZ);
    await shell.shows(/Stopped/);
    expectModesOff(shell);
    shell.type(`stty -a > during; echo look''ed${keys.enter}`);
    await shell.shows('\nlooked');
    expect(inFile('during')).toBe(inFile('before'));
    shell.type(`fg${keys.enter}`);
    await shell.shows(/looked[\s\S]*> not yet sent/);
    shell.type(keys.enter);
    await shell.shows('Still there.');
    shell.type(keys.ctrlD);
    await shell.shows(/Resume this session: robota -r [^\n]+\n[^\n]*\$/);
    shell.type(`stty -a > after; echo o''ver${keys.enter}`);
    await shell.shows('\nover');
    expect(inFile('after')).toBe(inFile('before'));
    expectModesOff(shell);
    expectNothingWiped(shell);
  });

  it('Ctrl+Z and fg of bash, time and again, leave one editor in sight', async () => {
    const shell = desk.start(['--norc', '--noprofile', '-i'], { program: '/bin/bash', env: { PS1: '$ ' } });
    await shell.shows('$');
    shell.type(`${robota}${keys.enter}`);
    await shell.shows(prompt);
    shell.type('a draft');
    await shell.shows('> a draft');
    for (const word of ['once', 'twice', 'thrice']) {
      shell.type(keys.ctrlZ);
      await shell.shows(
        new RegExp(`Stopped(?:[\\s\\S]*Stopped){${['once', 'twice', 'thrice'].indexOf(word)}}`),
      );
      shell.type(`echo la''st ${word}${keys.enter}`);
      await shell.shows(`last ${word}`);
      // Longer than a process waits for being stopped.
      await new Promise((resolve) => setTimeout(resolve, 150));
      shell.type(`fg${keys.enter}`);
      await shell.shows(new RegExp(`last ${word}[\\s\\S]*> a draft`));
      shell.type('!');
      await shell.shows(new RegExp(`last ${word}[\\s\\S]*> a draft!+\n[─]+\n[^\n]+$`));
      const [, after = ''] = (await shell.screen()).split(`last ${word}`);
      expect(after.match(/> a draft/g), after).toHaveLength(1);
      expect(after.match(/\n─+/g), after).toHaveLength(2);
      expect(after.match(/default/g), after).toHaveLength(1);
    }
    expectNothingWiped(shell);
  });

  it('a closed window ends it with everything it has started', async () => {
    const command = 'echo $$ > pid; sleep 1000';
    desk.stage.server.reply(anthropicReply({ toolCalls: [{ name: 'Bash', input: { command } }] }));
    const tui = await open(['--permission-mode', 'bypassPermissions', 'go']);
    await tui.shows('Running echo');
    const pid = await vi.waitFor(
      async () => Number(await readFile(join(desk.stage.cwd, 'pid'), 'utf8')) || Promise.reject(),
    );
    tui.hangUp();
    await vi.waitFor(() => expect(isRunning(tui.pid)).toBe(false));
    await vi.waitFor(() => expect(isRunning(pid)).toBe(false));
  });

  it('a crash, and a mistake of an extension that does not end it', async () => {
    await mkdir(join(desk.stage.home, '.robota/extensions'), { recursive: true });
    await writeFile(join(desk.stage.home, '.robota/extensions/crash.mjs'), crashing);
    desk.stage.server.reply(anthropicReply({ text: 'Still there.' }));
    const tui = await openInShell();
    tui.type(`/crash${keys.enter}`);
    await tui.shows(/a word from an extension[\s\S]*crash\.mjs failed:\s+late mistake/);
    tui.type(`hello${keys.enter}`);
    await tui.shows('Still there.');
    expectOnceInOrder(await tui.screen(), ['late mistake', '> hello', 'Still there.']);
    tui.type(`/crash ours${keys.enter}`);
    await tui.shows('code 1');
    expect(await tui.screen()).toMatch(/\nrobota: our own mistake\n/);
    await expectTerminalGivenBack(tui);
  });
});

describe('sizes and speed', () => {
  const numbered = (count: number) =>
    Array.from({ length: count }, (_, index) => `- item ${index + 1} of the list.\n`);

  /** Resizes of a window that is dragged, each while none of the program's bytes for a window at rest are on their way. */
  class Drag {
    readonly #tui: Terminal;
    #last: { readonly at: number; readonly bytes: number } | undefined;

    constructor(tui: Terminal) {
      this.#tui = tui;
    }

    async resize(columns: number, rows: number): Promise<void> {
      // After a moment the program takes the window for at rest, and clears the live region by its size.
      if (this.#last && performance.now() - this.#last.at > 40) await this.#repainted(this.#last.bytes);
      this.#tui.resize(columns, rows);
      this.#last = { at: performance.now(), bytes: this.#tui.raw.length };
    }

    async #repainted(from: number): Promise<void> {
      const hasFrame = () => expect(this.#tui.raw.slice(from)).toMatch(clearingFrame);
      await vi.waitFor(hasFrame, { interval: 5 });
      await this.#tui.screen();
    }
  }

  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  const clearingFrame = /\u001b\[J[\s\S]*\u001b\[\?2026l/;

  /** Streams sixty items while the window is dragged about, with rests. */
  async function drag(tui: Terminal): Promise<string> {
    const chunks = anthropicChunks({ text: numbered(60) }).flatMap((chunk) => [chunk, { pauseMs: 25 }]);
    desk.stage.server.reply(eventStream(chunks));
    tui.type(`count${keys.enter}`);
    await tui.shows('item 1 of');
    const window = new Drag(tui);
    for (let index = 0; index < 100; index++) {
      await window.resize(40 + ((index * 37) % 90), 10 + ((index * 13) % 30));
      await new Promise((resolve) => setTimeout(resolve, index % 12 === 11 ? 130 : 6));
    }
    await window.resize(80, 24);
    await tui.shows(/item 60 of the list[\s\S]* in, \d+ out/);
    await tui.shows(prompt);
    expectNothingWiped(tui);
    return tui.screen();
  }

  const streamed = ['> count', ...numbered(60).map((line) => line.slice(2).trim()), ' in, '];

  it('a hundred changes of size while an answer streams neither double nor lose a line', async () => {
    proves('P-115');
    const tui = await open([], { keepsRows: true, env: { XTERM_VERSION: 'XTerm(390)' } });
    expectOnceInOrder(await drag(tui), streamed);
  });

  it('nothing is lost either where the terminal breaks rows again; at most a trace of what was live is left', async () => {
    const tui = await open([], { env: { TERM_PROGRAM: 'vscode' } });
    const shown = await drag(tui);
    const rows = shown.split('\n').map((row) => row.replace(/^ *(?:• )?/, ''));
    const items = rows.filter((row) => streamed.includes(row));
    expect([...new Set(items)]).toEqual(streamed.filter((row) => row !== ' in, '));
    expect(items).toEqual([...items].sort((one, other) => streamed.indexOf(one) - streamed.indexOf(other)));
    expect(items.length).toBeLessThan(streamed.length + 20);
  });

  it.each([20, 33])('%s columns are enough for a run with a question', async (columns) => {
    desk.stage.server.reply(
      anthropicReply({
        text: numbered(12),
        toolCalls: [{ name: 'Write', input: { file_path: 'a.txt', content: 'x\n' } }],
      }),
      anthropicReply({ text: '한국어로 대답합니다. 안녕하세요 여러분.' }),
    );
    const tui = await open(['go'], { columns, rows: 12 });
    await tui.shows('Allow once');
    // A question that is longer than the screen is shown page by page by enter, and answered at its end.
    await tui.shows(/enter (?:show|select)/);
    const answered = async () => {
      tui.type(keys.enter);
      expect(await tui.screen()).toMatch(/\n {2}1 call · /);
    };
    await vi.waitFor(answered, { interval: 400 });
    await tui.shows(prompt);
    const all = await tui.screen();
    expectOnceInOrder(all.replaceAll(/\s+/g, ''), [
      ...Array.from({ length: 12 }, (_, index) => `item${index + 1}of`),
      '안녕하세요여러분.',
    ]);
    for (const row of all.split('\n')) expect(row.length).toBeLessThanOrEqual(columns);
    expectNothingWiped(tui);
  });

  it('10 MB that are pasted are kept whole in a file that the model is told of', async () => {
    const text = `first\n${'0123456789abcde\n'.repeat(655_360)}last`;
    desk.stage.server.reply(anthropicReply({ text: 'That was long.' }));
    const tui = await open();
    tui.send(pasted(text.replaceAll('\n', '\r')));
    await tui.shows(/paste.*lines/i);
    tui.type(' and this');
    await tui.shows('and this');
    tui.type(keys.enter);
    await tui.shows('That was long.');
    const said =
      desk.stage
        .messages(0)[0]
        ?.content.map(({ text: part = '' }) => part)
        .join('') ?? '';
    expect(said.length).toBeLessThan(110_000);
    expect(said).toContain(text.slice(0, 40_000));
    expect(said).toContain('\nlast and this');
    const file = said.match(/\/\S*paste-\S*\.txt/)?.[0] ?? '';
    expect(await readFile(file, 'utf8')).toBe(text);
    expectNothingWiped(tui);
  });

  it('a tool that prints 100 MB keeps memory and keys alive', async () => {
    const command =
      'yes 0123456789012345678901234567890123456789012345678 | head -c 100000000; until [ -e go ]; do sleep 0.05; done';
    desk.stage.server.reply(
      anthropicReply({ toolCalls: [{ name: 'Bash', input: { command } }] }),
      anthropicReply({ text: 'Done.' }),
    );
    const tui = await open(['--permission-mode', 'bypassPermissions', 'go']);
    await tui.shows('    0123456789');
    tui.type('typed meanwhile');
    await tui.shows('> typed meanwhile');
    await desk.stage.file('go', '');
    await tui.shows(/1 call · /);
    expect(peakMegabytes(tui.pid)).toBeLessThan(400);
    expectOnceInOrder(await tui.screen(), ['$ yes', 'Done.', '1 call · ', '> typed meanwhile']);
    expectNothingWiped(tui);
  });

  it('a terminal that takes nothing for a while has lost nothing afterwards', async () => {
    const many = Array.from({ length: 3000 }, (_, index) => `- entry ${index + 1}.\n`);
    desk.stage.server.reply(anthropicReply({ text: many }));
    const tui = await open();
    tui.type(`count${keys.enter}`);
    await tui.shows('entry 1.');
    tui.pause();
    await new Promise((resolve) => setTimeout(resolve, 1500));
    tui.goOn();
    await tui.shows(/entry 3000\.[\s\S]* in, \d+ out/);
    expectOnceInOrder(
      await tui.screen(),
      many.map((line) => line.slice(2).trim()),
    );
    expect(peakMegabytes(tui.pid)).toBeLessThan(300);
  });

  it('what is typed before the session is there is not lost', async () => {
    desk.stage.server.reply(anthropicReply({ text: 'Early.' }));
    const tui = desk.start();
    // On a busy machine the screen has moved on before it is looked at.
    await expect.poll(() => tui.raw, { timeout: 30_000 }).toContain('starting');
    tui.send(`typed early${keys.enter}`);
    tui.send('and more');
    await tui.shows('Early.');
    await tui.shows('> and more');
    expectOnceInOrder(await tui.screen(), ['> typed early', 'Early.', '> and more']);
  });
});

/** The most memory that a process has had. */
function peakMegabytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

describe.skipIf(process.platform === 'win32')('Ctrl+D that is typed before the prompt is there', () => {
  it.each([
    ['on a screen', '', {}],
    ['in line mode', '--plain', {}],
    ['where no key is known yet', '', { ANTHROPIC_API_KEY: '' }],
  ])('ends the program %s', async (_, option, env) => {
    const script = `echo waiting; until [ -e go ]; do sleep 0.02; done; ${robota} ${option}; echo "code $?"`;
    const shell = desk.start(['-c', script], { program: '/bin/sh', hasAnswers: true, env });
    await shell.shows('waiting');
    // The echo of a letter, which is erased again, tells that the system has taken all of them.
    shell.send(`${keys.ctrlD}x`);
    await shell.shows(/^x/m);
    shell.send(keys.backspace);
    await shell.shows(/waiting\s*$/);
    await writeFile(join(desk.stage.cwd, 'go'), '');
    await shell.shows('code 0');
    await shell.exit;
  });
});
