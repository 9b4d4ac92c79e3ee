import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { silentInterface, textOf } from '@robota-sdk/agent-core';
import type { Review } from '@robota-sdk/agent-review';
import { describe, expect, it, vi } from 'vitest';
import { createSession } from '../client/query.ts';
import { callTurn, openScripted } from '../fixtures/scripted-session.ts';
import { makeTestProject, type TestProject } from '../fixtures/test-project.ts';
import { call, scriptedModel } from '../testing/scripted-model.ts';
import { temporaryProject } from '../testing/temporary-project.ts';
import { draftCount } from './draft-count.ts';
import { openReview } from './open-review.ts';

const script = [
  callTurn('Write', { file_path: 'new.txt', content: 'one\n' }),
  { text: 'written' },
  callTurn('Bash', { command: "printf 'a\\nB\\nc\\n' > old.txt" }),
  { text: 'ran' },
  { text: 'ok' },
];

async function openChanged(place: TestProject) {
  await place.put('old.txt', 'a\nb\nc\n');
  const opened = await openScripted(place, script, { store: 'new', permissionMode: 'bypassPermissions' });
  await opened.session.submit('write');
  await opened.session.submit('run');
  return opened;
}

const contentOf = (place: TestProject, name: string) =>
  readFile(join(place.cwd, name), 'utf8').catch(() => undefined);

async function takeBack(review: Review, name: string) {
  const file = review.files.find((each) => each.name === name);
  const [hunk] = file?.hunks ?? [];
  return file && hunk && review.takeBack(file, hunk);
}

describe('a review of a session', () => {
  it('lists what tools and commands changed, and /diff prints it as a unified diff', async () => {
    const place = await makeTestProject();
    const { session } = await openChanged(place);
    const result = await session.executeCommand('diff');
    expect(result?.message).toBe(
      '--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+one\n--- a/old.txt\n+++ b/old.txt\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c',
    );
    expect((await session.executeCommand('review'))?.message).toBe(
      'Review: this session (2 files, 2 hunks, +2 -1)\n  new.txt  +1 -0  1 hunk\n  old.txt  +1 -1  1 hunk',
    );
    expect(await session.executeCommand('diff', 'nothing..x')).toMatchObject({ success: false });
    await session.shutdown();
  });

  it('takes back a hunk, tells the model, and leaves a rewind nothing to ask about', async () => {
    const place = await makeTestProject();
    const { session, provider } = await openChanged(place);
    const review = await openReview(session, 'session');
    expect(await takeBack(review, 'new.txt')).toEqual({ isDone: true });
    expect(await takeBack(review, 'old.txt')).toEqual({ isDone: true });
    expect([await contentOf(place, 'new.txt'), await contentOf(place, 'old.txt')]).toEqual([
      undefined,
      'a\nb\nc\n',
    ]);
    await session.submit('continue');
    const prompts = provider.requests.at(-1)?.messages.map(({ content }) => textOf(content)) ?? [];
    const reminders = prompts.filter((text) => text.includes('The user took back changes in these files'));
    expect(reminders).toHaveLength(1);
    expect(reminders[0]).toContain('new.txt, old.txt');
    expect((await openReview(session, 'session')).files).toEqual([]);
    const { message = '' } = (await session.executeCommand('rewind', '1 files')) ?? {};
    expect(message).not.toContain('left as it is');
    await session.shutdown();
  });

  it('says that more may have changed than is known', async () => {
    const { session } = await openChanged(await makeTestProject());
    const { checkpoints } = session;
    if (checkpoints) vi.spyOn(checkpoints, 'unknownChanges').mockResolvedValue(['it was cut off']);
    expect((await session.executeCommand('review'))?.message).toContain(
      '\nChanges of a command are not known: it was cut off. Compare with git: /review HEAD',
    );
    await session.shutdown();
  });

  it('refuses a file that changed since', async () => {
    const place = await makeTestProject();
    const { session } = await openChanged(place);
    const review = await openReview(session, 'session');
    await writeFile(join(place.cwd, 'old.txt'), 'mine\n');
    expect(await takeBack(review, 'old.txt')).toEqual({
      isDone: false,
      problem: "Can't take back: old.txt changed since. Review it again.",
    });
    expect(await contentOf(place, 'old.txt')).toBe('mine\n');
    await session.shutdown();
  });

  it('keeps drafts with the session until they are sent', async () => {
    const place = await makeTestProject();
    const { session } = await openChanged(place);
    const review = await openReview(session, 'session');
    const [, file] = review.files;
    if (!file) throw new Error('there are two files');
    await review.comment(file, { side: 'new', line: 2, endLine: 2 }, 'Lower case, please.');
    expect(draftCount(session)).toBe(1);
    const { id } = session;
    await session.shutdown();
    const again = await openScripted(place, script, { store: { open: id } });
    expect(draftCount(again.session)).toBe(1);
    const reopened = await openReview(again.session, 'session');
    const message = reopened.message();
    expect(message?.text).toBe('A comment on the changes:\n\nold.txt:2\n> B\nLower case, please.');
    if (message) await reopened.sent(message);
    expect(draftCount(again.session)).toBe(0);
    await again.session.shutdown();
  });

  it('shows uncommitted changes where the session has none', async () => {
    const place = await makeTestProject();
    const git = (...args: string[]) => execFileSync('git', args, { cwd: place.cwd });
    git('init', '-q');
    git('add', '-A');
    git('-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '-q', '--allow-empty', '-m', 'one');
    const { session } = await openScripted(place, script);
    expect((await session.executeCommand('diff'))?.message).toBe('No changes: uncommitted changes.');
    await place.put('mine.txt', 'mine\n');
    expect((await session.executeCommand('diff'))?.message).toContain('+++ b/mine.txt');
    git('worktree', 'add', '-q', '../tax', '-b', 'tax');
    const context = { session, ui: silentInterface, signal: new AbortController().signal };
    const complete = (prefix: string) => session.findCommand('review')?.complete?.(prefix, context);
    expect(await complete('ta')).toEqual(['tax..HEAD', 'tax']);
    expect(await complete('worktree ')).toEqual(['worktree ../tax']);
    expect((await session.executeCommand('diff', 'worktree ../tax'))?.message).toBe(
      'No changes: worktree ../tax.',
    );
    expect((await session.executeCommand('diff', '../tax'))?.message).toBe('No changes: worktree ../tax.');
    await session.shutdown();
  });

  it('is open to programs, also in a session that lives in memory', async () => {
    await using project = await temporaryProject({ 'a.txt': 'one\n' });
    const git = (...args: string[]) => execFileSync('git', args, { cwd: project.path });
    git('init', '-q');
    git('add', '-A');
    git('-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '-qm', 'one');
    const write = call('Write', { file_path: 'b.txt', content: 'two\n' });
    const model = scriptedModel([write, 'Done.', 'Thanks.']);
    const options = { cwd: project.path, model, permissionMode: 'bypassPermissions' } as const;
    await using session = createSession(options);
    await session.run('write');
    const review = await session.review();
    const [file] = review.files;
    expect(file).toMatchObject({ name: 'b.txt', change: 'create', added: 1 });
    if (file) await review.comment(file, { side: 'new', line: 1, endLine: 1 }, 'Why?');
    const message = review.message();
    expect(message?.text).toBe('A comment on the changes:\n\nb.txt:1\n> two\nWhy?');
    expect(await session.run(message?.text ?? '')).toBe('Thanks.');
    expect((await session.review({ range: 'HEAD' })).files.map(({ name }) => name)).toEqual(['b.txt']);
    await expect(session.review({ worktree: '..' })).rejects.toThrow(/not a worktree/);
  });

  it('leaves /review to a command of the user with that name', async () => {
    const place = await makeTestProject();
    await place.put('.robota/commands/review.md', 'Ours.');
    const { session } = await openScripted(place);
    expect(session.findCommand('review')?.description).toBe('Ours.');
    expect(session.findCommand('changes')).toMatchObject({ name: 'review', screen: 'review' });
    expect(session.problems).toEqual([]);
    await session.shutdown();
  });
});
