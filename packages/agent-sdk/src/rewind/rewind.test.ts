import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Answer, type Question, textOf, type UserInterface } from '@robota-sdk/agent-core';
import { describe, expect, it } from 'vitest';
import { callTurn, openScripted } from '../fixtures/scripted-session.ts';
import { makeTestProject, type TestProject } from '../fixtures/test-project.ts';

/** Chooses by position, and records the questions. */
function person(...choices: readonly number[]): UserInterface & { readonly asked: Question[] } {
  const asked: Question[] = [];
  return {
    asked,
    ask: async (question): Promise<Answer> => {
      const index = choices[asked.push(question) - 1];
      return index === undefined ? { kind: 'dismissed' } : { kind: 'selected', indexes: [index] };
    },
    notify: () => {},
  };
}

const script = [
  callTurn('Write', { file_path: 'a.txt', content: 'one\n' }),
  { text: 'written' },
  callTurn('Bash', { command: 'echo two >> a.txt; echo new > b.txt' }),
  { text: 'ran' },
];

async function openAt(place: TestProject, options: Parameters<typeof openScripted>[2] = {}, more = script) {
  return openScripted(place, more, { store: 'new', permissionMode: 'bypassPermissions', ...options });
}

const contentOf = (place: TestProject, name: string) =>
  readFile(join(place.cwd, name), 'utf8').catch(() => undefined);

describe('/rewind', () => {
  it('lists a command as it was typed, and gives it back to be edited', async () => {
    const { session } = await openAt(await makeTestProject());
    await session.submit('<skill name="greet">…</skill>', { shown: '/greet Ada', origin: 'command' });
    expect((await session.executeCommand('rewind'))?.message).toContain('/greet Ada');
    expect(await session.executeCommand('rewind', '1 both')).toMatchObject({ edit: '/greet Ada' });
    await session.shutdown();
  });

  it('lists prompts with their changes and takes conversation and files back, then undoes it', async () => {
    const place = await makeTestProject();
    const { session } = await openAt(place);
    await session.submit('write a file\nwith care');
    await session.submit('run something');
    const list = await session.executeCommand('rewind');
    expect(list?.message).toMatch(
      /1 {2}.* {2}write a file\n +\+ a\.txt\n +2 {2}.* {2}run something\n +~ a\.txt\n +\+ b\.txt\n/,
    );
    const result = await session.executeCommand('rewind', '2 both');
    expect(result).toMatchObject({ success: true, edit: 'run something' });
    expect(result?.message).toContain('2 files were reverted.');
    expect([await contentOf(place, 'a.txt'), await contentOf(place, 'b.txt')]).toEqual(['one\n', undefined]);
    expect(session.getMessages().map(({ content }) => textOf(content))).toContain('written');
    expect(session.getMessages().map(({ content }) => textOf(content))).not.toContain('run something');
    expect((await session.executeCommand('rewind', 'undo'))?.message).toContain('2 files were put back.');
    expect([await contentOf(place, 'a.txt'), await contentOf(place, 'b.txt')]).toEqual([
      'one\ntwo\n',
      'new\n',
    ]);
    expect(textOf(session.getMessages().at(-1)?.content ?? [])).toBe('ran');
    expect(await session.executeCommand('rewind', 'undo')).toMatchObject({ success: false });
    await session.shutdown();
  });

  it('works in a resumed session, and keeps what others changed where no user can be asked', async () => {
    const place = await makeTestProject();
    const first = await openAt(place);
    await first.session.submit('write');
    await first.session.submit('run');
    await first.session.shutdown();
    await writeFile(join(place.cwd, 'a.txt'), 'mine\n');
    const { session } = await openAt(place, { store: 'latest' });
    const vague = await session.executeCommand('rewind', '1');
    expect(vague).toMatchObject({ success: false, message: expect.stringContaining('/rewind 1 both') });
    const result = await session.executeCommand('rewind', '1 files');
    expect(result?.message).toContain('1 file was reverted.');
    expect(result?.message).toContain('left as it is: a.txt (it was changed by someone else since)');
    expect([await contentOf(place, 'a.txt'), await contentOf(place, 'b.txt')]).toEqual(['mine\n', undefined]);
    await session.shutdown();
  });

  it('asks what to rewind and about the changes of others, with how much would change', async () => {
    const place = await makeTestProject();
    const terminal = person(2, 1);
    const { session } = await openAt(place, { terminal });
    await session.submit('write');
    await session.submit('run');
    await writeFile(join(place.cwd, 'a.txt'), 'mine\nmore\n');
    expect((await session.executeCommand('rewind', '2'))?.success).toBe(true);
    expect(terminal.asked.map(({ title }) => title)).toEqual([
      'Go back to before prompt 2?',
      'Some files were changed since. What about them?',
    ]);
    expect(terminal.asked[1]?.detail).toBe(
      'a.txt: it was changed by someone else since (would go back, +1 -2 lines)',
    );
    expect(await contentOf(place, 'a.txt')).toBe('one\n');
    expect((await session.executeCommand('rewind', '1'))?.message).toBe('Nothing was rewound.');
    await session.shutdown();
  });

  it('keeps a name on its line, and tells programs what was put back, what was not, and why', async () => {
    const place = await makeTestProject();
    const { session } = await openAt(place, {}, [
      callTurn('Bash', { command: "echo 1 > $'two\\nlines'; echo 1 > theirs" }),
      { text: 'ran' },
    ]);
    await session.submit('run');
    await writeFile(join(place.cwd, 'theirs'), 'mine');
    expect((await session.executeCommand('rewind'))?.message).toContain('+ two\\nlines\n');
    const result = await session.executeCommand('rewind', '1 both');
    expect(result?.data).toEqual({
      edit: 'run',
      restored: [join(place.cwd, 'two\nlines')],
      unknown: [],
      left: [{ path: join(place.cwd, 'theirs'), why: 'it was changed by someone else since' }],
    });
    await session.shutdown();
  });

  it('says of which prompts the changes are not known, and so were not reverted', async () => {
    const place = await makeTestProject();
    const { session } = await openAt(place);
    await session.submit('write');
    const directory = join(place.home, '.robota', 'sessions');
    const found = await readdir(directory, { recursive: true });
    const checkpoints = join(directory, found.find((name) => name.endsWith('checkpoints')) ?? '');
    // A directory in its place makes the staging file unusable.
    await mkdir(join(checkpoints, 'staged'));
    await session.submit('run');
    expect((await session.executeCommand('rewind'))?.message).toMatch(
      /run\n +! changes .* could not be saved/,
    );
    expect((await session.executeCommand('rewind', '2 files'))?.message).toMatch(
      /^No file was changed\.\n {2}not known, so not reverted: changes of a command of prompt 2: they could not be saved/,
    );
    await session.shutdown();
  });

  it('has the model read again what was put back, and tells it', async () => {
    const place = await makeTestProject();
    const edit = callTurn('Edit', { file_path: 'a.txt', old_string: 'one', new_string: 'three' });
    const { session, provider } = await openAt(place, {}, [...script, edit, { text: 'failed' }]);
    await session.submit('write');
    await session.submit('run');
    await session.executeCommand('rewind', '2 files');
    await session.submit('edit it');
    const sent = JSON.stringify(provider.requests.at(-1)?.messages);
    expect(sent).toContain('rewound these files to an earlier state');
    expect(sent).toContain('was changed on disk since you last read it');
    expect(await contentOf(place, 'a.txt')).toBe('one\n');
    await session.shutdown();
  });

  it('shows the last of many prompts and says how many others there are; completes what can be said', async () => {
    const place = await makeTestProject();
    const { session } = await openScripted(place, () => ({ text: 'ok' }), { store: 'new' });
    for (let count = 1; count <= 22; count++) await session.submit(`prompt ${count}`);
    const list = (await session.executeCommand('rewind'))?.message ?? '';
    expect(list).toMatch(/^2 earlier prompts: \/rewind all shows them\.\n +3 .* prompt 3\n/);
    expect((await session.executeCommand('rewind', 'all'))?.message).toMatch(/^ +1 .* prompt 1\n/);
    const command = session.listCommands().find(({ name }) => name === 'rewind');
    const context = { session, ui: person(), signal: new AbortController().signal };
    expect(await command?.complete?.('2', context)).toEqual(['22', '21', '20', '2']);
    expect(await command?.complete?.('2 f', context)).toEqual(['2 files']);
    await session.shutdown();
  });

  it('says what is wrong with a request', async () => {
    const place = await makeTestProject();
    const { session } = await openAt(place);
    expect((await session.executeCommand('rewind'))?.message).toContain('No prompt to go back to');
    await session.submit('write');
    for (const [args, message] of [
      ['2 both', /No prompt 2 on this branch: there is only 1/],
      ['0', /No prompt 0/],
      ['1 everything', /Use \/rewind/],
      ['nonsense', /Use \/rewind/],
      ['undo', /No rewind to undo/],
      ['1 both now', /Use \/rewind/],
    ] as const)
      expect(await session.executeCommand('rewind', args)).toMatchObject({
        success: false,
        message: expect.stringMatching(message),
      });
    await session.shutdown();
    const { session: unkept } = await openScripted(place);
    expect((await unkept.executeCommand('rewind'))?.message).toContain('--no-session');
    await unkept.shutdown();
  });
});
