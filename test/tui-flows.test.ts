import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { anthropicChunks, anthropicReply, eventStream } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it, vi } from 'vitest';
import {
  expectNothingWiped,
  expectOnceInOrder,
  hangingAnswer,
  keys,
  openClassicShop,
  prompt,
  tuiHarness,
} from './tui.ts';

const desk = tuiHarness(openClassicShop, expectNothingWiped);
const { open } = desk;

const trueColour = { env: { COLORTERM: 'truecolor' } };
const call = (name: string, input: object) => anthropicReply({ toolCalls: [{ name, input }] });
const write = (file: string) => call('Write', { file_path: file, content: 'x\n' });

/** The user's text in the last message of a request. */
function said(request: number): string[] {
  const texts = (desk.stage.messages(request).at(-1)?.content ?? []).map(({ text = '' }) => text);
  return texts.filter((text) => text !== '' && !text.startsWith('<reminder>'));
}

/** Which of the traffic lights a colour is, by its red and green. */
function lightOf(colour = 0): 'green' | 'yellow' | 'red' {
  const [red, green] = [(colour >> 16) & 255, (colour >> 8) & 255];
  if (red > green * 1.3) return 'red';
  return red > green * 0.95 ? 'yellow' : 'green';
}

describe('the line at the foot', () => {
  it('has the context in its colours, messages, tokens, place and branch', async () => {
    proves('C-8', 'C-10', 'P-116');
    await desk.stage.settings({ compaction: { enabled: false } });
    await desk.stage.file('.git/HEAD', 'ref: refs/heads/topic\n');
    const used = [690_000, 720_000, 890_000, 910_000];
    desk.stage.server.reply(
      ...used.map((input) => anthropicReply({ text: `${input} tokens`, usage: { input } })),
    );
    const tui = await open([], { ...trueColour, columns: 160 });
    const lights: string[] = [];
    for (const [index, input] of used.entries()) {
      tui.type(`go${keys.enter}`);
      await tui.shows(`${input} tokens`);
      const percent = `${Math.floor(input / 10_000)}%`;
      await tui.shows(new RegExp(`ctx ${percent} \\(${input / 1000}K/1M\\) .* ${2 * index + 2} msgs`));
      lights.push(lightOf((await tui.styleOf(`${percent} (`)).colour));
    }
    expect(lights).toEqual(['green', 'yellow', 'yellow', 'red']);
    const foot =
      /\n default · Claude Sonnet 4\.6 · .* · \$[\d.]+ · 8 msgs · auto-compact off · ↑[\d.]+M ↓\d+ · shop · topic$/;
    await tui.shows(foot);
  });

  it('tells what changed for a moment; the next one takes its place', async () => {
    proves('P-120', 'P-121', 'P-123');
    desk.stage.server.reply(
      anthropicReply({
        thinking: { text: 'A first thought.\nAnd more of it.', signature: 's' },
        text: 'One.',
      }),
      anthropicReply({
        thinking: { text: 'A second thought.\nAnd more of it.', signature: 's' },
        text: 'Two.',
      }),
    );
    const tui = await open();
    tui.type(`one${keys.enter}`);
    await tui.shows(/│ A first thought\.\n {3}│ And more of it\.\n\n {3}One\./);
    expect((await tui.styleOf('A first thought')).isItalic).toBe(true);
    tui.type(keys.ctrlT);
    await tui.shows(/Thinking is hidden\.$/);
    tui.type(keys.ctrlP);
    await tui.shows(/Model: Claude [^\n]+$/);
    expect((await tui.viewport()).at(-1)).not.toContain('Thinking is hidden');
    tui.type(`two${keys.enter}`);
    await tui.shows('Two.');
    expect(await tui.screen()).toMatch(/Thought: A second thought\. And more of it\.\n\n {3}Two\./);
    expect(desk.stage.server.requests.map(({ body }) => (body as { model: string }).model)[1]).not.toBe(
      'claude-sonnet-4-6',
    );
    await vi.waitFor(async () => expect((await tui.viewport()).at(-1)).toMatch(/default · Claude/));
  });
});

describe('the colours', () => {
  it('are others at once when they are chosen, and stay', async () => {
    proves('P-124');
    const tui = await open([], trueColour);
    const { colour } = await tui.styleOf('default · Claude');
    tui.type(`/theme${keys.enter}`);
    await tui.shows('Theme');
    tui.type(keys.down + keys.down);
    await tui.shows(/❯ light +built in/);
    tui.type(keys.enter);
    await tui.shows('The theme is light.');
    tui.type(`/mode default${keys.enter}`);
    await tui.shows(/\n default · Claude[^\n]*$/);
    await vi.waitFor(async () => expect((await tui.styleOf('default · Claude')).colour).not.toBe(colour));
    const kept = JSON.parse(await readFile(join(desk.stage.home, '.robota/settings.json'), 'utf8'));
    expect(kept.theme).toBe('light');
  });
});

describe('the model', () => {
  it('is found by its name and size, and is another one at once', async () => {
    proves('C-47');
    desk.stage.server.handle(() => anthropicReply({ text: 'Seen.' }));
    const tui = await open();
    tui.type('/model anthropic/claude-opus-4-6');
    await tui.shows(/anthropic\/claude-opus-4-6 +Claude Opus 4\.6 \(1M\)/);
    tui.type(keys.enter);
    await tui.shows('The model is now Claude Opus 4.6 (1M).');
    await tui.shows(/\n default · Claude Opus 4\.6 · [^\n]*$/);
    tui.type(`hello${keys.enter}`);
    await tui.shows('Seen.');
    expect(desk.stage.server.requests.at(-1)?.body).toMatchObject({ model: 'claude-opus-4-6' });
  });

  it('changes without a question or a restart, and leaves the settings as they are', async () => {
    proves('C-48', 'C-49');
    desk.stage.server.handle(() => anthropicReply({ text: 'Seen.' }));
    const tui = await open();
    tui.type(`hello${keys.enter}`);
    await tui.shows('Seen.');
    tui.type(`/model claude-opus-4-6${keys.enter}`);
    await tui.shows('The model is now Claude Opus 4.6 (1M).');
    tui.type(`and now?${keys.enter}`);
    await vi.waitFor(() => expect(desk.stage.server.requests).toHaveLength(2));
    expect(desk.stage.server.requests[1]?.body).toMatchObject({ model: 'claude-opus-4-6' });
    expect(desk.stage.messages(1)).toHaveLength(3);
    const kept = await readFile(join(desk.stage.home, '.robota/settings.json'), 'utf8').catch(() => '{}');
    expect(JSON.parse(kept)).not.toHaveProperty('model');
  });

  it('is asked the same as without a screen', async () => {
    proves('P-70');
    desk.stage.server.handle(() => anthropicReply({ text: 'Seen.' }));
    const tui = await open(['what is here?']);
    await tui.shows(/Seen\.[\s\S]*1 turn/);
    await desk.stage.robota(['-p', '--model', 'claude-sonnet-4-6', 'what is here?']);
    const [screen, print] = desk.stage.server.requests.map(({ body }) => body as Record<string, unknown>);
    expect(screen?.['messages']).toEqual(print?.['messages']);
    expect(screen?.['model']).toEqual(print?.['model']);
  });
});

describe('calls', () => {
  it('show their state by sign, colour and strike', async () => {
    proves('C-16', 'C-22', 'C-23', 'C-24', 'C-25', 'C-85', 'C-86', 'C-89');
    await desk.stage.file('cart.ts', 'const total = 1;\n');
    const long = `src/${'very-long-folder/'.repeat(8)}the-file-at-the-end.ts`;
    desk.stage.server.reply(
      anthropicReply({
        toolCalls: [
          { name: 'Read', input: { file_path: 'cart.ts', limit: 5 } },
          { name: 'Read', input: { file_path: long } },
          { name: 'Bash', input: { command: 'rm -r src' } },
          { name: 'Edit', input: { file_path: 'cart.ts', old_string: 'total = 1', new_string: 'total = 2' } },
        ],
      }),
      call('Bash', { command: 'until [ -e go ]; do sleep 0.05; done' }),
      anthropicReply({ text: 'Done.' }),
    );
    const tui = await open(
      [
        '--permission-mode',
        'acceptEdits',
        '--deny',
        'Bash(rm *)',
        '--allow',
        'Bash(until [ -e go ]; do sleep 0.05; done)',
      ],
      { ...trueColour, columns: 120 },
    );
    tui.type(`go${keys.enter}`);
    await tui.shows('⟳ Bash(until');
    expect(lightOf((await tui.styleOf('⟳ Bash')).colour)).toBe('yellow');
    expect(await tui.styleOf('Bash(until')).toMatchObject({ isStruck: false });
    await desk.stage.file('go', '');
    const shown = await tui.shows(/Tool: \[5 tools\]/);
    expect(shown).toContain('✓ Read(cart.ts)');
    expect(lightOf((await tui.styleOf('✓ Edit')).colour)).toBe('green');
    const [, cut = ''] = /✗ Read\((.*)\)/.exec(shown) ?? [];
    expect(cut).toMatch(/^src\/very-long-folder\/.*….*the-file-at-the-end\.ts$/);
    expect(cut.split('…')[1]).toBe(long.slice(-30));
    expect(cut.length).toBeLessThanOrEqual(80);
    expect(lightOf((await tui.styleOf('✗ Read')).colour)).toBe('red');
    expect((await tui.styleOf('Read(src/')).isStruck).toBe(true);
    const denied = await tui.styleOf('⊘ Bash(rm');
    expect([lightOf(denied.colour), denied.isBold]).toEqual(['yellow', true]);
    expect((await tui.styleOf('Bash(rm -r')).isStruck).toBe(true);
    expect((await tui.styleOf('Tools:')).isBold).toBe(true);
    expect((await tui.styleOf('Tool: [')).isBold).toBe(true);
    expect((await tui.styleOf('[5 tools]')).isBold).toBe(false);
    expect(shown).toMatch(
      /✓ Edit\(cart\.ts\)\n {5}│ cart\.ts\n {5}│ 1 - const total = 1;\n {5}│ 1 \+ const total = 2;\n/,
    );
    expect(lightOf((await tui.styleOf('1 - const')).colour)).toBe('red');
    expect(lightOf((await tui.styleOf('1 + const')).colour)).toBe('green');
    tui.type(keys.ctrlO);
    await tui.shows('History');
    expect(await tui.screen()).toMatch(
      /✓ Edit\(cart\.ts\)\n.* 1 - const total = 1;\n.* 1 \+ const total = 2;/,
    );
    tui.type('q');
    await tui.shows(prompt);
  });

  it('many of them stand in the scrollback once, and nothing is painted twice', async () => {
    proves('C-98', 'C-99', 'P-114', 'P-115');
    const files = Array.from({ length: 60 }, (_, index) => `file-${index + 1}.txt`);
    for (const name of files) await desk.stage.file(name, name);
    desk.stage.server.reply(
      anthropicReply({
        toolCalls: files.map((file_path, index) => ({ id: `t${index}`, name: 'Read', input: { file_path } })),
      }),
      anthropicReply({ text: Array.from({ length: 50 }, (_, index) => `paragraph ${index + 1}\n\n`) }),
    );
    const tui = await open();
    tui.type(`read all${keys.enter}`);
    await tui.shows(/paragraph 50[\s\S]*Tool: \[60 tools\]/);
    expectOnceInOrder(await tui.screen(), [
      ...files.map((name) => `✓ Read(${name})`),
      ...files.slice(0, 50).map((_, index) => `paragraph ${index + 1}\n`),
    ]);
    const before = tui.raw.length;
    tui.type('some more words, key by key');
    await tui.shows('key by key');
    expect(tui.raw.slice(before)).not.toMatch(/paragraph|Read/);
    tui.type(keys.ctrlU);
    await tui.shows(prompt);
    for (const mode of ['plan', 'default']) {
      tui.type(`/mode ${mode}${keys.enter}`);
      await tui.shows(`Permission mode: ${mode} (this session only)`);
    }
    expect(await tui.screen()).toMatch(/\(this session only\)\.\n\n \/mode default\n/);
  });

  it('a light goes through the word while something is waited for, and stands still where it should', async () => {
    proves('C-103');
    desk.stage.server.handle(() => hangingAnswer([]));
    const tui = await open(['think'], trueColour);
    await tui.shows('Thinking…');
    const colours = new Set<number | undefined>();
    await vi.waitFor(async () => {
      colours.add((await tui.styleOf('Thinking…')).colour);
      expect(colours.size).toBeGreaterThan(1);
    });
    tui.kill('SIGKILL');
    await tui.exit;
    const still = await open(['--no-animation', 'think'], trueColour);
    await still.shows(/Thinking… 1s/);
    const { colour } = await still.styleOf('Thinking…');
    await still.shows(/Thinking… (?!1s)\d+s/);
    expect((await still.styleOf('Thinking…')).colour).toBe(colour);
  });
});

describe('questions', () => {
  it('are answered one after the other: once, for the session, for the project, and no with words', async () => {
    proves('C-104');
    desk.stage.server.reply(
      anthropicReply({
        toolCalls: ['a.txt', 'b.txt'].map((file_path, index) => ({
          id: `t${index}`,
          name: 'Write',
          input: { file_path, content: 'x\n' },
        })),
      }),
      write('c.txt'),
      write('c.txt'),
      write('d.txt'),
      write('e.txt'),
      anthropicReply({ text: 'Done.' }),
    );
    const tui = await open(['go']);
    await tui.shows(/Create a\.txt/);
    tui.type(keys.enter);
    await tui.shows(/Create b\.txt[^❯]*❯ 1 {2}Allow once/);
    tui.type(keys.up);
    await tui.shows('❯ 4  Deny, and say');
    tui.type(keys.enter);
    await tui.shows(/esc back/);
    tui.type(`use another name${keys.enter}`);
    await tui.shows(/use another name[\s\S]*Allow edits to c\.txt in this project/);
    expect(JSON.stringify(desk.stage.results(1))).toContain('use another name');
    tui.type(`3${keys.enter}`);
    await tui.shows(/Create d\.txt[\s\S]*Allow all edits in this session/);
    tui.type(`2${keys.enter}`);
    await tui.shows(/Tool: \[6 tools\]/);
    await tui.shows('accept edits');
    expect(desk.stage.server.requests).toHaveLength(6);
    const rules = JSON.parse(await readFile(join(desk.stage.cwd, '.robota/settings.local.json'), 'utf8'));
    expect(rules.permissions.allow).toEqual(['Edit(/c.txt)']);
    const shown = await tui.screen();
    for (const line of ['✓ Write(a.txt)', '⊘ Write(b.txt)', 'They said: use another name'])
      expect(shown).toContain(line);
    expect(shown).not.toContain('allowed once');
  });

  it('modes change with one key, and levels of thinking with another; the keys of pi are a setting', async () => {
    const tui = await open([]);
    await tui.shows(/default · .*ctx/);
    for (const mode of ['accept edits', 'plan', 'default']) {
      tui.type('\x1b[Z');
      await tui.shows(`Mode: ${mode} (this session)`);
    }
    tui.type('\x1bt');
    await tui.shows('Thinking: minimal');
    tui.type(`/config set keys pi${keys.enter}`);
    await tui.shows(/keys is now|keys = |pi/);
    await tui.shows(prompt);
    tui.type('\x1b[Z');
    await tui.shows('Thinking: low');
  });

  it('a model that cannot think has no thinking level to show or change', async () => {
    const tui = await open(['--model', 'offline', '--thinking', 'high']);
    await tui.shows(/default · Offline.*ctx/);
    tui.type('\x1bt');
    expect(await tui.shows('Offline (rules, not AI) has no thinking levels.')).not.toContain('thinking high');
  });

  it('bypassing permissions is among the modes of the key only if the program was started with it', async () => {
    const tui = await open(['--permission-mode', 'bypassPermissions']);
    await tui.shows(/bypass · .*ctx/);
    for (const mode of ['default', 'accept edits', 'plan', 'bypass']) {
      tui.type('\x1b[Z');
      await tui.shows(`Mode: ${mode} (this session)`);
    }
  });

  it('takes no key that is typed as it appears: the text stays in the editor', async () => {
    desk.stage.server.reply(
      eventStream([
        { pauseMs: 400 },
        ...anthropicChunks({ toolCalls: [{ name: 'Write', input: { file_path: 'a.txt', content: 'x' } }] }),
      ]),
      anthropicReply({ text: 'Done.' }),
    );
    const tui = await open(['go']);
    await tui.shows('Thinking');
    for (let index = 0; !(await tui.screen()).includes('Allow once') || index % 3 > 0; index++)
      tui.send(`${index % 10}`);
    tui.type(keys.enter);
    tui.type(keys.down);
    await tui.shows('❯ 1  Allow once');
    tui.type(keys.enter);
    await tui.shows('Done.');
    await tui.shows(/\n ?> [0-9]{2,}\n/);
    expect((await tui.screen()).match(/\n ?> ([0-9]+)\n/)?.[1]).toMatch(/^0123/);
  });
});

describe('what is entered during a run', () => {
  it('is shown, steers the run, and what is for later comes after it', async () => {
    proves('P-118');
    desk.stage.server.reply(
      call('Bash', { command: 'until [ -e go ]; do sleep 0.05; done' }),
      anthropicReply({ text: 'Steered.' }),
      anthropicReply({ text: 'Followed.' }),
    );
    const tui = await open(['--permission-mode', 'bypassPermissions', 'begin']);
    await tui.shows('Running until [ -e go ]');
    tui.type(`later please${keys.altEnter}`);
    tui.type(`now please${keys.enter}`);
    await tui.shows(/next: now please\n.*later: later please/);
    await desk.stage.file('go', '');
    await tui.shows(/Followed\.[\s\S]*turn/);
    expect([said(1), said(2)]).toEqual([['now please'], ['later please']]);
    const shown = await tui.screen();
    expect(shown).not.toContain('◷');
    expectOnceInOrder(shown, [
      '> begin',
      '✓ Bash(',
      '> now please',
      'Steered.',
      '> later please',
      'Followed.',
    ]);
  });

  it('comes back into the editor: with alt+up, and with Ctrl+C that also stops the run', async () => {
    proves('P-119');
    desk.stage.server.reply(hangingAnswer(['Half of it.']), anthropicReply({ text: 'Both.' }));
    const tui = await open(['begin']);
    await tui.shows('Half of it.');
    tui.type(`one${keys.enter}`);
    await tui.shows('next: one');
    tui.type(keys.altUp);
    await tui.shows(/\n> one\n/);
    tui.type(` and a half${keys.enter}`);
    tui.type(`two${keys.enter}`);
    await tui.shows(/next: one and a half\n.*next: two/);
    tui.type(keys.ctrlC);
    await tui.shows(/interrupted[\s\S]*\n> one and a half\n {2}two\n/);
    tui.type(keys.enter);
    await tui.shows('Both.');
    expect(said(1)).toEqual(['one and a half\ntwo']);
    tui.type(keys.ctrlC);
    await tui.shows('again');
    tui.type(keys.ctrlC);
    expect(await tui.exit).toBe(0);
  });
});
