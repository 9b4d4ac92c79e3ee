import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Message } from '@robota-sdk/agent-core';
import type { SessionHandle } from '@robota-sdk/agent-sessions';
import { proves } from '@robota-sdk/agent-testing/proves';
import { DataElement, parseMany } from '@robota-sdk/xnl';
import { describe, expect, it } from 'vitest';
import { assistant, result, user } from '../../../agent-sessions/src/fixtures/messages.ts';
import { storeOnDisk } from '../../../agent-sessions/src/fixtures/open-session.ts';
import { HistoryFile, type HistoryFileOptions } from './history-file.ts';

const store = await storeOnDisk();

/** A session whose history is kept, new or known. */
async function open(id?: string, options: Partial<HistoryFileOptions> = {}) {
  const handle = id === undefined ? await store.create({ cwd: '/project' }) : await store.open(id);
  const file = join(handle.directory ?? '', 'history.xnl');
  const history = new HistoryFile({ handle, file, system: () => 'Be brief.', ...options });
  handle.follow(history);
  const say = (message: Message) => handle.append({ type: 'message', message });
  return { handle, file, history, say };
}

const read = (file: string) => readFileSync(file, 'utf8');
const recordsIn = (file: string) =>
  parseMany(read(file)).nodes.flatMap((node) => (node instanceof DataElement ? node : []));
const contentsIn = (file: string) =>
  recordsIn(file).map(({ tag, attributes }) => `${tag}: ${attributes?.content}`);

async function talk(handle: SessionHandle, count: number, from = 0) {
  for (let index = from; index < from + count; index++)
    await handle.append({ type: 'message', message: user(`prompt ${index}`) });
}

/** A closed session with three prompts. */
async function written() {
  const { handle, file } = await open();
  await talk(handle, 3);
  await handle.close();
  return { id: handle.id, file, before: read(file) };
}

describe('history.xnl', () => {
  it('holds every message: text, thoughts, calls, their raw form and results, for its owner only', async () => {
    proves('E-24', 'E-25', 'E-29');
    const { handle, file, say } = await open();
    await say(user('list the files'));
    const call = { type: 'tool-call', id: '019abc', name: 'bash', input: { command: 'ls -la' } } as const;
    await say(assistant([{ type: 'thinking', text: 'hm' }, { type: 'text', text: '\n\nLooking.' }, call]));
    await say(result('019abc', 'a\nb', { toolName: 'bash' }));
    await handle.close();
    const plain = read(file).replace(/ id="[0-9a-f]{8}" ts="[^"]+"/g, '');
    expect(plain).toBe(String.raw`<system {
  content = "Be brief."
}>
<user {
  content = "list the files"
}>
<assistant model="test/scripted" {
  reasoning_content = "hm"
  content = "\n\nLooking."
  toolCalls = [
    {
      id = "019abc"
      name = "bash"
      input = {
        command = "ls -la"
      }
    }
  ]
  rawToolCallsStr = "[{\"id\":\"019abc\",\"name\":\"bash\",\"arguments\":\"{\\\"command\\\":\\\"ls -la\\\"}\"}]"
}>
<tool {
  toolCallId = "019abc"
  name = "bash"
  content = "a\nb"
}>
`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const [, first] = recordsIn(file);
    expect(handle.entry(String(first?.metadata.id))).toMatchObject({ timestamp: first?.metadata.ts });
  });

  it('is appended to while the session continues, without waiting for its end', async () => {
    proves('E-25');
    const { handle, file, say } = await open();
    await say(user('one'));
    await expect.poll(() => existsSync(file) && contentsIn(file)).toEqual(['system: Be brief.', 'user: one']);
    const { ino, size } = statSync(file);
    await say(assistant('two'));
    await expect.poll(() => contentsIn(file)).toContain('assistant: two');
    expect(statSync(file).ino).toBe(ino);
    expect(statSync(file).size).toBeGreaterThan(size);
    await handle.close();
  });

  it('leaves the JSON of a session as it is without it: the same lines, and the same conversation read from them', async () => {
    proves('E-26');
    const messages = [user('one'), assistant('two'), user('three')];
    const linesWith = async (handle: SessionHandle) => {
      for (const message of messages) await handle.append({ type: 'message', message });
      await handle.setName('named');
      await handle.close();
      const again = await store.open(handle.id, { mode: 'read' });
      const conversation = again.path().flatMap((entry) => (entry.type === 'message' ? entry.message : []));
      await again.close();
      const lines = read(join(handle.directory ?? '', 'session.jsonl'))
        .trim()
        .split('\n');
      const contents = lines.map((line) => ({ ...JSON.parse(line), id: '', parentId: '', timestamp: '' }));
      return { contents, conversation };
    };
    const { handle, file } = await open();
    const beside = await linesWith(handle);
    expect(contentsIn(file)).toContain('user: three');
    expect(beside).toEqual(await linesWith(await store.create({ cwd: '/project' })));
    expect(beside.conversation).toEqual(messages);
  });

  it('hides secrets', async () => {
    const { handle, file, say } = await open(undefined, { secrets: ['my-own-key'] });
    await say(user('the key is my-own-key'));
    const input = { api_key: 'hidden value', text: `ghp_${'x'.repeat(36)}` };
    await say(assistant([{ type: 'tool-call', id: 'c', name: 'Bash', input }]));
    await handle.close();
    expect(read(file)).not.toMatch(/my-own-key|ghp_|hidden value/);
    expect(contentsIn(file)).toContain('user: the key is [redacted]');
  });

  it('says where the conversation continues from another place, and keeps every branch', async () => {
    const { handle, file, say } = await open();
    await say(user('first'));
    const from = handle.leafId;
    await say(assistant('one way'));
    await handle.setLeaf(from);
    await handle.append({ type: 'model_change', provider: 'a', modelId: 'b' });
    await say(assistant('another way'));
    await handle.setLeaf(null);
    await say(user('anew'));
    await handle.close();
    expect(read(file).match(/^<!--.*$|content = .*$/gm)).toEqual([
      'content = "Be brief."',
      'content = "first"',
      'content = "one way"',
      `<!-- goes on from ${from} -->`,
      'content = "another way"',
      '<!-- starts over -->',
      'content = "anew"',
    ]);
    const live = read(file).replace(/<system[\s\S]*?\n\}>\n/, '');
    rmSync(file);
    const again = await open(handle.id, { system: () => '' });
    await again.say(user('more'));
    await again.handle.close();
    expect(read(file).slice(0, live.length)).toBe(live);
  });

  it('tells the summary that stands for what was compacted', async () => {
    const { handle, file, say } = await open();
    const kept = user('kept');
    await say(kept);
    await handle.append({
      type: 'compaction',
      summary: 'what happened',
      tokensBefore: 10,
      firstKeptMessageId: kept.id,
      keptMessageIds: [],
    });
    await handle.close();
    expect(recordsIn(file).at(-1)).toMatchObject({
      tag: 'user',
      metadata: { origin: 'summary' },
      attributes: { content: expect.stringContaining('what happened') },
    });
  });

  it('says the system prompt again only when it is another', async () => {
    let prompt = 'one';
    const { handle, file, say, history } = await open(undefined, { system: () => prompt });
    await say(user('a'));
    await history.flush();
    await say(user('b'));
    await history.flush();
    prompt = 'two';
    await say(user('c'));
    await handle.close();
    const again = await open(handle.id, { system: () => prompt });
    await again.say(user('d'));
    await again.handle.close();
    expect(contentsIn(file)).toEqual([
      'system: one',
      'user: a',
      'user: b',
      'system: two',
      'user: c',
      'user: d',
    ]);
  });

  it.each<[string, (file: string) => void]>([
    ['missing', (file) => rmSync(file)],
    ['empty', (file) => writeFileSync(file, '')],
    ['torn in the last record', (file) => writeFileSync(file, read(file).slice(0, -9))],
    ['torn in a character', (file) => appendFileSync(file, Buffer.from([0xe2, 0x82]))],
    ['short of the last records', (file) => writeFileSync(file, read(file).split('<user')[0] ?? '')],
    [
      'short of a record in the middle',
      (file) => writeFileSync(file, read(file).replace(/<user[\s\S]*?\}>\n/, '')),
    ],
    ['changed in the middle', (file) => writeFileSync(file, read(file).replace('{', '!'))],
    ['no history at all', (file) => writeFileSync(file, 'garbage\n')],
    [
      'that of another session',
      (file) => writeFileSync(file, '<user id="ffffffff" {\n  content = "x"\n}>\n'),
    ],
  ])('is repaired from the session when it is %s', async (_, damage) => {
    const { id, file } = await written();
    damage(file);
    const { handle } = await open(id);
    await talk(handle, 1, 3);
    await handle.close();
    const prompts = contentsIn(file).filter((content) => content.startsWith('user'));
    expect(prompts).toEqual(['user: prompt 0', 'user: prompt 1', 'user: prompt 2', 'user: prompt 3']);
    expect(existsSync(`${file}.tmp`)).toBe(false);
  });

  it('is repaired when it is deleted or changed while the session is open', async () => {
    const { handle, file, history } = await open();
    await talk(handle, 2);
    await history.flush();
    rmSync(file);
    await talk(handle, 1, 2);
    await history.flush();
    expect(contentsIn(file)).toHaveLength(4);
    appendFileSync(file, '<user {');
    await talk(handle, 1, 3);
    await handle.close();
    expect(contentsIn(file).at(-1)).toBe('user: prompt 3');
    expect(contentsIn(file)).toHaveLength(5);
  });

  it('adds entries that were written while it was closed, however many', async () => {
    const { handle, file, history } = await open();
    await talk(handle, 20);
    await handle.append({ type: 'message', message: user('x'.repeat(400_000)) });
    await talk(handle, 400, 20);
    await history.flush();
    await handle.close();
    const before = read(file);
    const silent = await store.open(handle.id);
    await talk(silent, 120, 420);
    await silent.close();
    const again = await open(handle.id);
    await talk(again.handle, 1, 540);
    await again.history.flush();
    await again.handle.close();
    expect(read(file).startsWith(before)).toBe(true);
    expect(contentsIn(file).filter((content) => /^user: prompt/.test(content))).toEqual(
      Array.from({ length: 541 }, (_, index) => `user: prompt ${index}`),
    );
  });

  it('never fails a session: what can’t be written is mentioned once, and made up for when it can', async () => {
    const problems: string[] = [];
    const first = await open(undefined, { onProblem: (message) => problems.push(message) });
    const real = first.file;
    await talk(first.handle, 1);
    await first.history.flush();
    rmSync(real);
    mkdirSync(join(real, 'in the way'), { recursive: true });
    await talk(first.handle, 1, 1);
    await first.history.flush();
    await talk(first.handle, 1, 2);
    await first.history.flush();
    expect(problems).toEqual([expect.stringMatching(/^The history can't be written/)]);
    rmSync(real, { recursive: true });
    await talk(first.handle, 1, 3);
    await first.handle.close();
    expect(contentsIn(real)).toHaveLength(5);
  });

  it('does not hold up the end of a long session: what is missing is made by the next ones', async () => {
    const { handle } = await open();
    for (let index = 0; index < 40; index++)
      await handle.appendAll(
        Array.from({ length: 250 }, (_, more) => ({
          type: 'message' as const,
          message: user(`prompt ${index * 250 + more} ${'password: words '.repeat(40)}`),
        })),
      );
    await handle.close();
    const file = join(handle.directory ?? '', 'history.xnl');
    rmSync(file, { force: true });
    const whole = 10_000;
    for (let round = 0; round < 100; round++) {
      const { handle: again, say } = await open(handle.id, { system: () => '' });
      await say(user(`round ${round}`));
      await again.close();
      const ids = recordsIn(file).map(({ metadata }) => metadata.id);
      expect(ids).toEqual([...again.ids()].slice(0, ids.length));
      if (ids.length > whole) return;
    }
    expect.unreachable('the history never caught up');
  });
});
