import { spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { anthropicReply } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it, vi } from 'vitest';
import type { Terminal } from './terminal.ts';
import {
  expectModesOff,
  expectNothingWiped,
  expectOnceInOrder,
  hangingAnswer,
  keys,
  openShop,
  prompt,
  tuiHarness,
} from './tui.ts';

const desk = tuiHarness(openShop);
const { open } = desk;

async function own(name: string, text: string): Promise<void> {
  await mkdir(join(desk.stage.home, '.robota', name, '..'), { recursive: true });
  await writeFile(join(desk.stage.home, '.robota', name), text);
}

const has = (program: string) => spawnSync('which', [program]).status === 0;
const robota = '"$NODE" "$ROBOTA" --model claude-sonnet-4-6';

/** A run with a call, an answer, the pager and an end; every line of it once in the scrollback. */
async function converse(tui: Terminal): Promise<void> {
  await desk.stage.file('cart.ts', 'const total = 1;\n');
  const text = Array.from({ length: 40 }, (_, index) => `- entry ${index + 1}.\n`);
  desk.stage.server.reply(
    anthropicReply({ toolCalls: [{ name: 'Read', input: { file_path: 'cart.ts' } }] }),
    anthropicReply({ text }),
  );
  tui.type(`count${keys.enter}`);
  await tui.shows(/entry 40\.[\s\S]*1 call [·-] /);
  tui.type(keys.ctrlO);
  await tui.shows('History');
  tui.type('q');
  await tui.shows(/1 call [·-] [\s\S]*\n> Ask/);
}

describe('multiplexers', () => {
  it.skipIf(!has('tmux'))('tmux shows a conversation and keeps all of it in its own history', async () => {
    const socket = join(desk.stage.home, 'tmux');
    const tmux = `tmux -S ${socket} -f /dev/null`;
    const script = `${tmux} new-session -s s -x 80 -y 24 '${robota}; sleep 0.2' \\; set -g status off \\; set -g history-limit 5000`;
    const tui = await open(['-c', script], { program: '/bin/sh' });
    await converse(tui);
    const history = spawnSync('tmux', ['-S', socket, 'capture-pane', '-p', '-S', '-', '-t', 's'], {
      encoding: 'utf8',
    });
    const lines = Array.from({ length: 40 }, (_, index) => `• entry ${index + 1}.`);
    expectOnceInOrder(history.stdout, ['> count', '✓ Read cart.ts', ...lines, '1 call ']);
    tui.resize(60, 20);
    await tui.shows(/\n─{60}\n> Ask[^\n]*\n─{60}\n/);
    tui.type(keys.ctrlD);
    await tui.exit;
    spawnSync('tmux', ['-S', socket, 'kill-server']);
  });

  it.skipIf(!has('screen'))(
    'GNU screen shows a conversation and keeps all of it in its own history',
    async () => {
      await writeFile(
        join(desk.stage.home, '.screenrc'),
        'startup_message off\ndefscrollback 5000\naltscreen on\ndefutf8 on\n',
      );
      await mkdir(join(desk.stage.home, 'sockets'), { mode: 0o700 });
      const env = { SCREENDIR: join(desk.stage.home, 'sockets') };
      const tui = await open(['-c', `exec screen -U -S s /bin/sh -c '${robota}; sleep 0.2'`], {
        program: '/bin/sh',
        env,
      });
      await converse(tui);
      const copy = join(desk.stage.home, 'history');
      const given = { ...process.env, ...env, HOME: desk.stage.home };
      spawnSync('/bin/sh', ['-c', `screen -S s -X hardcopy -h ${copy}`], { env: given });
      const history = await vi.waitFor(() => readFile(copy, 'utf8'));
      const lines = Array.from({ length: 40 }, (_, index) => `entry ${index + 1}.`);
      expectOnceInOrder(history, ['> count', 'Read cart.ts', ...lines, '1 call ']);
      tui.type(keys.ctrlD);
      await tui.exit;
    },
  );
});

describe('terminals with less', () => {
  it('without a locale everything but texts of others is ASCII', async () => {
    const tui = await open(['--permission-mode', 'bypassPermissions'], {
      env: { LANG: '', LC_ALL: '', LC_CTYPE: '' },
    });
    await converse(tui);
    tui.type(`!echo hi; exit 2${keys.enter}`);
    await tui.shows('exit 2');
    desk.stage.server.reply(hangingAnswer(['half']));
    tui.type(`more${keys.enter}`);
    await tui.shows('half');
    tui.type(`later${keys.enter}`);
    await tui.shows('next: later');
    for (const command of ['/context', '/tree', '/model', '/help', '/config']) {
      tui.type(keys.escape);
      await tui.shows(/\n> Ask|\n> later/);
      tui.type(keys.ctrlU);
      tui.type(command + keys.enter);
      await tui.shows(/esc (?:leave|cancel|close)|shift\+l label/);
    }
    // biome-ignore lint/suspicious/noControlCharactersInRegex: everything else is what must not be there
    expect([...new Set(tui.raw.match(/[^\u0000-\u007f]/g) ?? [])]).toEqual([]);
  });

  it('NO_COLOR has no colours, and still says everything', async () => {
    const tui = await open([], { env: { NO_COLOR: '1' } });
    await converse(tui);
    tui.type(keys.ctrlD);
    await tui.exit;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
    const styles = [...new Set([...tui.raw.matchAll(/\u001b\[([\d;]*)m/g)].map(([, codes = '']) => codes))];
    for (const codes of styles.flatMap((each) => each.split(';')))
      expect(Number(codes || 0), styles.join(' ')).toBeLessThan(30);
  });

  it('TERM=dumb has lines and no sequences', async () => {
    desk.stage.server.reply(anthropicReply({ text: 'Seen.' }));
    const terminal = desk.start([], { env: { TERM: 'dumb' } });
    await terminal.shows(/\n>$/);
    terminal.type(`hello${keys.enter}`);
    await terminal.shows('Seen.');
    terminal.type(`/exit${keys.enter}`);
    expect(await terminal.exit).toBe(0);
    expect(terminal.raw).not.toContain('\u001b');
  });

  it('late and unasked answers reach neither the editor nor the shell', async () => {
    const script = `${robota}; echo over; read line; echo "line [$line]"`;
    const tui = await open(['-c', script], { program: '/bin/sh' });
    const answers =
      '\u001b]11;rgb:ffff/ffff/ffff\u001b\\\u001b[?997;2n\u001b[6;17;8t\u001b[?0u\u001b[?2026;2$y\u001b[?62;4c';
    tui.send(answers);
    tui.send('a\u001b[I\u001b[Ob');
    for (const byte of answers) tui.send(byte);
    tui.send('c');
    await tui.shows('> abc');
    tui.type(keys.ctrlU);
    await tui.shows(prompt);
    tui.type(keys.ctrlD);
    // A terminal that has answered once is asked again, so that nothing is on its way when the shell takes over.
    await vi.waitFor(() => expect(tui.raw.split('\u001b[c')).toHaveLength(3));
    tui.send('\u001b[100;5:3u\u001b[?62;4c');
    await tui.shows('over');
    tui.type(`typed${keys.enter}`);
    await tui.shows('line [typed]');
    expectModesOff(tui);
    expectNothingWiped(tui);
  });

  it('an image that cannot be shown is a line of text', async () => {
    proves('P-103');
    const pixel =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    await writeFile(join(desk.stage.cwd, 'dot.png'), Buffer.from(pixel, 'base64'));
    desk.stage.server.reply(
      anthropicReply({ toolCalls: [{ name: 'Read', input: { file_path: 'dot.png' } }] }),
      anthropicReply({ text: 'A dot.' }),
    );
    const tui = await open(['look']);
    await tui.shows(/✓ Read dot\.png · image[\s\S]*A dot\.[\s\S]*1 call [·-] /);
    expect(tui.raw).not.toContain('\u001b_G');
    expect(tui.raw).not.toContain('\u001b]1337');
  });
});

describe('files that are wrong', () => {
  it('keys and themes are named with their line and what is used instead', async () => {
    proves('P-84', 'P-124');
    await own('keybindings.json', '{\n  "app.hlep": "f3",\n  "app.tools.expand": ["ctrl+y", "nokey"]\n}');
    await own('themes/mine.json', '{\n  "name": "mine",\n  "colors": {\n');
    await desk.stage.settings({ theme: 'mine' });
    const tui = await open();
    const shown = (await tui.shows(/keybindings\.json:2[\s\S]*mine\.json:4[\s\S]*instead/)).replaceAll(
      /\n {3}/g,
      ' ',
    );
    expect(shown).toMatch(/keybindings\.json:2: Unknown\s+action "app\.hlep"\. Did you mean "app\.help"\?/);
    expect(shown).toMatch(/keybindings\.json:3:\s+"app\.tools\.expand": "nokey" is not a key\./);
    expect(shown).toMatch(/mine\.json:\d+:? [\s\S]*"dark" is used/);
    tui.type(`/keys${keys.enter}`);
    await tui.shows('── Help ─');
    tui.type('history');
    await tui.shows(/ctrl\+y +history/i);
  });

  it('actions that pi has and Robota lacks are told once', async () => {
    const folder = join(desk.stage.home, '.pi/agent');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'keybindings.json'), '{"app.models.save": "ctrl+s", "app.help": "f2"}');
    desk.stage.server.reply(anthropicReply({ text: 'One.' }), anthropicReply({ text: 'Two.' }));
    const first = await open(['first']);
    expect(await first.shows(/One\.[\s\S]*> Ask/)).toMatch(/Unknown\s+action\s+"app\.models\.save"/);
    first.type(keys.ctrlD);
    await first.exit;
    const second = await open(['second']);
    expect(await second.shows(/Two\.[\s\S]*> Ask/)).not.toContain('app.models.save');
  });
});
