import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { proves } from '@robota-sdk/agent-testing/proves';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decodeLine } from '../entry/codec.ts';
import type { Entry } from '../entry/entry.ts';
import { assistant, call, result, user } from '../fixtures/messages.ts';
import { JsonlSessionStore } from './jsonl-store.ts';
import { MemorySessionStore } from './memory-store.ts';
import type { SessionHandle } from './session-handle.ts';
import type { FollowedLine, SessionStorePort } from './session-store.ts';

const stores: [string, (home: string) => SessionStorePort][] = [
  ['JsonlSessionStore', (home) => new JsonlSessionStore({ home })],
  ['JsonlSessionStore of large files', (home) => new JsonlSessionStore({ home, heldBytes: 0 })],
  ['MemorySessionStore', () => new MemorySessionStore()],
];

async function say(handle: SessionHandle, ...texts: readonly string[]): Promise<string[]> {
  const entries = await handle.appendAll(texts.map((text) => ({ type: 'message', message: user(text) })));
  return entries.map(({ id }) => id);
}

/** An entry as it is read from a line of another program or of a later version. */
function entryOf(line: string): Entry {
  const decoded = decodeLine(line);
  if (decoded.kind !== 'entry') throw new Error(`no entry: ${line}`);
  return decoded.entry;
}

/** One word for each line that a follower sees. */
const wordOf = (line: FollowedLine) => {
  if (line.kind === 'entry') return line.entry.type === 'message' ? line.entry.message.role : line.entry.type;
  return line.kind === 'fact' ? line.fact.type : line.kind;
};

const textsOf = (handle: SessionHandle) =>
  handle.messages().map(({ content }) => (content[0]?.type === 'text' ? content[0].text : ''));

describe.each(stores)('%s', (_name, make) => {
  let home: string;
  let store: SessionStorePort;

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'robota-sessions-'));
    store = make(home);
  });

  afterEach(() => rmSync(home, { recursive: true, force: true }));

  it('creates a session, appends to it and reads it back unchanged', async () => {
    proves('P-22');
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

  it('continues the most recent session of a directory', async () => {
    proves('P-22');
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

  it('branches by moving the leaf, and finds the branch again', async () => {
    proves('P-21');
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
    expect([...again.entries()]).toHaveLength(3);
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

  it('forks a session that is in use', async () => {
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

  it('saves, loads, lists and deletes whole conversations', async () => {
    proves('R-8');
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
    expect([...handle.entries()]).toHaveLength(5);
    expect((await store.list()).map((summary) => summary.id)).toEqual([id]);
    await store.delete(id);
    expect(await store.list()).toEqual([]);
    await expect(store.load(id)).rejects.toMatchObject({ code: 'session' });
  });

  it('shows the model a summary in place of what was compacted, and keeps the originals', async () => {
    proves('P-26');
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

  it('lets others follow a session line by line while it is written, and ends when told', async () => {
    const handle = await store.create({ cwd: home });
    await say(handle, 'a');
    const controller = new AbortController();
    const seen: string[] = [];
    const seenEnough = new Promise<void>((resolve) => {
      void (async () => {
        for await (const line of store.follow(handle.id, { signal: controller.signal })) {
          seen.push(wordOf(line));
          if (seen.length === 2) await handle.append({ type: 'message', message: assistant('hello') });
          if (seen.length === 3) await handle.setName('N');
          if (seen.length === 4) await handle.setLeaf(null);
          if (seen.length === 5) controller.abort();
        }
        resolve();
      })();
    });
    await seenEnough;
    expect(seen).toEqual(['header', 'user', 'assistant', 'session_info', 'leaf']);
    await handle.close();
  });

  it('ends following when the session is deleted, and knows no session that is not there', async () => {
    const handle = await store.create({ cwd: home });
    await say(handle, 'a');
    await handle.close();
    const seen: string[] = [];
    for await (const line of store.follow(handle.id)) {
      seen.push(wordOf(line));
      if (seen.length === 2) await store.delete(handle.id);
    }
    expect(seen).toEqual(['header', 'user']);
    const nobody = store.follow('nobody')[Symbol.asyncIterator]();
    await expect(nobody.next()).rejects.toMatchObject({ code: 'session' });
  });

  it('keeps what it does not understand through forks: unknown kinds byte for byte, unknown fields of messages', async () => {
    proves('P-19');
    const opaque =
      '{"id":"0000000b", "type":"future","parentId":"0000000a","timestamp":"t","n":1.0,"\\u0061":[ 1 ]}';
    const message =
      '{"type":"message","id":"0000000a","parentId":null,"timestamp":"t","zzz":{"a":[1]},"message":{"role":"user","content":"hi"}}';
    const foreign = '{"type": "future", "x":1}';
    const first = await store.create({ cwd: home });
    await first.adopt([entryOf(message), entryOf(opaque)], { foreignLines: [foreign] });
    await first.close();
    const fork = await store.fork(first.id);
    await say(fork, 'more');
    await fork.close();
    const again = await store.open(fork.id, { mode: 'read' });
    expect(again.path()[1]).toMatchObject({ type: 'opaque', text: opaque });
    expect(again.path()[0]).toMatchObject({ type: 'message', unknown: { zzz: { a: [1] } } });
    expect(again.foreignLines).toEqual([foreign]);
    expect(textsOf(again)).toEqual(['hi', 'more']);
  });

  it('lets the last word on names and labels count, and an empty one take them away', async () => {
    const handle = await store.create({ cwd: home });
    const [a = '', b = ''] = await say(handle, 'a', 'b');
    await handle.setName('one');
    await handle.setName('two');
    await handle.setLabel(a, 'first');
    await handle.setLabel(b, 'second');
    await handle.setLabel(a, '');
    await handle.close();
    const again = await store.open(handle.id);
    expect(again.name).toBe('two');
    expect([...again.labels]).toEqual([[b, 'second']]);
    await again.setName('');
    await again.close();
    expect((await store.open(handle.id, { mode: 'read' })).name).toBeUndefined();
    expect((await store.list())[0]?.name).toBeUndefined();
  });
});
