import { execFile } from 'node:child_process';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { anthropicReply, robotaBin, runRobota, temporaryDirectory } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { afterEach, describe, expect, it } from 'vitest';
import { stagePerTest } from './stage-per-test.ts';
import { openTerminal, type Terminal } from './terminal.ts';

const stage = stagePerTest();
let terminal: Terminal | undefined;

afterEach(async () => {
  terminal?.kill('SIGKILL');
  await terminal?.exit;
  terminal = undefined;
});

describe('robota sessions list', () => {
  it('shows id, time, messages and prompt, and says what it does not show', async () => {
    await talk('fix the login', 'Fixed.');
    await talk('write the notes', 'Written.');
    const elsewhere = await temporaryDirectory();
    await talk('another project', 'Yes.', { cwd: elsewhere });
    const { code, stdout, stderr } = await sessions('list');
    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^[0-9a-f-]{8,} +\d{4}-\d\d-\d\d \d\d:\d\d {2}2 messages {2}write the notes$/),
      expect.stringMatching(/2 messages {2}fix the login$/),
    ]);
    expect(stderr).toBe('1 session of other directories: add --all.\n');
    const all = await sessions('list', '--all');
    expect(all.stdout).toContain(`another project  ${elsewhere}`);
    expect(all.stderr).toBe('');
    const one = await sessions('list', '--limit', '1');
    expect(one.stdout.trimEnd().split('\n')).toHaveLength(1);
    expect(one.stderr).toContain('1 of 2 sessions are shown; --limit 0 shows all.');
  });

  it('answers as JSON, names what cannot be read, and knows when there is nothing', async () => {
    expect(await sessions('list')).toMatchObject({
      code: 0,
      stdout: '',
      stderr: `No saved sessions in ${stage.cwd} yet.\n`,
    });
    const id = await talk('one', 'Yes.');
    const broken = join(await projectDirectory(id), 'broken', 'session.jsonl');
    await mkdir(join(broken, '..'));
    await writeFile(broken, 'this is no session\n');
    const { stdout } = await sessions('list', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      sessions: [{ id, firstPrompt: 'one', messages: 2, cwd: stage.cwd }],
      total: 1,
      elsewhere: 0,
      unreadable: [{ path: broken, why: 'no line in it is one of a session' }],
    });
    expect((await sessions('list')).stderr).toContain(`  ${broken}: no line in it is one of a session`);
  });

  it.each([
    [['list', 'x'], 'takes no "x"'],
    [['list', '--limit', 'many'], '--limit many: expected a whole number'],
    [['list', '--since', 'soon'], '--since soon: expected a date'],
    [['list', '--all', '--cwd', '.'], '--cwd cannot be given with it'],
    [['search'], 'Missing search words'],
    [['search', '""'], 'Missing search words'],
    [['search', 'x', '--role', 'usr'], 'Did you mean user?'],
    [['show'], 'Missing session'],
    [['show', 'nothing'], 'No session matches "nothing"'],
    [['show', './no/such/path'], 'No session matches "./no/such/path"'],
    [['name', 'x'], 'Missing session or name'],
    [['delete'], 'Missing session'],
    [['delete', 'zzz'], 'zzz'],
    [['serach', 'x'], 'Did you mean robota sessions search?'],
  ])('refuses %j with a reason', async (words, reason) => {
    const { code, stderr } = await sessions(...words);
    expect(stderr).toContain(reason);
    expect(code).toBe(2);
  });

  it('shows its help for every verb', async () => {
    const { code, stdout } = await sessions('--help');
    expect(code).toBe(0);
    for (const verb of ['list', 'show', 'search', 'name', 'delete']) {
      expect(stdout).toContain(`robota sessions ${verb}`);
      expect((await sessions(verb, '--help')).stdout).toBe(stdout);
    }
  });
});

describe('robota sessions search', () => {
  it('finds what was said and done, with the hits marked, here or everywhere', async () => {
    await stage.file('config.ts', 'export const retryLimit = 5;\n');
    stage.server.reply(
      anthropicReply({ toolCalls: [{ id: 'c1', name: 'Read', input: { file_path: 'config.ts' } }] }),
      anthropicReply({ text: 'It is five.' }),
    );
    await stage.robota(['-p', 'what is the limit?']);
    await talk('ログイン画面を直す', 'はい。');
    const code = await sessions('search', 'RETRYLIMIT');
    expect(code.stdout).toMatch(/1 hit {2}what is the limit\?\n {4}Read result: .*const «retryLimit» = 5;/);
    expect((await sessions('search', '画面')).stdout).toContain('you: ログイン«画面»を直す');
    expect((await sessions('search', 'limit', '五')).stderr).toContain('No session of');
    expect((await sessions('search', '--role', 'user', 'retryLimit')).stdout).toBe('');
    expect((await sessions('search', 'retryLimit', '--tool', 'read', '--since', '1h')).stdout).not.toBe('');
    const { found } = JSON.parse((await sessions('search', 'five', '--json')).stdout);
    const [{ snippets }] = found;
    expect(snippets[0]).toMatchObject({
      kind: 'answer',
      role: 'assistant',
      text: 'It is five.',
      marks: [[6, 10]],
    });
    const elsewhere = await temporaryDirectory();
    const there = { cwd: elsewhere, home: stage.home };
    expect(await runRobota(['sessions', 'search', 'five'], there)).toMatchObject({
      stdout: '',
      stderr: expect.stringContaining('2 sessions of other directories: add --all.'),
    });
    expect((await runRobota(['sessions', 'search', '--all', 'five'], there)).stdout).toContain('«five»');
  });

  it('hides what looks like a key and shows control characters instead of obeying them', async () => {
    await talk('my key is sk-abcdefghijklmnopqrstuvwxyz and \u001b[31mred', 'No.');
    const { stdout } = await sessions('search', 'key');
    expect(stdout).toContain('[redacted]');
    expect(stdout).not.toContain('\u001b[31m');
  });
});

describe('robota sessions show', () => {
  it('reads a conversation with its tools, by id, name or words', async () => {
    await stage.file('a.txt', 'one\ntwo\nthree\nfour\nfive\n');
    stage.server.reply(
      anthropicReply({
        text: 'Let me look.',
        toolCalls: [{ id: 'c1', name: 'Read', input: { file_path: 'a.txt' } }],
      }),
      anthropicReply({ text: 'Five lines.' }),
    );
    await stage.robota(['-p', 'how many lines?']);
    const [id = ''] = await ids();
    const { code, stdout } = await sessions('show', id.slice(0, 8));
    expect(code).toBe(0);
    expect(stdout).toContain(`how many lines?\n${id}\n${stage.cwd}\n`);
    expect(stdout).toMatch(
      /> how many lines\?\n\nLet me look\.\n⏺ Read\(a\.txt\)\n\n {2}⎿ Read: .*one\n.*two\n.*three\n {4}… \d more lines?\n\nFive lines\./,
    );
    expect((await sessions('show', id, '--full')).stdout).toMatch(/five/);
    expect((await sessions('show', 'five lines')).stdout).toBe(stdout);
    const { entries } = JSON.parse((await sessions('show', id, '--json')).stdout);
    expect(entries.every((entry: { active: boolean }) => entry.active)).toBe(true);
    expect(entries.at(-1).message.content).toEqual([{ type: 'text', text: 'Five lines.' }]);
  });

  it('shows the active branch, says where others are, and gives all of them as JSON', async () => {
    const id = await talk('first try', 'No.');
    await stage.robota(['-p', '/clear', '-r', id]);
    await talk('second try', 'Yes.', { args: ['-r', id] });
    const { stdout } = await sessions('show', id);
    expect(stdout).toContain('2 branches, of which the active one is shown');
    expect(stdout).toMatch(/\(1 other branch of this session begins at its start\)\n\n> second try/);
    expect(stdout).not.toContain('> first try');
    const { entries } = JSON.parse((await sessions('show', id, '--json')).stdout);
    expect(new Set(entries.map((entry: { active: boolean }) => entry.active))).toEqual(
      new Set([true, false]),
    );
  });

  it('says that several fit and which', async () => {
    const first = await talk('fix the login', 'Done.');
    const second = await talk('break the login', 'Done.');
    const { code, stderr } = await sessions('show', 'login');
    expect(code).toBe(2);
    expect(stderr).toContain('"login" could be one of 2 sessions (these words are in all of them)');
    expect(stderr).toContain(first);
    expect(stderr).toContain(second);
  });

  it('follows what another process writes, until its reader goes away', async () => {
    const id = await talk('begin', 'Begun.');
    let asked: Promise<unknown> | undefined;
    const { code, stdout } = await runRobota(['sessions', 'show', id, '--follow'], {
      cwd: stage.cwd,
      home: stage.home,
      onOutput: (text, child) => {
        if (text.includes('Begun.') && !asked) asked = talk('go on', 'Gone on.', { args: ['-r', id] });
        if (text.includes('Gone on.')) child.kill('SIGINT');
      },
    });
    await asked;
    expect(stdout).toMatch(/> begin\n\nBegun\.\n\n> go on\n\nGone on\.\n/);
    expect(code).toBe(0);
  });
});

it('ends quietly when its reader has seen enough', async () => {
  const id = await talk('tell me a story', 'a long story '.repeat(20_000));
  const bin = JSON.stringify(robotaBin);
  const command = `"${process.execPath}" ${bin} sessions show ${id} --full | head -c 100; echo " \${PIPESTATUS[0]}"`;
  const { stdout, stderr } = await bash(command);
  expect(stderr).toBe('');
  expect(stdout).toMatch(/ 0\n$/);
});

describe('robota sessions name and delete', () => {
  it('names a session without counting that as use', async () => {
    const old = await talk('older', 'Yes.');
    const newer = await talk('newer', 'Yes.');
    const { mtimeMs } = await stat(join(await projectDirectory(old), old, 'session.jsonl'));
    expect((await sessions('name', old, 'release', 'notes')).stdout).toBe(`Named ${old} "release notes".\n`);
    expect((await stat(join(await projectDirectory(old), old, 'session.jsonl'))).mtimeMs).toBeCloseTo(
      mtimeMs,
      0,
    );
    expect(await ids()).toEqual([newer, old]);
    expect((await sessions('list')).stdout).toContain('release notes');
    expect((await sessions('show', 'Release')).stdout).toContain(old);
    expect((await sessions('show', 'relaese')).stderr).toContain('Did you mean "release notes"?');
    await sessions('name', 'release', '');
    expect((await sessions('list')).stdout).not.toContain('release notes');
  });

  it('deletes what is named, skips what is not, and never by mere words', async () => {
    const first = await talk('one', 'Yes.');
    const second = await talk('two', 'Yes.');
    const words = [first, 'nonsense', 'two', 'yes'];
    const { code, stdout, stderr } = await sessions('delete', '--yes', ...words);
    expect(stdout).toBe(`Deleted ${first}: one\n`);
    expect(stderr).toContain('No session matches "nonsense"');
    expect(stderr).toContain(`"two" is the first prompt of session ${second}, not its name.`);
    expect(stderr).toContain(`No id or name starts with "yes". The words are in session ${second}`);
    expect(code).toBe(2);
    expect(await ids()).toEqual([second]);
  });

  it('asks in a terminal', async () => {
    const id = await talk('precious', 'Yes.');
    const place = { cwd: stage.cwd, home: stage.home };
    terminal = openTerminal(['sessions', 'delete', id], place);
    await terminal.shows(/precious\nyes or no\?/);
    terminal.type('n\r');
    expect(await terminal.exit).toBe(0);
    expect(await ids()).toEqual([id]);
    terminal = openTerminal(['sessions', 'delete', id], place);
    await terminal.shows('yes or no?');
    terminal.type('yes\r');
    await terminal.shows(`Deleted ${id}: precious`);
    expect(await terminal.exit).toBe(0);
    expect(await ids()).toEqual([]);
  });

  it('leaves a session alone that is in use', async () => {
    const id = await talk('busy', 'Yes.');
    terminal = openTerminal(['--plain', '-r', id], {
      cwd: stage.cwd,
      home: stage.home,
      env: { ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: stage.server.url },
    });
    await terminal.shows(/Resumed "busy"[\s\S]*\n>/);
    expect((await sessions('list')).stdout).toMatch(/busy {2}\(in use by process \d+ since/);
    expect(await sessions('delete', '--yes', id)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('in use'),
    });
    expect(await sessions('name', id, 'x')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('/name'),
    });
    expect(await ids()).toEqual([id]);
  });
});

describe('-r', () => {
  it('continues with a session by its name or by what was said, and lists several', async () => {
    proves('C-72');
    const first = await talk('fix the login', 'Fixed.');
    const second = await talk('paint the login page', 'Painted.');
    await sessions('name', second, 'colours');
    await talk('and now?', 'Later.', { args: ['-r', 'colours'] });
    await talk('and now?', 'Later.', { args: ['-r', 'fix'] });
    expect(await conversation(second)).toEqual(['paint the login page', 'and now?']);
    expect(await conversation(first)).toEqual(['fix the login', 'and now?']);
    const several = await stage.robota(['-p', 'x', '-r', 'login']);
    expect(several.code).toBe(2);
    expect(several.stderr).toContain('could be one of 2 sessions');
    const none = await stage.robota(['-p', 'x', '-r']);
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('Missing session.') });
  });

  it('takes a whole title as it is listed, although other sessions have the same words', async () => {
    const first = await talk('fix the login', 'Fixed.');
    await talk('do not fix the login yet', 'Waiting.');
    const named = await talk('another', 'Yes.');
    await sessions('name', named, 'fix the login page');
    await talk('and now?', 'Later.', { args: ['-r', 'Fix the login'] });
    expect(await conversation(first)).toEqual(['fix the login', 'and now?']);
    const long = await talk(`${'very '.repeat(20)}long`, 'Yes.');
    const listed = /very .*…/.exec((await sessions('list')).stdout)?.[0] ?? '';
    await talk('and now?', 'Later.', { args: ['-r', listed] });
    expect(await conversation(long)).toHaveLength(2);
    await talk('fix the login', 'Fixed again.');
    const several = await stage.robota(['-p', 'x', '-r', 'fix the login']);
    expect(several.stderr).toContain('could be one of 2 sessions (all have this title)');
  });

  it('offers the sessions of the directory in a terminal', async () => {
    await talk('first thing', 'Done.');
    await talk('second thing', 'Done.');
    terminal = openTerminal(['--plain', '-r'], {
      cwd: stage.cwd,
      home: stage.home,
      env: { ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: stage.server.url },
    });
    await terminal.shows(/Which session\?[\s\S]*1\. second thing[\s\S]*2\. first thing[\s\S]*:/);
    terminal.type('2\r');
    await terminal.shows('Resumed "first thing"');
  });
});

function sessions(...words: string[]) {
  return runRobota(['sessions', ...words], { cwd: stage.cwd, home: stage.home });
}

/** Runs a line of shell as the user would. */
function bash(command: string): Promise<{ stdout: string; stderr: string }> {
  const env = { PATH: process.env['PATH'], HOME: stage.home };
  return promisify(execFile)('bash', ['-c', command], { cwd: stage.cwd, env });
}

/** Has one exchange and gives back the id of its session. */
async function talk(
  prompt: string,
  answer: string,
  { cwd = stage.cwd, args = [] }: { cwd?: string; args?: readonly string[] } = {},
): Promise<string> {
  stage.server.reply(anthropicReply({ text: answer }));
  const { stdout, stderr } = await stage.robota(['-p', prompt, '--output-format', 'json', ...args], { cwd });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout).session_id;
}

async function ids(): Promise<string[]> {
  const { stdout } = await sessions('list', '--json');
  return JSON.parse(stdout).sessions.map(({ id }: { id: string }) => id);
}

/** The user's text in a session. */
async function conversation(id: string): Promise<string[]> {
  const text = await readFile(join(await projectDirectory(id), id, 'session.jsonl'), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ message }) => message?.role === 'user' && message.robota.origin === undefined)
    .map(({ message }) => message.content[0].text);
}

/** The directory of the sessions among which one is. */
async function projectDirectory(id: string): Promise<string> {
  const { stdout } = await sessions('list', '--all', '--json');
  const found = JSON.parse(stdout).sessions.find((session: { id: string }) => session.id === id);
  return join(found.path, '..', '..');
}
