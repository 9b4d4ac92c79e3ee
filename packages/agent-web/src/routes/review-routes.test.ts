import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { draftCount, type InteractiveSession, userPaths } from '@robota-sdk/agent-sdk/front-end';
import { JsonlSessionStore } from '@robota-sdk/agent-sessions';
import { describe, expect, it } from 'vitest';
import { callTurn, openScripted } from '../../../agent-sdk/src/fixtures/scripted-session.ts';
import { makeTestProject } from '../../../agent-sdk/src/fixtures/test-project.ts';
import type { ReviewReply, ReviewTargetsReply } from '../contract/review.ts';
import { callRoute, jsonOf } from '../fixtures/call-route.ts';
import { SessionIndex } from '../live/session-index.ts';
import { heldElsewhere } from './review/open-reviews.ts';
import { reviewRoutes } from './review-routes.ts';

const script = [
  callTurn('Write', { file_path: 'new.txt', content: 'one\ntwo\n' }),
  callTurn('Bash', { command: "printf 'a\\nB\\nc\\n' > old.txt" }),
  { text: 'done' },
  { text: 'thanks' },
];

async function openReviewed() {
  const place = await makeTestProject();
  await place.put('old.txt', 'a\nb\nc\n');
  const options = { permissionMode: 'bypassPermissions' } as const;
  const first = await openScripted(place, script, { store: 'new', ...options });
  await first.session.submit('change two files');
  const { id } = first.session;
  let open: InteractiveSession | undefined = first.session;
  const prompts: string[] = [];
  const server = {
    holder: 'here' as 'here' | 'elsewhere' | 'none',
    close: async () => {
      await open?.shutdown();
      open = undefined;
      server.holder = 'none';
    },
  };
  const routes = reviewRoutes({
    home: userPaths(place.host).data,
    sessions: {
      holder: async () => server.holder,
      peek: () => open,
      open: async () => {
        open ??= (await openScripted(place, script, { store: { open: id }, ...options })).session;
        return open;
      },
      prompt: async (_, text) => void prompts.push(text),
    },
    taskSubject: async () => ({ session: id, title: 'Round prices', readOnly: 'The task is running.' }),
  });
  const at = `/api/sessions/${id}/review` as const;
  const get = async (query = '') => jsonOf<ReviewReply>(await callRoute(routes, `GET ${at}${query}`));
  const targets = async () =>
    jsonOf<ReviewTargetsReply>(await callRoute(routes, `GET ${at}/targets`)).targets;
  const post = (name: string, body: Record<string, string | number | boolean>) =>
    callRoute(routes, `POST ${at}/${name}`, body);
  /** Whether the board lists the session under "To review". */
  const isToReview = async () => {
    const store = new JsonlSessionStore({ home: userPaths(place.host).data });
    const listed = (await store.list({ cwd: place.cwd })).find((each) => each.id === id);
    const index = new SessionIndex(listed?.path ?? '');
    await index.refresh();
    return index.digest.hasUnreviewed;
  };
  return { place, server, routes, get, post, targets, prompts, isToReview, session: () => open };
}

const hunkOf = ({ files }: ReviewReply, name: string) => {
  const file = files.find((each) => each.name === name);
  return { file: name, hunk: file?.hunks[0]?.key ?? '' };
};
const statesOf = ({ files }: ReviewReply) => files.map(({ hunks }) => hunks[0]?.state);

describe('the review of a session in the browser', () => {
  it('takes no option of git and no folder from elsewhere as changes to show', async () => {
    const { place, server, get } = await openReviewed();
    const git = (...words: string[]) => execFileSync('git', words, { cwd: place.cwd, stdio: 'ignore' });
    git('init', '-q');
    git('-c', 'user.name=x', '-c', 'user.email=x@x', 'commit', '-q', '--allow-empty', '-m', 'first');
    const file = join(place.home, 'pwned');
    for (const target of [
      `--output=${file}`,
      `--output=${file}..HEAD`,
      `HEAD..--output=${file}`,
      '--ext-diff',
      '--no-index',
      '-O/etc/passwd',
      `--upload-pack=touch ${file}`,
      'HEAD --output=x',
      'HEAD;touch x',
      '$(touch x)',
      ':/etc/passwd',
      'worktree /etc',
      'worktree ../../..',
      'worktree --output=x',
      'worktree \0',
    ])
      await expect(get(`?target=${encodeURIComponent(target)}`), target).rejects.toThrow();
    expect(existsSync(file)).toBe(false);
    await server.close();
  });

  it('lists files and hunks, keeps one, takes one back and makes both open again', async () => {
    const { place, server, get, post, isToReview } = await openReviewed();
    const review = await get();
    expect(await isToReview()).toBe(true);
    expect(review).toMatchObject({ title: 'change two files', target: 'this session', added: 3, removed: 1 });
    expect(review.files.map(({ name, change }) => [name, change])).toEqual([
      ['new.txt', 'create'],
      ['old.txt', 'edit'],
    ]);
    const kept = jsonOf<ReviewReply>(await post('keep', hunkOf(review, 'new.txt')));
    expect(await isToReview()).toBe(true);
    const taken = jsonOf<ReviewReply>(await post('take-back', hunkOf(kept, 'old.txt')));
    expect(statesOf(taken)).toEqual(['kept', 'taken back']);
    expect(await isToReview()).toBe(false);
    expect(await readFile(join(place.cwd, 'old.txt'), 'utf8')).toBe('a\nb\nc\n');
    expect(statesOf(await get())).toEqual(['kept', 'taken back']);
    await post('undo', hunkOf(review, 'old.txt'));
    const open = jsonOf<ReviewReply>(await post('undo', hunkOf(review, 'new.txt')));
    expect(statesOf(open)).toEqual(['open', 'open']);
    expect(await isToReview()).toBe(true);
    expect(await readFile(join(place.cwd, 'old.txt'), 'utf8')).toBe('a\nB\nc\n');
    expect(statesOf(jsonOf<ReviewReply>(await post('keep', { all: true })))).toEqual(['kept', 'kept']);
    expect(await isToReview()).toBe(false);
    await server.close();
  });

  it('refuses to take back what moved on, and lists it again when asked', async () => {
    const { place, server, get, post } = await openReviewed();
    const review = await get();
    await writeFile(join(place.cwd, 'old.txt'), 'mine\n');
    const refused = await post('take-back', hunkOf(review, 'old.txt'));
    expect(refused).toMatchObject({
      status: 409,
      json: { message: "Can't take back: old.txt changed since. Review it again." },
    });
    expect(await readFile(join(place.cwd, 'old.txt'), 'utf8')).toBe('mine\n');
    expect((await get('?again')).files[1]?.hunks[0]?.lines.map(({ text }) => text)).toContain('mine');
    await expect(post('keep', { file: 'old.txt', hunk: 'gone' })).rejects.toThrow(/Reload the review/);
    await expect(post('keep', { file: '../etc', hunk: 'x' })).rejects.toThrow(
      /no longer part of this review/,
    );
    await server.close();
  });

  it('keeps drafts with the session, finds their lines again, and sends them as one message', async () => {
    const { place, server, get, post, prompts, isToReview, session } = await openReviewed();
    await post('drafts', { file: 'old.txt', side: 'new', line: 2, comment: 'Lower case.' });
    await post('drafts', { file: 'new.txt', side: 'new', line: 1, endLine: 2, comment: 'Why two?' });
    const open = session();
    expect(open && draftCount(open)).toBe(2);
    await server.close();
    // Another process resumes it: the drafts are those of /review.
    await writeFile(join(place.cwd, 'old.txt'), 'first\na\nB\nc\n');
    const { drafts } = await get();
    expect(drafts).toMatchObject([
      { file: 'old.txt', line: 2, at: 3, comment: 'Lower case.' },
      { file: 'new.txt', line: 1, at: 1, excerpt: ['one', 'two'] },
    ]);
    expect(session()).toBeUndefined();
    const [first, second] = drafts;
    await post('drafts', { id: first?.id ?? '', comment: 'Lower case, please.' });
    await post('drafts', { file: 'new.txt', side: 'new', line: 1, comment: 'Not this.' });
    await post('drafts/remove', { id: (await get()).drafts.at(-1)?.id ?? '' });
    expect(await isToReview()).toBe(true);
    // In the order of the files, whichever comment was written first.
    const text =
      'Comments on the changes:\n\nnew.txt:1-2\n> one\n> two\nWhy two?\n\nold.txt:3\n> B\nLower case, please.';
    expect((await get()).message).toBe(text);
    expect(jsonOf<ReviewReply>(await post('send', {})).drafts).toEqual([]);
    expect(prompts).toEqual([text]);
    expect(await isToReview()).toBe(false);
    await expect(post('send', {})).rejects.toThrow('No comments to send.');
    await post('drafts', { file: 'new.txt', side: 'new', line: 1, comment: 'Again?' });
    const [again] = (await get()).drafts;
    expect(again?.id).not.toBe(second?.id);
    expect(jsonOf<ReviewReply>(await post('drafts/remove', { id: again?.id ?? '' })).drafts).toEqual([]);
    await server.close();
  });

  it('reads a session that is closed or held elsewhere without touching it', async () => {
    const { server, get, routes, session } = await openReviewed();
    await server.close();
    const closed = await get();
    expect(closed.files.map(({ name }) => name)).toEqual(['new.txt', 'old.txt']);
    expect(closed).not.toHaveProperty('readOnly');
    server.holder = 'elsewhere';
    expect(await get()).toMatchObject({ readOnly: heldElsewhere });
    expect(session()).toBeUndefined();
    const task = await callRoute(routes, 'GET /api/tasks/t-1/review');
    expect(jsonOf<ReviewReply>(task)).toMatchObject({
      title: 'Round prices',
      readOnly: 'The task is running.',
    });
    await expect(callRoute(routes, 'POST /api/tasks/t-1/review/keep', { all: true })).rejects.toThrow(
      'The task is running.',
    );
  });

  it('offers other changes of the repository, and reviews them', async () => {
    const { get, place, targets, server } = await openReviewed();
    expect(await targets()).toEqual([{ target: '', text: 'This session' }]);
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-C', place.cwd, ...args], { env: place.host.env });
    git('init', '-q', '-b', 'main');
    git('add', '.');
    git('-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '-qm', 'x');
    git('worktree', 'add', '-q', '-b', 'other', '../beside');
    await writeFile(join(place.cwd, '../beside/old.txt'), 'changed\n');
    expect(await targets()).toEqual([
      { target: '', text: 'This session' },
      { target: 'HEAD', text: 'Uncommitted changes' },
      { target: 'other...HEAD', text: 'Commits since other' },
      { target: 'worktree ../beside', text: 'Worktree beside' },
    ]);
    const review = await get('?target=worktree%20..%2Fbeside');
    expect(review).toMatchObject({ target: 'worktree ../beside', files: [{ name: 'old.txt' }] });
    expect((await get('?target=HEAD')).files).toEqual([]);
    await server.close();
  });

  it('takes ids alone, never the path of a file', async () => {
    const { server, routes } = await openReviewed();
    for (const id of ['..%2F..%2Fetc', '%2Fetc%2Fpasswd', 'a.jsonl', ''])
      await expect(callRoute(routes, `GET /api/sessions/${id}/review`)).rejects.toThrow('Expected an id');
    await server.close();
  });
});
