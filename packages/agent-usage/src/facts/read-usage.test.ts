import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addShares, JsonlSessionStore, spentDraft, toolSharesOf } from '@robota-sdk/agent-sessions';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { assistant, call, user } from '../../../agent-sessions/src/fixtures/messages.ts';
import { usageReport } from '../rows/usage-rows.ts';
import { readUsage, readUsageInTurns, usageOfStore } from './read-usage.ts';

const usage = { input: 100, output: 10, cacheRead: 300, cacheWrite: 0 };
const model = { vendor: 'test', id: 'small' };

async function homeWithSession() {
  const home = mkdtempSync(join(tmpdir(), 'robota-usage-'));
  const store = new JsonlSessionStore({ home });
  const handle = await store.create({ cwd: '/shop' });
  return { home, store, handle };
}

const rowsOf = (home: string, dimension: string) =>
  usageReport(readUsage(home).sessions).rows.flatMap(({ by, name, calls, cost }) =>
    by === dimension ? [[name, calls, cost]] : [],
  );

describe('the usage of stored sessions', () => {
  it('books a compaction under the model that wrote the summary', async () => {
    const { home, handle } = await homeWithSession();
    const kept = await handle.append({ type: 'message', message: assistant('done', { usage, cost: 4 }) });
    const receipt = { reason: 'manual', model: 'anthropic/claude-sonnet-5-5', items: [] };
    await handle.append({
      type: 'compaction',
      summary: 'So far.',
      firstKeptMessageId: kept.id,
      keptMessageIds: [],
      tokensBefore: 900,
      tokensAfter: 100,
      details: { receipt, cost: 2, modelCalls: 1 },
      usage,
    } as Parameters<typeof handle.append>[0]);
    await handle.close();
    const rows = rowsOf(home, 'model');
    expect(rows).toContainEqual(['anthropic/claude-sonnet-5-5', 1, 2]);
    expect(rows.map(([name]) => name)).not.toContain('unknown');
  });

  it('is read in turns with other work as at once, with and without the index', async () => {
    const { home, store, handle } = await homeWithSession();
    const answer = () => ({ type: 'message', message: assistant('done', { usage, cost: 4 }) }) as const;
    await handle.append(answer());
    await handle.close();
    for (const cwd of ['/shop', '/api', '/api']) {
      const other = await store.create({ cwd });
      await other.append(answer());
      await other.close();
    }
    let turns = 0;
    let isRead = false;
    const countTurn = () => {
      turns += 1;
      if (!isRead) setImmediate(countTurn);
    };
    countTurn();
    const first = await readUsageInTurns(home);
    isRead = true;
    expect(turns).toBeGreaterThan(4);
    expect(first.sessions).toHaveLength(4);
    expect(readUsage(home)).toEqual(first);
    expect(await readUsageInTurns(home)).toEqual(first);
    expect(await readUsageInTurns(join(home, 'none'))).toEqual({ sessions: [], unreadable: [] });
  });

  it('holds answers by tool, agents by name, and summaries, hooks and titles', async () => {
    const { home, handle } = await homeWithSession();
    const twice = [
      { type: 'tool-call', id: '1', name: 'Read', input: {} },
      { type: 'tool-call', id: '2', name: 'Bash', input: {} },
    ] as const;
    await handle.appendAll([
      { type: 'message', message: user('go') },
      { type: 'message', message: { ...call('0'), usage, cost: 1 } },
      { type: 'message', message: assistant(twice, { usage, cost: 2 }) },
      { type: 'message', message: assistant('done', { usage, cost: 4 }) },
    ]);
    const spent = (cost: number) => ({ usage, cost, modelCalls: 2 });
    await handle.append(spentDraft(spent(8), { purpose: 'agents', agent: 'explorer', model }));
    await handle.append(spentDraft(spent(16), { purpose: 'hooks', model }));
    await handle.append(spentDraft(spent(32), { purpose: 'titles', model }));
    await handle.append({
      type: 'custom',
      customType: 'robota.cache-break',
      data: { reason: 'tools changed', detail: 'Bash added', model: 'test/small', tokens: 5_000, cost: 0.5 },
    });
    await handle.close();
    expect(rowsOf(home, 'total')).toEqual([['total', 9, 63]]);
    expect(rowsOf(home, 'purpose')).toEqual([
      ['titles', 2, 32],
      ['hooks', 2, 16],
      ['agents', 2, 8],
      ['answers', 3, 7],
    ]);
    expect(rowsOf(home, 'agent')).toEqual([
      ['main', 7, 55],
      ['explorer', 2, 8],
    ]);
    expect(rowsOf(home, 'model')).toEqual([
      ['test/small', 6, 56],
      ['test/scripted', 3, 7],
    ]);
    expect(rowsOf(home, 'tool')).toEqual([
      ['(titles)', 2, 32],
      ['(hooks)', 2, 16],
      ['Agent', 0, 8],
      ['(answers)', 1, 4],
      ['Read', 2, 2],
      ['Bash', 1, 1],
    ]);
    const { rows } = usageReport(readUsage(home).sessions);
    expect(rows[0]).toMatchObject({ cachedShare: 0.75 });
    expect(rows.at(-1)).toMatchObject({
      by: 'cache-break',
      name: 'tools changed',
      input: 5_000,
      cost: 0.5,
      detail: 'Bash added',
    });
  });

  it('counts calls of agents for their tools, and their answers for the agents; the same from any store', async () => {
    const { home, store, handle } = await homeWithSession();
    const answers = [
      { ...call('1'), usage, cost: 2 },
      { ...call('2'), usage, cost: 2 },
      assistant('done', { usage, cost: 4 }),
    ];
    const tools = addShares(answers.flatMap(toolSharesOf));
    const used = { usage: { ...usage, input: 300, cacheRead: 900 }, cost: 8, modelCalls: 3 };
    await handle.append(spentDraft(used, { purpose: 'agents', agent: 'explorer', model, tools }));
    await handle.close();
    expect(rowsOf(home, 'tool')).toEqual([
      ['Read', 2, 4],
      ['Agent', 0, 4],
    ]);
    expect(rowsOf(home, 'agent')).toEqual([['explorer', 3, 8]]);
    const { rows } = usageReport(readUsage(home).sessions);
    expect(rows.find(({ by, name }) => by === 'tool' && name === 'Read')).toMatchObject({ input: 200 });
    expect(usageReport((await usageOfStore(store)).sessions).rows).toEqual(rows);
  });

  it('of a copy counts only what was spent in it, also within one millisecond', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const { home, store, handle } = await homeWithSession();
    await handle.append({ type: 'message', message: assistant('one', { usage, cost: 1 }) });
    const { id } = handle;
    await handle.close();
    const copy = await store.fork(id);
    await copy.append({ type: 'message', message: assistant('two', { usage, cost: 2 }) });
    await copy.close();
    expect(rowsOf(home, 'total')).toEqual([['total', 2, 3]]);
  });

  it('is read again where a file has changed, and where the index is damaged, half written or gone', async () => {
    const { home, handle } = await homeWithSession();
    await handle.append({ type: 'message', message: assistant('one', { usage, cost: 1 }) });
    expect(rowsOf(home, 'total')).toEqual([['total', 1, 1]]);
    await handle.append({ type: 'message', message: assistant('two', { usage, cost: 2 }) });
    expect(rowsOf(home, 'total')).toEqual([['total', 2, 3]]);
    const cache = join(home, 'cache', 'usage');
    const [file = ''] = readdirSync(cache);
    const whole = readFileSync(join(cache, file));
    for (const damaged of [whole.subarray(0, whole.length / 2), Buffer.from('rubbish'), Buffer.alloc(0)]) {
      writeFileSync(join(cache, file), damaged);
      expect(rowsOf(home, 'total')).toEqual([['total', 2, 3]]);
    }
    // A process that was killed while it wrote leaves a draft behind.
    writeFileSync(join(cache, `${file}.1.abc`), 'draft');
    expect(rowsOf(home, 'total')).toEqual([['total', 2, 3]]);
    rmSync(cache, { recursive: true });
    // A line that was cut off by kill -9 counts as soon as it is whole.
    appendFileSync(handle.file ?? '', '{"type":"message","id":"ffff');
    expect(rowsOf(home, 'total')).toEqual([['total', 2, 3]]);
    await handle.close();
  });
});
