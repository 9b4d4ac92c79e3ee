import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dayOf, readInput } from '@robota-sdk/agent-sdk/front-end';
import { proves } from '@robota-sdk/agent-testing/proves';
import { createRenderStyle } from '@robota-sdk/agent-tui';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { callTurn, openScripted } from '../../../agent-sdk/src/fixtures/scripted-session.ts';
import { makeTestProject, type TestProject } from '../../../agent-sdk/src/fixtures/test-project.ts';
import { createAppKeybindings } from '../keys/app-actions.ts';
import { AppTheme } from '../theme/app-theme.ts';
import { type TestStage, testStage } from './fixtures/test-stage.ts';
import { openScreenFor } from './screen-commands.ts';

const sessions: { shutdown(): Promise<void> }[] = [];

afterEach(async () => {
  for (const session of sessions.splice(0)) await session.shutdown();
});

type Script = Parameters<typeof openScripted>[1];

async function openStage(options: { place?: TestProject; script?: Script; isAscii?: boolean } = {}) {
  const place = options.place ?? (await makeTestProject({ ANTHROPIC_API_KEY: 'sk-test' }));
  const { session } = await openScripted(place, options.script ?? [{ text: 'one' }, { text: 'two' }], {
    store: 'new',
    permissionMode: 'bypassPermissions',
  });
  sessions.push(session);
  const stage = testStage({ session, look: createRenderStyle({ isAscii: options.isAscii ?? false }) });
  return { place, session, stage };
}

/** Opens the screen of what a user enters. */
async function openFor(line: string, stage: TestStage): Promise<boolean> {
  const input = stage.session && readInput(stage.session, line);
  return input?.kind === 'command' && openScreenFor(input, stage);
}

function text(stage: TestStage, width = 100, rows = 40): string {
  return stage.lines(width, rows).join('\n');
}

describe('openScreenFor', () => {
  it('leaves commands with arguments and those without a screen to themselves', async () => {
    const { stage } = await openStage();
    for (const line of ['/model opus', '/cost', '/tree all', '/constructor', '/resume abc'])
      expect([line, await openFor(line, stage)]).toEqual([line, false]);
    expect(stage.panel).toBeUndefined();
    expect(await openFor('/recall', stage)).toBe(false);
    expect(await openFor('/rewind', stage)).toBe(false);
  });

  it('fits every screen into 20 columns and few rows, in ASCII', async () => {
    const { stage, session } = await openStage({ isAscii: true });
    await session.submit('a question with 한국어 and more words than fit');
    for (const line of [
      '/model',
      '/resume',
      '/tree',
      '/rewind',
      '/context',
      '/usage',
      '/config',
      '/help',
      '/keys',
    ]) {
      expect([line, await openFor(line, stage)]).toEqual([line, true]);
      for (const [columns, rows] of [
        [20, 24],
        [20, 6],
        [33, 3],
        [21, 1],
        [120, 40],
      ] as const)
        expect(stage.lines(columns, rows).length).toBeGreaterThan(0);
      stage.press('down', 'up', 'pageDown');
      stage.press('escape');
      expect([line, stage.panel]).toEqual([line, undefined]);
    }
  });
});

describe('/model', () => {
  it('offers what can be used first, marks the current one, searches, and leaves the rest to the command', async () => {
    proves('P-122');
    const { stage, session } = await openStage();
    await openFor('/model', stage);
    const shown = text(stage, 100, 60);
    expect(shown).toContain('Claude Sonnet 4.6');
    expect(shown).toMatch(/❯ Claude Sonnet 4\.6 +1M +\$3 \/ \$15 +current +Anthropic\n/);
    expect(shown).not.toContain('no key');
    stage.press('tab');
    const all = text(stage, 100, 200);
    expect(all.lastIndexOf(' Anthropic\n')).toBeLessThan(all.indexOf('no key'));
    stage.press('tab');
    expect(text(stage, 100, 60)).not.toContain('no key');
    stage.type('gpt sol');
    expect(text(stage)).toMatch(/❯ GPT.* no key +OpenAI\n/);
    expect(text(stage)).toMatch(/there is no key for OpenAI yet\. robota login openai/);
    stage.press('ctrl+u');
    stage.type('opus 5.5');
    stage.press('right');
    await vi.waitFor(() => expect(session.thinking).toBe('minimal'));
    expect(text(stage)).toContain('thinking: minimal');
    stage.press('enter');
    expect(stage.entered).toEqual(['/model anthropic/claude-opus-5-5']);
    expect(stage.panel).toBeUndefined();
  });
});

describe('/resume', () => {
  it('lists sessions with age, messages and folder, searches what was said, and shows where', async () => {
    const place = await makeTestProject();
    const first = await openStage({ place, script: [{ text: 'the answer is a walrus' }] });
    await first.session.submit('fix the cart');
    const { stage, session } = await openStage({ place });
    await session.submit('write documentation');
    await openFor('/resume', stage);
    expect(text(stage)).toMatch(/write documentation +(?:now|\d+m ago) +2 messages.* current/);
    expect(text(stage)).toMatch(/fix the cart +(?:now|\d+m ago) +2 messages/);
    expect(text(stage)).toContain('this folder · 2 of 2');
    // The beginning of the session stands beside the list, and below in its place.
    await vi.waitFor(() => expect(text(stage, 120)).toMatch(/ │ > write documentation/));
    expect(text(stage, 90)).not.toContain(' │ ');
    stage.press('space');
    expect(text(stage, 90)).toMatch(/── Resume .*\n> write documentation/);
    stage.press('escape');
    stage.type('walrus');
    await vi.waitFor(() => expect(text(stage)).not.toContain('write documentation'));
    expect(text(stage)).toMatch(/answer: the answer is a walrus/);
    stage.press('enter');
    expect(stage.entered).toEqual([`/resume ${first.session.id}`]);
  });

  it('says how many sessions are elsewhere and shows them, renames, and deletes only when that is confirmed', async () => {
    const place = await makeTestProject();
    const elsewhere = { ...place, cwd: place.home };
    const other = await openStage({ place: elsewhere });
    await other.session.submit('from another folder');
    const old = await openStage({ place });
    await old.session.submit('an old one');
    for (const session of sessions.splice(0)) await session.shutdown();
    const { stage, session } = await openStage({ place });
    await session.submit('the present one');
    await openFor('/resume', stage);
    expect(text(stage)).toContain('1 in other folders: tab');
    stage.press('tab');
    await vi.waitFor(() => expect(text(stage)).toContain('from another folder'));
    expect(text(stage)).toMatch(/from another folder .*~/);
    stage.press('ctrl+d');
    expect(text(stage)).toContain("so it can't be deleted here");
    stage.press('down', 'ctrl+r');
    expect(text(stage)).toContain('Its name:');
    stage.type('archive');
    stage.press('enter');
    await vi.waitFor(() => expect(text(stage)).toContain('Named it "archive".'));
    stage.press('ctrl+n');
    expect(text(stage)).toContain('only those with a name');
    expect(text(stage)).not.toContain('the present one');
    stage.press('ctrl+d', 'escape');
    expect(text(stage)).toContain('archive');
    stage.press('ctrl+d', 'down');
    expect(text(stage)).toContain('archive');
    expect(text(stage)).not.toContain('for good');
    stage.press('ctrl+d');
    expect(text(stage)).toContain('Delete "archive", 2 messages, for good? enter delete · esc cancel');
    stage.press('enter');
    await vi.waitFor(() => expect(text(stage)).toContain('Deleted '));
    expect(text(stage)).not.toContain('archive');
    stage.press('escape');
    expect(stage.entered).toEqual([]);
  });
});

describe('/tree', () => {
  it('draws branches, folds, labels and continues from a place', async () => {
    const { stage, session } = await openStage({ script: [{ text: 'a' }, { text: 'b' }, { text: 'c' }] });
    await session.submit('first');
    await session.submit('second');
    await session.executeCommand('tree', '2');
    await session.submit('another second');
    await openFor('/tree', stage);
    expect(stage.isScreen).toBe(true);
    const shown = text(stage);
    expect(shown).toMatch(/● 1 first/);
    expect(shown).toMatch(/├─○ 2 second/);
    expect(shown).toMatch(/❯ ● 3 another second .*you are here/);
    stage.press('up', 'shift+l');
    stage.type('dead end');
    stage.press('enter');
    await vi.waitFor(() => expect(text(stage)).toContain('[dead end]'));
    stage.press('up', 'ctrl+left');
    expect(text(stage)).toMatch(/● \[\+\] 1 first/);
    expect(text(stage)).not.toContain('another second');
    stage.press('ctrl+right');
    expect(text(stage)).toContain('another second');
    stage.press('tab');
    expect(text(stage)).toContain('shown: labels');
    expect(text(stage)).not.toContain('another second');
    stage.press('enter');
    expect(stage.entered[0]).toMatch(/^\/tree [0-9a-f]{8}$/);
    const result = await session.executeCommand('tree', stage.entered[0]?.slice('/tree '.length));
    expect(result).toMatchObject({ edit: 'second' });
  });
});

describe('/rewind', () => {
  it('shows the files each prompt changed with their lines, then asks what to go back with', async () => {
    const { stage, session, place } = await openStage({
      script: [
        callTurn('Write', { file_path: 'a.txt', content: 'one\ntwo\n' }),
        { text: 'written' },
        callTurn('Edit', { file_path: 'a.txt', old_string: 'two\n', new_string: '2\n3\n' }),
        { text: 'edited' },
      ],
    });
    await session.submit('write a file');
    await session.submit('change it');
    expect(await readFile(join(place.cwd, 'a.txt'), 'utf8')).toBe('one\n2\n3\n');
    await openFor('/rewind', stage);
    expect(text(stage)).toMatch(/❯ 2\. change it +now +1 file/);
    expect(text(stage)).toContain('+2 −1 a.txt');
    stage.press('down');
    expect(text(stage)).toContain('new +2 a.txt');
    stage.press('enter');
    expect(text(stage)).toContain('Only the files');
    stage.press('down', 'enter');
    expect(stage.entered).toEqual(['/rewind 1 conversation']);
  });
});

describe('/context', () => {
  const big = (word: string) => `${word} line\n`.repeat(900);
  const usage = { input: 500, cacheRead: 12_000, cacheWrite: 400, output: 10 };

  /** Two large files were read, then a third prompt was answered. */
  async function openEdited() {
    const place = await makeTestProject();
    await place.put('one.txt', big('first'));
    await place.put('two.txt', big('second'));
    const opened = await openStage({
      place,
      script: [
        { toolCalls: [{ name: 'Read', input: { file_path: 'one.txt' } }] },
        { text: 'read one' },
        { toolCalls: [{ name: 'Read', input: { file_path: 'two.txt' } }] },
        { text: 'read two', usage },
        { text: 'fine', usage },
      ],
    });
    await opened.session.submit('read one.txt');
    await opened.session.submit('read two.txt');
    const shows = (words: string) =>
      opened.session.getMessages().some(({ content }) => JSON.stringify(content).includes(words));
    return { ...opened, shows };
  }

  it('marks changes with what they save and cost, and makes them only when they are applied', async () => {
    const { stage, session, shows } = await openEdited();
    await openFor('/context', stage);
    expect(text(stage, 100)).toMatch(/^── Context ─+ \d+% · [\d.]+K of 1M · 93% cached ──$/m);
    expect(text(stage, 100)).toMatch(/^❯ Read one\.txt +[\d.]+K +(\d|<1)+% {3}turn 1$/m);
    expect(text(stage, 100)).toContain('space fold · d drop · r restore · p pin · enter read · esc close');
    stage.press('d');
    expect(text(stage, 100)).toMatch(/turn 1 +drop: −[\d.]+K, re-caches [\d.]+K \((<?\$0\.\d\d)\)$/m);
    stage.press('down', ' ');
    expect(text(stage, 100)).toMatch(/Read two\.txt .* fold: −[\d.]+K/);
    expect(text(stage, 100)).toMatch(/^2 changes: −[\d.]+K · \d% → \d%/m);
    expect(text(stage, 100)).toContain('a apply 2 changes · esc discard');
    expect(shows('first line')).toBe(true);
    stage.press('escape');
    expect(stage.panel).toBeUndefined();
    expect(shows('first line') && shows('second line')).toBe(true);
    await openFor('/context', stage);
    stage.press('d', 'down', ' ', 'a');
    await vi.waitFor(() => expect(stage.panel).toBeUndefined());
    expect(stage.printed.at(-1)).toMatchObject({
      level: 'info',
      text: expect.stringMatching(/^Context edited: \d+% → \d+% · folded 1, dropped 1/),
    });
    expect([shows('first line'), shows('second line'), shows('Output of Read folded')]).toEqual([
      false,
      false,
      true,
    ]);
    await openFor('/context', stage);
    expect(text(stage, 100)).toMatch(/Read one\.txt +0 +0% {3}turn 1 +dropped, was \dK$/m);
    stage.press('r', 'down', 'r', 'a');
    await vi.waitFor(() => expect(stage.panel).toBeUndefined());
    expect(shows('first line') && shows('second line')).toBe(true);
    await session.submit('thanks');
    await session.shutdown();
  });

  it('reads originals, keeps what is pinned, and says why something cannot be done', async () => {
    const { stage, session } = await openEdited();
    await openFor('/context', stage);
    stage.press('enter');
    expect(text(stage)).toMatch(/^── Read one\.txt ─+ \d+ lines ──\n.*first line/m);
    stage.press('escape', 'p', 'd');
    expect(text(stage)).toContain('It is pinned. Press p to unpin it first.');
    stage.press('a');
    await vi.waitFor(() => expect(stage.panel).toBeUndefined());
    expect(session.context.pins).toHaveLength(1);
    await openFor('/context', stage);
    expect(text(stage)).toMatch(/Read one\.txt .*turn 1 +pinned$/m);
    stage.press('p', 'a');
    await vi.waitFor(() => expect(stage.panel).toBeUndefined());
    expect(session.context.pins).toEqual([]);
    await openFor('/context', stage);
    stage.press('up', 'd');
    expect(text(stage)).toContain('Only single results and prompts can be changed.');
    stage.press('enter');
    expect(text(stage)).toMatch(/^── System prompt and \d+ tools/m);
    expect(text(stage, 100, 60)).toContain('system prompt');
    stage.press('escape', 'escape');
    expect(stage.panel).toBeUndefined();
    await session.shutdown();
  });

  it('takes pinned texts back', async () => {
    const { stage, session } = await openStage();
    await session.submit('hello');
    await session.executeCommand('pin', 'never touch the database');
    await openFor('/context', stage);
    expect(text(stage)).toMatch(/never touch the datab.* +pin +pinned/);
    stage.press('pageDown', 'p', 'a');
    await vi.waitFor(() => expect(stage.panel).toBeUndefined());
    expect(session.context.pins).toEqual([]);
    expect(stage.printed.at(-1)).toMatchObject({ text: expect.stringContaining('unpinned 1') });
  });

  it('shows what a compaction kept and left out, and brings it back', async () => {
    const { stage, session } = await openStage({
      script: [{ text: 'answer one' }, { text: 'answer two' }, { text: '## Summary\nwhat was done' }],
    });
    await session.submit('question one '.repeat(4000));
    await session.submit('question two '.repeat(4000));
    await session.compact();
    await openFor('/context', stage);
    expect(text(stage, 100, 60)).toMatch(/Prompts and answers .*\d+ turns? +\d+ messages? summarized/);
    expect(text(stage, 100, 60)).toMatch(/Compaction 1 +\d+% to \d+% of the window/);
    while (!/^❯ Compaction 1/m.test(text(stage, 100, 60))) stage.press('down');
    stage.press('enter');
    await vi.waitFor(() => expect(text(stage)).toContain('Compaction 1:'));
    expect(text(stage)).toMatch(/\d+ messages?: .*summarized/);
    stage.press('enter');
    await vi.waitFor(() => expect(text(stage)).toContain('Restored for the next prompt'));
    stage.press('escape');
    expect(text(stage, 100, 60)).toContain('System prompt');
    stage.press('pageDown', 'r', 'a');
    await vi.waitFor(() => expect(stage.panel).toBeUndefined());
    expect(stage.printed.at(-1)).toMatchObject({ text: expect.stringContaining('recalled 1') });
    expect(await openFor('/recall', stage)).toBe(true);
    stage.press('enter');
    expect(stage.entered).toEqual(['/recall 1']);
  });
});

describe('/usage', () => {
  it('has this session and the last days, tables by key, other periods, and an export that replaces nothing', async () => {
    const usage = { input: 1_000_000, output: 100_000 };
    const { stage, session, place } = await openStage({
      script: [
        { text: 'one', usage },
        { text: 'two', usage },
      ],
    });
    await session.submit('first');
    await session.submit('second');
    await openFor('/usage', stage);
    await vi.waitFor(() => expect(text(stage)).toContain('1 session'));
    const [title, ...rows] = text(stage).split('\n');
    expect(title).toMatch(/^── Usage ─+ last 14 days · by model ──$/);
    expect(rows.slice(0, 3)).toEqual([
      expect.stringMatching(/^This session +\$9\.00 {3}██ +2M in · 0% cached · 200K out/),
      expect.stringMatching(/^14 days +\$9\.00 {3}▁{13}█ +1 session$/),
      expect.stringMatching(/^Sonnet 4\.6 +\$9\.00 {3}━{20} {3}100% · 2 model calls · 2M in$/),
    ]);
    stage.press('t');
    expect(text(stage)).toMatch(/by tool ──\n(?:.*\n){2}\(answers\) +\$9\.00/);
    stage.press('left', 'left', 'left', 'c');
    expect(text(stage)).toMatch(/this session · cache breaks ──\nThis session .*\nNothing recorded\.\n/);
    stage.press('p', 'e');
    const name = `usage-${dayOf(Date.now())}-session.csv`;
    await vi.waitFor(() => expect(text(stage)).toContain(`Wrote ${name}`));
    expect(await readFile(join(place.cwd, name), 'utf8')).toMatch(/^by,name,calls,.*\r\ntotal,total,2,/);
    stage.press('e');
    await vi.waitFor(() => expect(text(stage)).toContain(`${name} already exists. Nothing was written.`));
    stage.press('escape');
    expect(stage.panel).toBeUndefined();
  });
});

describe('/theme', () => {
  it('tries themes as they are selected, takes them back, and keeps the chosen one', async () => {
    proves('P-124');
    const { session, place } = await openStage();
    const theme = new AppTheme({
      capabilities: { colours: 'true', isUnicode: true, hasLinks: false },
      folders: [],
      onChange: () => {},
      onProblem: () => {},
    });
    const stage: TestStage = Object.assign(testStage({ session, look: theme.look }), { theme });
    await openFor('/theme', stage);
    expect(text(stage)).toMatch(/❯ light or dark +current/);
    stage.press('down', 'down');
    expect(theme.name).toBe('light');
    stage.press('escape');
    expect(theme.name).toBe('dark');
    await openFor('/theme', stage);
    stage.type('light');
    stage.press('down', 'enter');
    await vi.waitFor(() => expect(stage.told).toEqual(['The theme is light.']));
    expect(theme.setting).toBe('light');
    const saved = () => readFile(join(place.home, '.robota/settings.json'), 'utf8');
    expect(await saved()).toContain('"theme": "light"');
    await openFor('/theme lihgt', stage);
    expect(stage.printed.at(-1)).toMatchObject({
      level: 'error',
      text: 'Unknown theme "lihgt". Did you mean "light"?',
    });
    expect([theme.name, await saved()]).toEqual(['light', expect.stringContaining('"theme": "light"')]);
  });
});

describe('/config', () => {
  it('shows values with their files, and writes changes to the settings of the user', async () => {
    const place = await makeTestProject({ ANTHROPIC_API_KEY: 'sk-test' });
    await place.put('~/.robota/settings.json', { thinking: 'low', apiKeys: { openai: 'sk-secret' } });
    const { stage, session } = await openStage({ place });
    await openFor('/config', stage);
    expect(text(stage)).toMatch(/thinking +low/);
    expect(text(stage)).not.toContain('sk-secret');
    stage.press('down');
    expect(text(stage)).toContain(`From: ${join(place.home, '.robota/settings.json')}:2.`);
    stage.press('right');
    await vi.waitFor(() => expect(text(stage)).toMatch(/thinking +medium/));
    await vi.waitFor(() => expect(session.thinking).toBe('medium'));
    expect(JSON.parse(await readFile(join(place.home, '.robota/settings.json'), 'utf8')).thinking).toBe(
      'medium',
    );
    stage.type('maxTurns');
    expect(text(stage)).toMatch(/❯ maxTurns/);
    stage.press('enter', 'ctrl+u');
    stage.type('nothing');
    stage.press('enter');
    await vi.waitFor(() => expect(text(stage)).toContain('expected an integer'));
    await vi.waitFor(() => expect(text(stage)).toMatch(/maxTurns +500/));
  });
});

describe('/config with times and sizes', () => {
  it('shows them in units, and edits the numbers', async () => {
    const place = await makeTestProject({ ANTHROPIC_API_KEY: 'sk-test' });
    const { stage } = await openStage({ place });
    await openFor('/config', stage);
    stage.type('outputLimit');
    expect(text(stage)).toMatch(/tasks\.outputLimitBytes +8 MB/);
    stage.press('ctrl+u');
    stage.type('maxRuntime');
    expect(text(stage)).toMatch(/tasks\.maxRuntimeMs +4 h/);
    stage.press('enter');
    expect(text(stage)).toContain('14400000');
    stage.press('ctrl+u');
    stage.type('5400000');
    stage.press('enter');
    await vi.waitFor(() => expect(text(stage)).toContain('Set tasks.maxRuntimeMs to 5400000 in'));
    expect(text(stage)).toMatch(/tasks\.maxRuntimeMs +1 h 30 min/);
    const saved = JSON.parse(await readFile(join(place.home, '.robota/settings.json'), 'utf8'));
    expect(saved.tasks.maxRuntimeMs).toBe(5_400_000);
  });
});

describe('/help and /keys', () => {
  it('lists every command and key, also changed ones, searches, and takes a command into the editor', async () => {
    proves('P-122');
    const { session } = await openStage();
    const stage = testStage({ session, keys: createAppKeybindings({ 'app.help': ['f2'] }) });
    await openFor('/keys', stage);
    const keys = text(stage, 120, 200);
    expect(keys).toMatch(/f2 +Show the keys/);
    const groups = ['\nKeys\n', '\nKeys of the editor\n', '\nActions without a key\n  (no key) '];
    const places = groups.map((group) => keys.indexOf(group));
    expect(places.toSorted((a, b) => a - b)).toEqual(places);
    expect(places[0]).toBeGreaterThan(0);
    expect(keys.indexOf('(no key)')).toBeGreaterThan(places[2] ?? 0);
    // Ids are for keybindings.json: they stand below the list, and a search finds them.
    expect(keys.match(/\b(?:app|tui)\.\w+/g)).toHaveLength(1);
    stage.type('app.help');
    expect(text(stage)).toMatch(/❯ f2 +Show the keys[^\n]*\n\napp\.help: change its key/);
    stage.press('escape');
    await openFor('/help', stage);
    const shown = text(stage, 100, 60);
    expect(shown).toContain('/compact');
    expect(shown).toContain('/theme');
    stage.type('/rewind');
    stage.press('enter');
    expect(stage.edited).toEqual(['/rewind ']);
  });
});
