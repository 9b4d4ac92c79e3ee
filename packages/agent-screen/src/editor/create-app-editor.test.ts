import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  createInteractiveSession,
  dispatchInput,
  type InteractiveSession,
  runPluginRequest,
} from '@robota-sdk/agent-sdk/front-end';
import { proves } from '@robota-sdk/agent-testing/proves';
import { plainText, textWidth } from '@robota-sdk/agent-tui';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { pressed, type TestStage, testStage } from '../dialogs/fixtures/test-stage.ts';
import { createAppKeybindings } from '../keys/app-actions.ts';
import type { AppEditor } from './app-editor.ts';
import { createAppEditor } from './create-app-editor.ts';
import { mentionProvider } from './mention-provider.ts';
import { pathProvider } from './path-provider.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
const opened: InteractiveSession[] = [];

afterEach(async () => {
  for (const session of opened.splice(0)) await session.shutdown();
});

interface EditorHarness {
  readonly stage: TestStage;
  readonly editor: AppEditor;
  readonly sent: string[];
  readonly cwd: string;
  readonly home: string;
  /** Types characters, or presses keys by id. */
  type(text: string): void;
  press(...keys: string[]): void;
  shown(columns?: number): string[];
}

/** An editor in a new project, with files below the project or below the home (`~/…`). */
async function openDesk(
  files: Readonly<Record<string, string>> = {},
  { env = {}, hasSession = true, from }: DeskOptions = {},
): Promise<EditorHarness> {
  const root = from ? dirname(from.cwd) : await realpath(await mkdtemp(join(tmpdir(), 'robota-editor-')));
  const [cwd, home] = [join(root, 'project'), join(root, 'home')];
  const all = { 'README.md': '', '~/.keep': '', ...files };
  for (const [name, content] of Object.entries(all)) {
    const path = name.startsWith('~/') ? join(home, name.slice(2)) : join(cwd, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
  const stage = testStage();
  const host = {
    env: { PATH: process.env.PATH, HOME: home, ROBOTA_HOME: join(home, '.robota'), ...env },
    home,
  };
  if (hasSession) {
    const trusted = { cwd, host, trustProject: true } as const;
    stage.session = await createInteractiveSession({ ...trusted, model: 'offline', store: 'none' });
    opened.push(stage.session);
  }
  const sent: string[] = [];
  const editor = createAppEditor(stage, {
    cwd,
    env: host.env,
    platform: 'linux',
    onSubmit: (text) => sent.push(text),
  });
  return {
    stage,
    editor,
    sent,
    cwd,
    home,
    type: (text) => {
      for (const character of text) editor.handleInput(pressed(character === ' ' ? 'space' : character));
    },
    press: (...keys) => {
      for (const key of keys) editor.handleInput(pressed(key));
    },
    shown: (columns = 80) => editor.render(columns).map((line) => plainText(line).trimEnd()),
  };
}

interface DeskOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly hasSession?: boolean;
  /** Another desk in the same place. */
  readonly from?: EditorHarness;
}

describe('completion of commands', () => {
  it('opens with a slash, narrows, moves and closes', async () => {
    proves('C-37', 'C-38', 'C-41', 'C-42', 'C-45');
    const { type, press, shown, editor } = await openDesk();
    type('/');
    expect(shown().join('\n')).toMatch(/> \/help|1\/\d+/);
    type('mo');
    expect(shown().slice(3)).toEqual([
      '> /model  Show or switch the model',
      '  /mode   Show or change the permission mode ▸',
    ]);
    press('down');
    expect(shown()[4]).toMatch(/^> \/mode /);
    press('escape');
    expect(shown()).toHaveLength(3);
    expect(editor.text).toBe('/mo');
    press('backspace', 'backspace', 'backspace');
    expect(shown()).toHaveLength(3);
  });

  it('enter runs a command, tab completes it, subcommands open a menu', async () => {
    proves('C-39', 'C-40', 'C-43');
    const { type, press, shown, sent, editor } = await openDesk();
    type('/hel');
    press('enter');
    expect(sent).toEqual(['/help']);
    type('/mod');
    press('tab');
    expect(editor.text).toBe('/mode');
    press('tab');
    expect(
      shown()
        .slice(3)
        .map((line) => line.slice(2).split(/\s/)[0]),
    ).toEqual(['plan', 'default', 'acceptEdits', 'bypassPermissions']);
    type('pl');
    press('enter');
    expect(sent).toEqual(['/help', '/mode plan']);
  });

  it('shows the skills of plugins with their plugin', async () => {
    proves('C-46');
    const before = await openDesk(
      {
        'kit/.claude-plugin/plugin.json': JSON.stringify({ name: 'tidy-kit', version: '1.0.0' }),
        'kit/skills/modernise/SKILL.md': '---\nname: modernise\ndescription: Modernises a module\n---\nDo.\n',
      },
      { hasSession: false },
    );
    const host = { env: { ROBOTA_HOME: join(before.home, '.robota') }, home: before.home };
    const ui = { ask: async () => ({ kind: 'dismissed' }) as const, notify: () => {} };
    await runPluginRequest(['install', './kit', '--yes'], { cwd: before.cwd, host, ui });
    const { type, press, shown, editor } = await openDesk({}, { from: before });
    type('/moder');
    expect(shown().slice(3)).toEqual(['  ── skills ──', '> /modernise (tidy-kit) Modernises a module']);
    press('enter');
    expect(editor.isEmpty).toBe(true);
  });

  it('groups by source: built-in commands, those of files, then skills', async () => {
    proves('C-44');
    const skill = (name: string, description: string) =>
      `---\nname: ${name}\ndescription: ${description}\n---\nDo it.\n`;
    const { type, shown, editor } = await openDesk({
      '.robota/commands/motd.md': '---\ndescription: Writes a greeting\n---\nGreet.\n',
      '.robota/skills/modernise/SKILL.md': skill('modernise', '모듈을 새롭게'),
    });
    type('/mo');
    expect(shown().slice(3)).toEqual([
      expect.stringMatching(/^> \/model /),
      expect.stringMatching(/^ {2}\/mode /),
      '  ── .robota/commands ──',
      expect.stringMatching(/^ {2}\/motd +Writes a greeting$/),
      '  ── skills ──',
      expect.stringMatching(/^ {2}\/modernise +모듈을 새롭게$/),
    ]);
    for (const columns of [20, 40])
      for (const line of editor.render(columns)) expect(textWidth(line)).toBeLessThanOrEqual(columns);
  });

  it('another name of a command counts where it was begun', async () => {
    const { type, shown } = await openDesk();
    type('/backg');
    expect(shown()[3]).toMatch(/^> \/background/);
  });

  it('asks the command for what it takes', async () => {
    proves('C-39');
    const { type, press, shown, sent, editor } = await openDesk();
    type('/config ex');
    await vi.waitFor(() => expect(shown()[3]).toMatch(/^> explain\s+▸$/));
    press('enter');
    await vi.waitFor(() => expect(shown()[3]).toBe('> model'));
    type('lang');
    await vi.waitFor(() => expect(shown()[3]).toBe('> language'));
    press('tab');
    expect(editor.text).toBe('/config explain language ');
    press('enter');
    expect(sent).toEqual(['/config explain language ']);
  });

  it('there are none before there is a session', async () => {
    proves('C-37');
    const { type, shown, press, sent } = await openDesk({}, { hasSession: false });
    type('/mo');
    expect(shown()).toHaveLength(3);
    press('enter');
    expect(sent).toEqual(['/mo']);
  });
});

describe('completion of mentions', () => {
  it('finds files behind an @, also with blanks in their names', async () => {
    proves('P-106', 'E-33');
    const { type, press, shown, editor } = await openDesk({
      'src/cart.ts': '',
      'my notes/장바구니 메모.md': '',
    });
    type('look at @car');
    await vi.waitFor(() => expect(shown()[3]).toBe('> @src/cart.ts'));
    press('enter');
    expect(editor.text).toBe('look at @src/cart.ts ');
    type('@file:my');
    await vi.waitFor(() => expect(shown()[3]).toMatch(/^> @file:"my notes\/"/));
    press('enter');
    await vi.waitFor(() => expect(shown()[3]).toBe('> @file:"my notes/장바구니 메모.md"'));
    press('enter');
    expect(editor.text).toBe('look at @src/cart.ts @file:"my notes/장바구니 메모.md" ');
  });

  it('lists agents, and replaces the nearest mention', async () => {
    proves('E-35', 'E-36');
    const { type, press, shown, editor } = await openDesk({
      '.robota/agents/reviewer.md': '---\nname: reviewer\ndescription: Reviews changes\n---\nReview.\n',
    });
    type('@README.md @agent:rev');
    await vi.waitFor(() => expect(shown()[3]).toMatch(/^> @agent:reviewer +Reviews changes$/));
    press('tab');
    expect(editor.text).toBe('@README.md @agent:reviewer ');
  });
});

describe('words before the caret', () => {
  it('sees no mention in an email address', () => {
    proves('P-94');
    const provider = mentionProvider(() => undefined);
    expect(provider.find({ before: 'me@x', after: '', line: 0 })).toBeUndefined();
    expect(provider.find({ before: 'to (@x', after: '', line: 3 })).toEqual({
      start: 4,
      end: 6,
      query: '@x',
    });
    const quoted = provider.find({ before: 'see @file:"my di', after: 'r/a.ts" b', line: 0 });
    expect(quoted).toEqual({ start: 4, end: 23, query: '@file:"my di' });
  });

  it('sees paths that are no mention and no shell command', () => {
    proves('P-94');
    const provider = pathProvider(() => undefined);
    const queryOf = (before: string) => provider.find({ before, after: '', line: 0 })?.query;
    expect(['a ./src/x', 'f=src/', 'word', '@src/a', '!bin/a'].map(queryOf)).toEqual([
      './src/x',
      'src/',
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('the history', () => {
  it('is kept for the next session: the same project first, then all, and only for the user', async () => {
    proves('P-90');
    const first = await openDesk();
    first.type('fix 버그');
    first.press('enter');
    const elsewhere = await openDesk({}, { env: { ROBOTA_HOME: join(first.home, '.robota') } });
    elsewhere.type('of another project');
    elsewhere.press('enter');
    const folder = join(first.home, '.robota', 'history');
    await vi.waitFor(async () => {
      expect(await readdir(folder)).toHaveLength(3);
      expect((await readFile(join(folder, 'all.jsonl'), 'utf8')).trim().split('\n')).toHaveLength(2);
    });
    for (const name of await readdir(folder))
      expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    const again = await openDesk({}, { from: first });
    await vi.waitFor(() => expect(again.editor.history.entries).toHaveLength(2));
    again.press('up');
    expect(again.editor.text).toBe('fix 버그');
    again.press('up', 'up');
    expect(again.editor.text).toBe('of another project');
    again.press('ctrl+r');
    again.type('버그');
    expect(again.shown()).toContain(' history search: 버그');
    expect(again.shown()[1]).toBe('> fix 버그');
  });

  it('holds no secrets', async () => {
    proves('P-90');
    const desk = await openDesk();
    desk.type('use sk-ant-REDACTED please');
    desk.press('enter');
    const file = join(desk.home, '.robota', 'history', 'all.jsonl');
    await vi.waitFor(async () => expect(await readFile(file, 'utf8')).toContain('please'));
    expect(await readFile(file, 'utf8')).not.toContain('abcdefghij');
    expect(desk.sent).toEqual(['use sk-ant-REDACTED please']);
  });
});

describe('the follow-up key', () => {
  it('queues the text during a run, and breaks the line otherwise', () => {
    proves('P-86');
    const followUps: string[] = [];
    let isRunning = false;
    const editor = createAppEditor(testStage(), {
      cwd: '.',
      env: {},
      onSubmit: () => undefined,
      onFollowUp: (text) => followUps.push(text),
      canFollowUp: () => isRunning,
    });
    for (const key of ['다', 'alt+enter', '음']) editor.handleInput(pressed(key));
    expect(editor.text).toBe('다\n음');
    isRunning = true;
    editor.handleInput(pressed('alt+enter'));
    expect([followUps, editor.isEmpty]).toEqual([['다\n음'], true]);
  });

  it('recalls the history by keys of its own', () => {
    proves('P-90');
    const keys = createAppKeybindings({ 'app.historyUp': ['f7'], 'app.historyDown': ['f8'] });
    const stage = Object.assign(testStage(), { keys });
    const editor = createAppEditor(stage, { cwd: '.', env: {}, onSubmit: () => undefined });
    for (const key of ['a', 'enter', 'b', 'ctrl+j', 'c', 'f7', 'f8']) editor.handleInput(pressed(key));
    expect(editor.text).toBe('b\nc');
    editor.clear();
    editor.handleInput(pressed('f7'));
    expect(editor.text).toBe('a');
  });
});

describe('the external editor', () => {
  const script = (body: string) => `#!/bin/sh\n${body}\n`;
  async function withEditor(body: string): Promise<EditorHarness> {
    const desk = await openDesk({ '~/edit': script(body) }, {});
    await chmod(join(desk.home, 'edit'), 0o700);
    return openDesk({}, { from: desk, env: { EDITOR: `${join(desk.home, 'edit')} --wait` } });
  }

  it('gets the text in a file of the user alone, which is gone afterwards', async () => {
    const desk = await withEditor(
      'test "$1" = --wait && stat -c %a "$2" >> "$0.log"; echo "$2" >> "$0.log"; printf "\\nmore 글\\n" >> "$2"',
    );
    desk.type('draft');
    desk.press('ctrl+g');
    await vi.waitFor(() => expect(desk.editor.text).toBe('draft\nmore 글'));
    expect(desk.stage.lent.count).toBe(1);
    const [mode, path = ''] = (await readFile(join(desk.home, 'edit.log'), 'utf8')).trim().split('\n');
    expect(mode).toBe('600');
    await vi.waitFor(() => expect(stat(path)).rejects.toThrow('ENOENT'));
  });

  it('says what is wrong, and leaves the text as it was', async () => {
    const desk = await withEditor('exit 3');
    desk.type('draft');
    desk.press('ctrl+g');
    await vi.waitFor(() =>
      expect(desk.stage.lines.join()).toMatch(/could not be used: it ended with code 3/),
    );
    expect(desk.editor.text).toBe('draft');
    const none = await openDesk({}, { env: { PATH: '' } });
    none.press('ctrl+g');
    await vi.waitFor(() => expect(none.stage.lines.join()).toContain('Set VISUAL or EDITOR'));
  });

  it('is one that machines have where none is named', async () => {
    const desk = await openDesk({ '~/vi': script('printf "from vi" > "$1"') }, {});
    await chmod(join(desk.home, 'vi'), 0o700);
    const path = process.env['PATH'];
    process.env['PATH'] = `${desk.home}:${path}`;
    try {
      const next = await openDesk({}, { from: desk, env: { PATH: desk.home } });
      next.press('ctrl+g');
      await vi.waitFor(() => expect(next.editor.text).toBe('from vi'));
    } finally {
      process.env['PATH'] = path;
    }
  });
});

describe('images', () => {
  it('are pasted from the clipboard as a token that gives them to the model', async () => {
    proves('P-103');
    const place = await openDesk({ '~/bin/wl-paste': '#!/bin/sh\ncat "$(dirname "$0")/clip.png"\n' });
    await writeFile(join(place.home, 'bin', 'clip.png'), png);
    await chmod(join(place.home, 'bin', 'wl-paste'), 0o700);
    const env = { PATH: `${join(place.home, 'bin')}:${process.env.PATH}`, WAYLAND_DISPLAY: 'wayland-0' };
    const desk = await openDesk({}, { from: place, env });
    desk.type('what is ');
    desk.press('ctrl+v');
    await vi.waitFor(() => expect(desk.shown()[1]).toMatch(/^> what is \[image [0-9a-f]{12}\.png 1x1\]$/));
    const [, file = ''] = /@file:"([^"]+)"$/.exec(desk.editor.text) ?? [];
    expect(dirname(file)).toBe(join(desk.home, '.robota', 'cache', 'images'));
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file)).toEqual(png);
    desk.press('enter');
    const notices: string[] = [];
    desk.stage.session?.on('notice', ({ text }) => notices.push(text));
    await dispatchInput(desk.stage.session as InteractiveSession, desk.sent[0] ?? '');
    const content = JSON.stringify(desk.stage.session?.getMessages());
    expect(content).toContain(png.toString('base64'));
    expect(notices.join()).not.toContain('outside the workspace');
    desk.press('backspace');
    expect(desk.editor.text).toBe('');
  });

  it('says what is missing', async () => {
    proves('P-103');
    const desk = await openDesk({}, { env: { PATH: '/nowhere', DISPLAY: ':0' } });
    desk.press('ctrl+v');
    await vi.waitFor(() => expect(desk.stage.told.join()).toMatch(/needs xclip: install it/));
    const empty = await openDesk({ '~/xclip': '#!/bin/sh\nexit 1\n' });
    await chmod(join(empty.home, 'xclip'), 0o700);
    const again = await openDesk({}, { from: empty, env: { PATH: empty.home, DISPLAY: ':0' } });
    again.press('ctrl+v');
    await vi.waitFor(() => expect(again.stage.told.at(-1)).toBe('No image in the clipboard.'));
    const remote = await openDesk();
    remote.press('ctrl+v');
    await vi.waitFor(() =>
      expect(remote.stage.told.at(-1)).toMatch(/Cannot read images from the clipboard here/),
    );
  });

  it('are dropped as tokens, while paths of other files stay texts', async () => {
    const desk = await openDesk();
    const [image, other] = [join(desk.cwd, 'my shot.png'), join(desk.cwd, 'README.md')];
    await writeFile(image, png);
    desk.editor.handleInput({ type: 'paste', text: `'${image}' ${other}` });
    expect(desk.shown()[1]).toContain('[image my shot.png 1x1]');
    expect(desk.editor.text).toBe(`@file:"${image}" ${other}`);
    desk.editor.clear();
    desk.editor.handleInput({ type: 'paste', text: other });
    expect(desk.editor.text).toBe(other);
  });
});

describe('the editor', () => {
  it('shows the level of thinking by its borders, and a command for the shell', async () => {
    proves('P-93', 'P-117');
    const desk = await openDesk();
    const painted: string[] = [];
    const stage = testStage({
      paint: (token, text) => {
        painted.push(token);
        return text;
      },
    });
    const options = { cwd: desk.cwd, env: {}, onSubmit: () => {} };
    const early = createAppEditor(stage, options);
    early.render(40);
    // The suggestion in the empty editor is dim.
    expect([...new Set(painted)]).toEqual(['border', 'dim']);
    stage.session = desk.stage.session;
    const editor = createAppEditor(stage, options);
    const borders = () => {
      painted.length = 0;
      editor.render(40);
      return [...new Set(painted)];
    };
    expect(borders()).toEqual(['thinkingOff', 'dim']);
    editor.text = '!ls';
    expect(borders()).toEqual(['bashMode']);
    editor.text = 'ls';
    expect(borders()).toEqual(['thinkingOff']);
  });

  it('takes ten megabytes as one token and sends all of it', async () => {
    proves('P-89');
    const desk = await openDesk();
    const text = '한글 line\n'.repeat(1_000_000);
    desk.editor.handleInput({ type: 'paste', text });
    desk.type(' x');
    expect(desk.shown()[1]).toMatch(/^> \[paste #1 \+1000000 lines\] x$/);
    desk.press('enter');
    expect(desk.sent[0]).toBe(`${text} x`);
  });
});
