import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { anthropicChunks, anthropicReply, eventStream } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { plainHarness } from './plain-harness.ts';

const desk = plainHarness();
const { start } = desk;
const enter = '\r';
const ctrlC = '\u0003';
const ctrlD = '\u0004';
const ctrlU = '\u0015';

function answers(...texts: string[]): void {
  desk.stage.server.reply(...texts.map((text) => anthropicReply({ text })));
}

/** The text of user and model in a request, without reminders. */
function said(request: number): string[] {
  return desk.stage
    .messages(request)
    .flatMap(({ content }) => content.flatMap(({ text }) => text ?? []))
    .filter((text) => !text.startsWith('<reminder>'));
}

async function sessionFiles(): Promise<string[]> {
  const root = join(desk.stage.home, '.robota', 'sessions');
  const names = await readdir(root, { recursive: true });
  return names.filter((name) => name.endsWith('session.jsonl')).map((name) => join(root, name));
}

/** The bottom of the screen. */
const lastLines = (shown: string, count: number) => shown.split('\n').slice(-count).join('\n');

describe('sessions in a conversation', () => {
  it('/tree goes back to before a prompt, whose text comes back to be changed', async () => {
    proves('P-21', 'C-28');
    answers('First.', 'Second.', 'Other.');
    const { shows, type } = start();
    await shows(/\n>$/);
    type(`one${enter}`);
    await shows(/First\.\n>$/);
    type(`two words${enter}`);
    await shows(/Second\.\n>$/);
    type(`/tree 2${enter}`);
    await shows(/Add a summary of the branch you are leaving\?[\s\S]*yes or no\? \(Enter cancels\)$/);
    type(`no${enter}`);
    await shows(/continues from before that prompt\. \/tree [0-9a-f]{8} goes back\.\n> two words$/);
    type(` again${enter}`);
    await shows(/Other\.\n>$/);
    expect(said(2)).toEqual(['one', 'First.', 'two words again']);
    type(`/tree${enter}`);
    const shown = await shows(/you are here[\s\S]*\n>$/);
    expect(shown).toMatch(/● 1 one .*\n├─○ 2 two words .*\n● 3 two words again .* ← you are here\n/);
    type(`/clear${enter}`);
    const cleared = await shows(
      /The conversation is empty\. \/tree [0-9a-f]{8} goes back to where it was\.\n>$/,
    );
    const back = /empty\. (\/tree [0-9a-f]{8}) goes/.exec(cleared)?.[1];
    answers('Yes.');
    type(`${back}${enter}`);
    await shows(/continues from there\.\n>$/);
    type(`still there?${enter}`);
    await shows(/Yes\.\n>$/);
    expect(said(3)).toEqual(['one', 'First.', 'two words again', 'Other.', 'still there?']);
  });

  it('--no-session keeps nothing, also after /new, and has branches nevertheless', async () => {
    answers('First.', 'Second.', 'Third.');
    const { shows, type, exit } = start(['--no-session']);
    await shows(/\n>$/);
    type(`one${enter}`);
    await shows(/First\.\n>$/);
    type(`/clear${enter}`);
    await shows(/goes back to where it was\.\n>$/);
    type(`two${enter}`);
    await shows(/Second\.\n>$/);
    type(`/tree${enter}`);
    await shows(/├─○ 1 one[\s\S]*● 2 two[\s\S]*\n>$/);
    type(`/new${enter}`);
    await shows(/New session[\s\S]*\n>$/);
    type(`three${enter}`);
    await shows(/Third\.\n>$/);
    expect(said(2)).toEqual(['three']);
    type(ctrlD);
    expect(await exit).toBe(0);
    await expect(sessionFiles()).rejects.toThrow(/ENOENT/);
  });

  it('draws the tree in ASCII where the terminal has nothing else', async () => {
    answers('First.', 'Second.');
    const { shows, type } = start([], { env: { LANG: 'C' } });
    await shows(/\n>$/);
    type(`one${enter}`);
    await shows(/First\.\n>$/);
    type(`/tree root${enter}`);
    await shows(/yes or no\? \(Enter cancels\)$/);
    type(`n${enter}`);
    await shows(/continues from there[\s\S]*\n>$/);
    type(`two${enter}`);
    await shows(/Second\.\n>$/);
    type(`/tree${enter}`);
    expect(await shows(/you are here[\s\S]*\n>$/)).toMatch(/\n\|-o 1 one .*\n\* 2 two .* <- you are here\n/);
  });

  it('a prompt of several lines and control characters comes back in one line that nothing sends', async () => {
    answers('First.');
    await desk.stage.robota(['-p', 'one\ntwo\u0003\u001b[31m red']);
    const { shows, type, screen, exit } = start(['-c']);
    await shows(/\n>$/);
    type(`/tree 1${enter}`);
    await shows(/yes or no\? \(Enter cancels\)$/);
    type(`n${enter}`);
    await shows(/> one⏎two\[31m red$/);
    expect(desk.stage.server.requests).toHaveLength(1);
    type(`${ctrlU}${ctrlD}`);
    expect(await exit).toBe(0);
    expect(await screen()).not.toContain('Unknown');
  });

  it('/new starts another session and /resume goes back to the first, in the same terminal', async () => {
    answers('First.', 'Fresh.', 'Again.');
    const { shows, type, exit } = start(['--permission-mode', 'plan']);
    await shows(/\n>$/);
    type(`paint the fence${enter}`);
    await shows(/First\.\n>$/);
    type(`/name fence${enter}`);
    await shows(/called "fence"[\s\S]*\n>$/);
    type(`/new${enter}`);
    await shows(/New session · Claude .*\n>$/);
    type(`hello${enter}`);
    await shows(/Fresh\.\n>$/);
    expect(said(1)).toEqual(['hello']);
    expect(await sessionFiles()).toHaveLength(2);
    type(`/resume${enter}`);
    expect(await shows(/1, or words from one \(Enter cancels\):$/)).toMatch(
      /Which session\?\n +1\. fence {2}\(/,
    );
    type(`1${enter}`);
    await shows(
      /Resumed "fence" \(2 messages, last used \S+ \S+\), session [\s\S]*\n> paint the fence\nFirst\.\n>$/,
    );
    type(`/mode${enter}`);
    await shows(/Permission mode: plan[\s\S]*\n>$/);
    type(`and the gate${enter}`);
    await shows(/Again\.\n>$/);
    expect(said(2)).toEqual(['paint the fence', 'First.', 'and the gate']);
    type(`/resume nothing of the kind${enter}`);
    await shows(/No session matches "nothing of the kind"[\s\S]*\n>$/);
    type(ctrlD);
    expect(await exit).toBe(0);
    for (const file of await sessionFiles()) {
      await expect(readFile(`${file}.lock`)).rejects.toThrow(/ENOENT/);
      expect(await readFile(file, 'utf8')).toMatch(/\n$/);
    }
  });

  it('Ctrl+C and steering reach the session one is in after a change', async () => {
    const chunks = anthropicChunks({ text: ['half', 'never'] });
    const at = chunks.findIndex((chunk) => JSON.stringify(chunk).includes('half')) + 1;
    answers('First.');
    desk.stage.server.reply(eventStream([...chunks.slice(0, at), { hang: true }]));
    const { shows, type } = start();
    await shows(/\n>$/);
    type(`one${enter}`);
    await shows(/First\.\n>$/);
    type(`/new${enter}`);
    await shows(/New session[\s\S]*\n>$/);
    type(`talk${enter}`);
    await shows('half');
    type(`make it blue${enter}`);
    type(ctrlC);
    await shows(/interrupted\n> make it blue$/);
  });

  it('Ctrl+C while a branch is summarized leaves one where one was', async () => {
    answers('First.', 'Second.');
    desk.stage.server.reply(eventStream([{ hang: true }]));
    const { shows, type } = start();
    await shows(/\n>$/);
    type(`one${enter}`);
    await shows(/First\.\n>$/);
    type(`two${enter}`);
    await shows(/Second\.\n>$/);
    type(`/tree 2 --summarize${enter}`);
    await expect.poll(() => desk.stage.server.requests.length).toBe(3);
    type(ctrlC);
    await shows(/Interrupted: the conversation stays where it is, nothing was changed\.\n>$/);
    type(`/tree${enter}`);
    await shows(/● 2 two .* ← you are here/);
  });

  it('/fork continues in a copy; what was typed ahead goes there as well', async () => {
    answers('First.', 'Copy.');
    const { shows, type } = start();
    await shows(/\n>$/);
    type(`one${enter}`);
    await shows(/First\.\n>$/);
    type(`/fork${enter}`);
    type(`in the copy${enter}`);
    await shows(
      /Forked\. The original session [0-9a-f-]{36} is unchanged\.[\s\S]*Now in "one \(copy\)"[\s\S]*Copy\.\n>$/,
    );
    expect(said(1)).toEqual(['one', 'First.', 'in the copy']);
    const [original, copy] = (await sessionFiles()).sort();
    expect(await readFile(original ?? '', 'utf8')).not.toContain('in the copy');
    const [header = ''] = (await readFile(copy ?? '', 'utf8')).split('\n');
    expect(original).toContain(JSON.parse(header).parentSession);
  });

  it('a session that cannot be opened leaves one in the session one is in', async () => {
    proves('P-22');
    answers('First.', 'Second.');
    await desk.stage.robota(['-p', 'elsewhere']);
    const [file = ''] = await sessionFiles();
    const holder = start(['-c']);
    await holder.shows(/\n>$/);
    const { shows, type } = start([], { columns: 400 });
    await shows(/\n>$/);
    type(`/resume elsewhere${enter}`);
    await shows(
      /The session is in use by process \d+ since [\s\S]*1\. Continue in a copy[\s\S]*\(Enter cancels\):$/,
    );
    type(enter);
    await shows(/Staying in the current session\.\n>$/);
    const newer = join(file, '..', '..', 'of-the-future');
    await mkdir(newer);
    const header = { type: 'session', version: 99, id: 'of-the-future', timestamp: '', cwd: desk.stage.cwd };
    const line = { type: 'message', id: 'aaaaaaaa', parentId: null, message: { role: 'user', content: 'x' } };
    await writeFile(join(newer, 'session.jsonl'), `${JSON.stringify(header)}\n${JSON.stringify(line)}\n`);
    type(`/resume of-the-future${enter}`);
    await shows(/\/resume of-the-future\n.*format 99.*\n>$/);
    type(`hi${enter}`);
    await shows(/Second\.\n>$/);
    expect(said(1)).toEqual(['hi']);
    expect(await readFile(file, 'utf8')).not.toContain('"hi"');
  });

  it('a second process may watch a session, or continue in a copy', async () => {
    answers('First.', 'Second.', 'Third.');
    const holder = start();
    await holder.shows(/\n>$/);
    holder.type(`one${enter}`);
    await holder.shows(/First\.\n>$/);
    const watcher = start(['-c']);
    await watcher.shows(/in use by process \d+[\s\S]*2\. Watch it without writing[\s\S]*\(Enter cancels\):$/);
    watcher.type(`2${enter}`);
    await watcher.shows(/> one\nFirst\.$/);
    holder.type(`two${enter}`);
    await watcher.shows(/> two\nSecond\.$/);
    watcher.type(enter);
    expect(await watcher.exit).toBe(0);
    const ended = start(['-c']);
    await ended.shows(/\(Enter cancels\):$/);
    ended.kill('SIGTERM');
    expect(await ended.exit).toBe(143);
    const copier = start(['-c']);
    await copier.shows(/\(Enter cancels\):$/);
    copier.type(`1${enter}`);
    await copier.shows(/Resumed "one \(copy\)"[\s\S]*\n>$/);
    copier.type(`three${enter}`);
    await copier.shows(/Third\.\n>$/);
    expect(said(2)).toEqual(['one', 'First.', 'two', 'Second.', 'three']);
    expect(await sessionFiles()).toHaveLength(2);
    const headless = await desk.stage.robota([
      '-p',
      'four',
      '--session',
      (await sessionFiles()).sort()[0] ?? '',
    ]);
    expect(headless.code).toBe(2);
    expect(headless.stderr).toMatch(/in use by process \d+.*--fork/);
  });

  it('Tab completes commands, names and labels', async () => {
    answers('First.');
    const { shows, type, screen } = start();
    await shows(/\n>$/);
    type(`one${enter}`);
    await shows(/First\.\n>$/);
    type(`/tree label 1 before lunch${enter}`);
    await shows(/is "before lunch"[\s\S]*\n>$/);
    type('/tre\t');
    await shows(/> \/tree$/);
    type(' bef\t');
    await shows(/> \/tree before lunch$/);
    expect(lastLines(await screen(), 1)).toBe('> /tree before lunch');
  });
});

describe('commands of sessions without a user', () => {
  it('print what there is and act on the session that is named', async () => {
    answers('First.', 'Second.');
    await desk.stage.robota(['-p', 'one']);
    await desk.stage.robota(['-p', 'two', '-c']);
    expect((await desk.stage.robota(['-p', '/name fence', '-c'])).stdout).toContain('called "fence"');
    const tree = await desk.stage.robota(['-p', '/tree', '-c', '--output-format', 'json']);
    expect(JSON.parse(tree.stdout)).toMatchObject({
      subtype: 'success',
      data: { entries: [{ text: 'one', kind: 'prompt' }, { text: 'two' }] },
    });
    const moved = await desk.stage.robota(['-p', '/tree 2', '-c', '--output-format', 'json']);
    expect(JSON.parse(moved.stdout)).toMatchObject({ data: { edit: 'two' } });
    answers('Third.');
    await desk.stage.robota(['-p', 'three', '-r', 'fence']);
    expect(said(2)).toEqual(['one', 'First.', 'three']);
    const fork = await desk.stage.robota(['-p', '/fork', '-r', 'fence', '--output-format', 'json']);
    const { data } = JSON.parse(fork.stdout);
    answers('Copied.');
    expect((await desk.stage.robota(['-p', 'four', '-r', data.session.open])).stdout).toBe('Copied.\n');
    expect(said(3)).toEqual(['one', 'First.', 'three', 'Third.', 'four']);
    expect((await desk.stage.robota(['-p', '/resume fence'])).stdout).toMatch(
      /^Resume it with: robota -r [0-9a-f-]{36}\n$/,
    );
    expect((await desk.stage.robota(['-p', '/new'])).stdout).toContain(
      'every robota -p starts a new session',
    );
    const list = await desk.stage.robota(['-p', '/resume']);
    expect(list.stdout).toMatch(/^\S+ {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}(one|fence)$/m);
    expect(list.code).toBe(0);
  });
});
