import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { assistant, call, result, user } from '../fixtures/messages.ts';
import { JsonlSessionStore } from './jsonl-store.ts';
import { MemorySessionStore } from './memory-store.ts';
import type { SessionHandle } from './session-handle.ts';
import type { SessionStore } from './session-store.ts';

const stores: [string, (home: string) => SessionStore][] = [
  ['JsonlSessionStore', (home) => new JsonlSessionStore({ home })],
  ['MemorySessionStore', () => new MemorySessionStore()],
];

async function say(handle: SessionHandle, ...texts: readonly string[]): Promise<string[]> {
  const entries = await handle.appendAll(texts.map((text) => ({ type: 'message', message: user(text) })));
  return entries.map(({ id }) => id);
}

const textsOf = (handle: SessionHandle) =>
  handle.messages().map(({ content }) => (content[0]?.type === 'text' ? content[0].text : ''));

describe.each(stores)('%s', (_name, make) => {
  let home: string;
  let store: SessionStore;

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'robota-sessions-'));
    store = make(home);
  });

  afterEach(() => rmSync(home, { recursive: true, force: true }));

  it('P-22 creates a session, appends to it and reads it back unchanged', async () => {
    const messages = [user('hi'), call('t1'), result('t1'), assistant('done')];
    const handle = await store.create({ cwd: home });
    for (const message of messages) await handle.append({ type: 'message', message }, { durable: true });
    expect(handle.messages()).toEqual(messages);
    await handle.close();
    const again = await store.open(handle.id);
    expect(again.messages()).toEqual(messages);
    expect(again.header).toEqual(handle.header);
    expect(again.leafId).toBe(handle.leafId);
    expect(again.problems).toEqual([]);
    await again.close();
  });

  it('P-22 continues the most recent session of a directory', async () => {
    const first = await store.create({ cwd: home });
    await say(first, 'one');
    const second = await store.create({ cwd: home });
    await say(second, 'two');
    const elsewhere = await store.create({ cwd: join(home, 'other') });
    await say(elsewhere, 'three');
    await new Promise((resolve) => setTimeout(resolve, 15));
    await say(first, 'again');
    for (const handle of [first, second, elsewhere]) await handle.close();
    expect(await store.latest(home)).toMatchObject({ id: first.id, firstPrompt: 'one' });
    expect(await store.latest(join(home, 'nowhere'))).toBeUndefined();
  });

  it('leaves no trace of a session in which nothing was said', async () => {
    const handle = await store.create({ cwd: home });
    await handle.flush();
    await handle.close();
    expect(await store.list()).toEqual([]);
    expect(await store.has(handle.id)).toBe(false);
  });

  it('P-21 branches by moving the leaf, and finds the branch again', async () => {
    const handle = await store.create({ cwd: home });
    const [a, b] = await say(handle, 'a', 'b');
    await handle.setLeaf(a ?? null);
    await say(handle, 'c');
    expect(textsOf(handle)).toEqual(['a', 'c']);
    await handle.setLeaf(b ?? null);
    await handle.close();
    const again = await store.open(handle.id);
    expect(textsOf(again)).toEqual(['a', 'b']);
    await again.setLeaf(null);
    expect(again.messages()).toEqual([]);
    await expect(again.setLeaf('nothing!')).rejects.toThrow(/no entry nothing!/);
    expect(again.entries()).toHaveLength(3);
    await again.close();
  });

  it('keeps names and labels beside the tree', async () => {
    const handle = await store.create({ cwd: home });
    const [a] = await say(handle, 'a', 'b');
    await handle.setName('  Fix\n the build ');
    await handle.setLabel(a ?? '', 'start');
    await handle.close();
    const again = await store.open(handle.id, { mode: 'read' });
    expect(again.name).toBe('Fix the build');
    expect(again.labels.get(a ?? '')).toBe('start');
    expect(textsOf(again)).toEqual(['a', 'b']);
    expect((await store.list())[0]).toMatchObject({ name: 'Fix the build' });
  });

  it('lists sessions newest first, of one directory or of all', async () => {
    for (const cwd of [home, join(home, 'other')]) {
      const handle = await store.create({ cwd });
      await say(handle, `in ${cwd}`);
      await handle.close();
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
    const all = await store.list();
    expect(all.map(({ cwd }) => cwd)).toEqual([join(home, 'other'), home]);
    expect(await store.list({ cwd: home })).toMatchObject([{ cwd: home, firstPrompt: `in ${home}` }]);
  });

  it('opens by the beginning of an id, and says when it is not enough', async () => {
    for (const id of ['abc-1', 'abc-2', 'xyz']) {
      const handle = await store.create({ cwd: home, id });
      await say(handle, id);
      await handle.close();
    }
    const opened = await store.open('XY');
    expect(opened.id).toBe('xyz');
    await opened.close();
    await expect(store.open('abc')).rejects.toThrow(/could be abc-1, abc-2|could be abc-2, abc-1/);
    await expect(store.open('nope')).rejects.toMatchObject({ code: 'session' });
    await expect(store.open('')).rejects.toMatchObject({ code: 'session' });
    await expect(store.create({ cwd: home, id: 'xyz' })).rejects.toThrow(/already/);
    await expect(store.create({ cwd: home, id: '../../etc' })).rejects.toThrow(/can't be the id/);
  });

  it('gives a session to one writer at a time', async () => {
    const handle = await store.create({ cwd: home });
    await say(handle, 'a');
    await expect(store.open(handle.id)).rejects.toThrow(/in use by this process.*--fork/);
    await expect(store.delete(handle.id)).rejects.toThrow(/in use/);
    const reader = await store.open(handle.id, { mode: 'read' });
    expect(textsOf(reader)).toEqual(['a']);
    await expect(reader.append({ type: 'message', message: user('x') })).rejects.toThrow(
      /opened for reading/,
    );
    await handle.close();
    await expect(handle.setName('x')).rejects.toThrow(/closed/);
    await (await store.open(handle.id)).close();
  });

  it('forks the active branch of a session that is in use', async () => {
    const handle = await store.create({ cwd: home });
    const [a] = await say(handle, 'a', 'b');
    await handle.setLabel(a ?? '', 'start');
    const fork = await store.fork(handle.id);
    await say(fork, 'c');
    expect(textsOf(fork)).toEqual(['a', 'b', 'c']);
    expect(fork.header.parentSession).toBe(handle.id);
    expect(fork.labels.get(a ?? '')).toBe('start');
    expect(textsOf(handle)).toEqual(['a', 'b']);
    await fork.close();
    await handle.close();
  });

  it('R-8 saves, loads, lists and deletes whole conversations', async () => {
    const messages = [user('hi'), assistant('hello')];
    const id = await store.save({ cwd: home, messages, name: 'Greeting' });
    expect(await store.load(id)).toMatchObject({ id, cwd: home, name: 'Greeting', messages });
    const longer = [...messages, user('more'), assistant('sure')];
    expect(await store.save({ id, cwd: home, messages: longer })).toBe(id);
    expect((await store.load(id)).messages).toEqual(longer);
    const changed = [messages[0] ?? user(''), assistant('another answer')];
    await store.save({ id, cwd: home, messages: changed });
    expect((await store.load(id)).messages).toEqual(changed);
    const handle = await store.open(id, { mode: 'read' });
    expect(handle.entries()).toHaveLength(5);
    expect((await store.list()).map((summary) => summary.id)).toEqual([id]);
    await store.delete(id);
    expect(await store.list()).toEqual([]);
    await expect(store.load(id)).rejects.toMatchObject({ code: 'session' });
  });

  it('P-26 shows the model a summary in place of what was compacted, and keeps the originals', async () => {
    const handle = await store.create({ cwd: home });
    const messages = ['a', 'request', 'c', 'd'].map((text) => user(text));
    for (const message of messages) await handle.append({ type: 'message', message });
    await handle.append({
      type: 'compaction',
      summary: 'the story so far',
      firstKeptMessageId: messages[3]?.id ?? '',
      keptMessageIds: [messages[1]?.id ?? ''],
      tokensBefore: 10,
    });
    await say(handle, 'e');
    await handle.close();
    const again = await store.open(handle.id, { mode: 'read' });
    const [summary, ...rest] = textsOf(again);
    expect(summary).toContain('the story so far');
    expect(rest).toEqual(['request', 'd', 'e']);
    expect(again.path()).toHaveLength(6);
  });
});
