import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { encodeLine } from '../entry/codec.ts';
import type { Entry } from '../entry/entry.ts';
import { assistant, call, result, user } from '../fixtures/messages.ts';
import { storeOnDisk } from '../fixtures/open-session.ts';
import { measureSession } from './measure-session.ts';

it('counts what was said: no results, reminders, facts or torn lines, but lines other programs wrote', async () => {
  const entries = [
    user('one'),
    user('remember', { origin: 'reminder' }),
    user('a summary', { origin: 'summary' }),
    user('steer', { origin: 'steering' }),
    user('talks of "origin":"reminder" itself'),
    assistant('two'),
    call('c1'),
    result('c1'),
  ].map((message, index): Entry => {
    const base = { id: `0000000${index}`, parentId: null, timestamp: '2026-01-01T00:00:00.000Z' };
    return { ...base, type: 'message', message };
  });
  const lines = entries.map((entry) => encodeLine({ kind: 'entry', entry }));
  const foreign = '{"id":"x1","type":"message","parentId":null,"message":{"role":"user","content":"hi"}}\n';
  const torn = (lines[0] ?? '').slice(0, -20);
  const file = join(await mkdtemp(join(tmpdir(), 'robota-count-')), 'session.jsonl');
  const header = '{"type":"session","id":"s","version":3,"timestamp":"","cwd":"/"}\n';
  await writeFile(file, `${header}${lines.join('')}${foreign}noise\n${torn}`);
  expect(measureSession(file).messages).toBe(6);
});

it('counts as many messages as the open session, however they were branched and summarized', async () => {
  const store = await storeOnDisk();
  const handle = await store.create({ cwd: '/' });
  const [first] = await handle.appendAll(
    [user('one'), call('c1'), result('c1'), assistant('two')].map((message) => ({
      type: 'message',
      message,
    })),
  );
  await handle.setLeaf(first?.id ?? null);
  const last = assistant('another');
  await handle.append({ type: 'message', message: last });
  const kept = { firstKeptMessageId: last.id, keptMessageIds: [] };
  await handle.append({ type: 'compaction', summary: 'all', tokensBefore: 1, ...kept });
  expect(handle.messageCount).toBe(4);
  await handle.close();
  const file = join(handle.directory ?? '', 'session.jsonl');
  expect(measureSession(file).messages).toBe(4);
  const again = await store.open(handle.id);
  expect(again.messageCount).toBe(4);
  await again.close();
});

it('adds up what answers, summaries and agents cost, however long the line', async () => {
  const base = { parentId: null, timestamp: '2026-01-01T00:00:00.000Z' };
  const answer = { ...assistant('says "cost":{"total":9} itself'), cost: 0.25 };
  const failed = { ...answer, cost: 0.5, error: { code: 'network', message: 'x'.repeat(5000) } } as const;
  const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 };
  const spent = { customType: 'robota.spent', data: { usage, cost: 1, modelCalls: 1 } };
  const entries: readonly Entry[] = [
    { ...base, id: '00000001', type: 'message', message: answer },
    { ...base, id: '00000002', type: 'message', message: { ...failed, stopReason: 'error' } },
    { ...base, id: '00000003', type: 'custom', ...spent },
  ];
  const file = join(await mkdtemp(join(tmpdir(), 'robota-cost-')), 'session.jsonl');
  await writeFile(file, entries.map((entry) => encodeLine({ kind: 'entry', entry })).join(''));
  expect(measureSession(file)).toEqual({ messages: 2, cost: 1.75 });
});
