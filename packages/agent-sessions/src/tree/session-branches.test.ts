import { textOf } from '@robota-sdk/agent-core';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { EntryTree } from '../entry/tree.ts';
import { openSession, requestTo, type Script, storeOnDisk, text, textsOf } from '../fixtures/open-session.ts';
import { MemorySessionStore } from '../store/memory-store.ts';
import { SessionHandle } from '../store/session-handle.ts';
import { SessionTree } from './session-tree.ts';

/** The id of the entry that says something. */
function idOf(tree: SessionTree, words: string): string {
  for (const id of tree.ids()) if (tree.view(id)?.text === words) return id;
  throw new Error(`nothing says ${words}`);
}

async function openKept(script: Script = () => ({ text: 'ok' })) {
  const store = new MemorySessionStore();
  const handle = await store.create({ cwd: '/x' });
  return { store, handle, ...openSession(script, { handle }) };
}

describe('branches of a session', () => {
  it('continue from any entry; the branch that was left stays, and totals count both', async () => {
    proves('P-21');
    const store = await storeOnDisk();
    const handle = await store.create({ cwd: '/x' });
    const { session, provider } = openSession((_, turn) => ({ text: `answer ${turn + 1}` }), { handle });
    for (const prompt of ['one', 'two', 'three']) await session.run(prompt);
    const { branches } = session;
    const target = idOf(branches.tree(), 'answer 1');
    expect(await branches.moveTo(target)).toEqual({});
    expect(textsOf(session.messages)).toEqual(['one', 'answer 1']);
    await session.run('other');
    expect(textsOf(requestTo(provider, 3).messages)).toEqual(['one', 'answer 1', 'other']);
    const tree = branches.tree();
    expect(tree.childrenOf(target).map((id) => tree.view(id)?.text)).toEqual(['two', 'other']);
    expect(tree.view(target)).toMatchObject({ kind: 'answer', children: 2, isActive: true });
    expect(tree.view(idOf(tree, 'three'))).toMatchObject({ kind: 'prompt', isActive: false });
    expect(tree.promptOf(idOf(tree, 'three'))).toBe('three');
    expect(tree.promptOf(target)).toBeUndefined();
    expect(session.totals.modelCalls).toBe(4);
    await session.close();
    const reopened = openSession([], { handle: await store.open(session.id) }).session;
    expect(textsOf(reopened.messages)).toEqual(['one', 'answer 1', 'other', 'answer 4']);
    expect(reopened.totals.modelCalls).toBe(4);
    await reopened.close();
  });

  it('the place is kept when the session is closed right after the move', async () => {
    const { store, session } = await openKept();
    await session.run('one');
    await session.run('two');
    await session.branches.moveTo(null);
    expect(session.messages).toEqual([]);
    await session.close();
    expect((await store.open(session.id)).messages()).toEqual([]);
  });

  it('the thinking level is that of the branch', async () => {
    const { session } = await openKept();
    await session.setThinking('low');
    await session.run('one');
    const place = session.branches.tree().leafId;
    await session.setThinking('high');
    await session.branches.moveTo(place);
    expect(session.thinking).toBe('low');
  });

  it('tells which model a branch was on: the one chosen there, else the one that answered', async () => {
    const { session } = await openKept();
    await session.run('one');
    const before = session.branches.tree().leafId;
    expect(session.branches.model).toBe(`${session.model.vendor}/${session.model.id}`);
    const [choice] = session.models;
    await session.setModel([{ ...choice, model: { ...choice.model, id: 'other-model' } }]);
    expect(session.branches.model).toBe(`${session.model.vendor}/other-model`);
    await session.branches.moveTo(before);
    expect(session.branches.model).not.toContain('other-model');
  });

  it('tells hooks that another conversation continues', async () => {
    proves('R-24');
    const { session } = await openKept();
    const seen: string[] = [];
    session.hooks.add('session-start', ({ source }) => void seen.push(`start ${source}`), 'test');
    session.hooks.add('session-end', ({ reason }) => void seen.push(`end ${reason}`), 'test');
    await session.run('one');
    const place = session.branches.leafId;
    await session.run('two');
    await session.branches.moveTo(place);
    await session.run('three');
    expect(seen).toEqual(['start startup', 'end resume', 'start resume']);
  });

  it('is refused while a run is going, and for entries that do not exist', async () => {
    let refused: Promise<unknown> | undefined;
    const { session } = await openKept(() => ({
      text: 'ok',
      before: () => {
        refused = session.branches.moveTo(null).catch((thrown: Error) => thrown.message);
      },
    }));
    await session.run('one');
    expect(await refused).toContain('busy');
    await expect(session.branches.moveTo('zzzzzzzz')).rejects.toThrow(/no entry zzzzzzzz.*\/tree all/);
  });

  it('carries a summary of the branch that is left to the new place, and counts its cost', async () => {
    const script: Script = (asked) =>
      asked.messages.some(({ content }) => textOf(content).includes('<record>'))
        ? { text: 'tried X, failed', usage: { input: 7 } }
        : { text: 'ok', usage: { input: 1 } };
    const { session, provider, handle } = await openKept(script);
    await session.run('one');
    const place = session.branches.tree().leafId;
    await session.run('try X');
    const left = session.branches.tree().leafId;
    expect(session.branches.leavesWork(place)).toBe(true);
    expect(session.branches.leavesWork(left)).toBe(false);
    const result = await session.branches.moveTo(place, { summarize: 'why it failed' });
    expect(result.summary).toBe('tried X, failed');
    const asked = textOf(requestTo(provider, 2).messages[0]?.content ?? []);
    expect(asked).toContain('try X');
    expect(asked).toContain('why it failed');
    expect(asked).not.toContain('## User\none');
    expect(handle.path().at(-1)).toMatchObject({ type: 'branch_summary', fromId: left, parentId: place });
    expect(session.totals.usage.input).toBe(9);
    await session.prompt(text('now Y'));
    expect(textsOf(requestTo(provider, 3).messages)[2]).toContain('tried X, failed');
  });

  it('goes without a summary when the model fails, and says so; an interruption changes nothing', async () => {
    const failure = { code: 'server', message: 'the server is on fire', retryable: false } as const;
    const { session } = await openKept((_, turn) => (turn === 2 ? { failure } : { text: 'ok' }));
    await session.run('one');
    const place = session.branches.tree().leafId;
    await session.run('two');
    const moved = await session.branches.moveTo(place, { summarize: true });
    expect(moved.problem).toContain('on fire');
    expect(textsOf(session.messages)).toEqual(['one', 'ok']);

    const stopped = await openKept((_, turn) => ({
      text: 'ok',
      before: () => {
        if (turn === 1) void stopped.session.abort();
      },
    }));
    await stopped.session.run('one');
    const leaf = stopped.session.branches.tree().leafId;
    await expect(stopped.session.branches.moveTo(null, { summarize: true })).rejects.toThrow('Interrupted');
    expect(stopped.session.branches.tree().leafId).toBe(leaf);
  });

  it('a session that is not saved has branches as well, but no name and no copies', async () => {
    const { session } = openSession(() => ({ text: 'ok' }));
    await session.run('one');
    const place = session.branches.leafId;
    await session.run('two');
    await session.branches.moveTo(place);
    expect(textsOf(session.messages)).toEqual(['one', 'ok']);
    await expect(session.branches.setName('x')).rejects.toThrow(/not saved.*--no-session/);
    await expect(session.branches.fork(new MemorySessionStore())).rejects.toThrow('not saved');
  });

  it('names, labels and copies', async () => {
    const { session, store } = await openKept();
    await session.run('one');
    const place = session.branches.tree().leafId ?? '';
    await session.run('two');
    await session.branches.setName('first try');
    await session.branches.setLabel(place, 'good');
    expect(session.branches.name).toBe('first try');
    expect(session.branches.tree().view(place)?.label).toBe('good');
    const fork = await store.open(await session.branches.fork(store, { to: place }));
    expect(fork.header.parentSession).toBe(session.id);
    expect(textsOf(fork.messages())).toEqual(['one', 'ok']);
    expect([...fork.labels.values()]).toEqual(['good']);
    await fork.close();
    await session.branches.setName('');
    expect(session.branches.name).toBeUndefined();
  });

  it('shows every entry of a damaged tree, whose parents run in a circle', async () => {
    const at = { timestamp: '', type: 'custom', customType: 'x' } as const;
    const tree = new EntryTree();
    for (const [id, parentId] of [
      ['a', 'b'],
      ['b', 'a'],
      ['c', 'b'],
    ] as const)
      tree.addEntry({ ...at, id, parentId });
    const header = { id: 's', version: 3, timestamp: '', cwd: '/x' };
    const shape = { header, tree, sink: undefined, isNew: false, directory: undefined, problems: [] };
    const shown = new SessionTree(new SessionHandle(shape));
    const below = (id: string | null): string[] =>
      shown.childrenOf(id).flatMap((child) => [child, ...below(child)]);
    expect(below(null).sort()).toEqual(['a', 'b', 'c']);
  });
});
