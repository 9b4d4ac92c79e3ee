import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { createMessage, type Display, loadCatalogue, toolEnd } from '@robota-sdk/agent-core';
import { type EntryDraft, JsonlSessionStore } from '@robota-sdk/agent-sessions';
import { temporaryDirectory } from '@robota-sdk/agent-testing';
import { describe, expect, it } from 'vitest';
import { LiveSessions } from './live-sessions.ts';

const usage = { input: 10, output: 5, cacheRead: 30, cacheWrite: 0 };

function prompt(text: string): EntryDraft {
  return {
    type: 'message',
    message: createMessage({ role: 'user', content: [{ type: 'text', text }] }, null),
  };
}

function answer(text: string, id = 'sonnet'): EntryDraft {
  const model = { vendor: 'anthropic', id, api: 'anthropic' } as const;
  const content = [{ type: 'text' as const, text }];
  return {
    type: 'message',
    message: createMessage({ role: 'assistant', content, model, usage, cost: 0.25, stopReason: 'end' }, null),
  };
}

function edited(path: string): EntryDraft {
  const display: Display = {
    kind: 'diff',
    path,
    lines: [{ kind: 'added', text: 'x' }],
    added: 3,
    removed: 1,
  };
  return {
    type: 'message',
    message: createMessage(
      {
        role: 'tool',
        toolCallId: 'c1',
        toolName: 'Edit',
        content: [],
        display,
        ...toolEnd('success'),
      },
      null,
    ),
  };
}

async function makePlace() {
  const home = await realpath(await temporaryDirectory('robota-web'));
  const host = { env: { ROBOTA_HOME: join(home, '.robota'), PATH: process.env.PATH }, home };
  const store = new JsonlSessionStore({ home: join(home, '.robota') });
  const write = async (name: string, drafts: readonly EntryDraft[]) => {
    const cwd = join(home, name);
    await mkdir(cwd, { recursive: true });
    const handle = await store.create({ cwd });
    await handle.appendAll(drafts);
    return handle;
  };
  return { home, host, store, write };
}

describe('stored sessions for a page', () => {
  it('stand on the board with their column, cost, changes and directory', async () => {
    const { home, host, write } = await makePlace();
    const done = await write('one', [prompt('Explain the cart'), answer('It adds up lines.')]);
    const changed = await write('two', [
      prompt('Fix the total\nplease'),
      edited('src/cart.ts'),
      answer('Fixed.\n\nAll tests pass.'),
    ]);
    // Earlier versions did not count the hunks that are left.
    const reviewed = await write('one', [
      prompt('Change it'),
      edited('src/cart.ts'),
      { type: 'custom', customType: 'robota.review', data: { hunk: 'h1', isKept: true } },
    ]);
    await reviewed.close();
    const waiting = await write('two', [prompt('Still going')]);
    await done.close();
    await changed.close();
    const live = await LiveSessions.open({ host });
    const { rows, directories, more } = await live.board.page();
    expect(await live.board.models()).toEqual({ models: ['offline'] });
    const byId = new Map(rows.map((row) => [row.id, row]));
    expect(byId.get(done.id)).toMatchObject({
      column: 'done',
      title: 'Explain the cart',
      cost: 0.25,
      model: 'anthropic/sonnet',
      lastLine: 'It adds up lines.',
      holder: 'none',
      cwd: join(home, 'one'),
    });
    expect(byId.get(changed.id)).toMatchObject({
      column: 'to-review',
      lastLine: 'All tests pass.',
      changes: { added: 3, removed: 1, files: 1 },
    });
    expect(byId.get(reviewed.id)).toMatchObject({ column: 'done' });
    // Its lock is held, and its prompt has no answer yet.
    expect(byId.get(waiting.id)).toMatchObject({ column: 'running', holder: 'elsewhere', front: 'headless' });
    expect(byId.get(done.id)).not.toHaveProperty('front');
    expect(more).toBe(0);
    expect([...directories].sort()).toEqual([join(home, 'one'), join(home, 'two')]);
    await waiting.close();
  });

  it('stand on the board before they are read, if that would take long, and are told afterwards', async () => {
    const { host, write } = await makePlace();
    const long = Array.from({ length: 12 }, () => prompt('word '.repeat(20_000)));
    const handle = await write('long', [prompt('Fix it'), edited('src/cart.ts'), ...long, answer('Fixed.')]);
    await handle.close();
    const live = await LiveSessions.open({ host });
    const page = new AbortController();
    const events = live.streams.open({ session: undefined, lastEntry: undefined, signal: page.signal });
    const next = async () => {
      const { value } = await events[Symbol.asyncIterator]().next();
      return value?.type === 'board' ? value.rows[0] : undefined;
    };
    expect(await next()).toMatchObject({ id: handle.id, title: 'Fix it', column: 'done', cost: 0.25 });
    expect(await next()).toMatchObject({ id: handle.id, column: 'to-review', lastLine: 'Fixed.' });
    page.abort();
    await live.close();
  });

  it('count the changes of the active branch, after each way back and forth', async () => {
    const { host, write } = await makePlace();
    const handle = await write('shop', [prompt('Change it'), edited('src/cart.ts')]);
    const first = handle.leafId;
    const live = await LiveSessions.open({ host });
    const changes = async () => {
      const { state } = await live.page(handle.id);
      const [row] = (await live.board.page()).rows;
      expect(row?.changes?.files ?? 0).toBe(state.changes.length);
      return state.changes.map(({ path, added }) => `${path} ${added}`);
    };
    await handle.append(edited('src/total.ts'));
    const second = handle.leafId;
    expect(await changes()).toEqual(['src/cart.ts 3', 'src/total.ts 3']);
    await handle.setLeaf(first);
    expect(await changes()).toEqual(['src/cart.ts 3']);
    await handle.append(edited('src/cart.ts'));
    expect(await changes()).toEqual(['src/cart.ts 6']);
    await handle.setLeaf(second);
    expect(await changes()).toEqual(['src/cart.ts 3', 'src/total.ts 3']);
    await handle.setLeaf(null);
    expect(await changes()).toEqual([]);
    await handle.close();
    await live.close();
  });

  it('show the last line of the active branch, also where no process holds them', async () => {
    const { host, store, write } = await makePlace();
    const handle = await write('shop', [prompt('First'), answer('Kept.')]);
    const kept = handle.leafId;
    await handle.appendAll([prompt('Second'), answer('Abandoned.')]);
    const abandoned = handle.leafId;
    await handle.setLeaf(kept);
    await handle.close();
    const live = await LiveSessions.open({ host });
    const shown = async () => (await live.board.page()).rows[0]?.lastLine;
    expect(await shown()).toBe('Kept.');
    const again = await store.open(handle.id);
    await again.append(prompt('Third'));
    expect(await shown()).toBe('Third');
    await again.setLeaf(abandoned);
    expect(await shown()).toBe('Abandoned.');
    await again.setLeaf(null);
    expect(await shown()).toBe('');
    await again.close();
    await live.close();
  });

  it('have the context window of their last model, if it is known', async () => {
    const { host, write } = await makePlace();
    const handle = await write('one', [prompt('Hello'), answer('Hi.', 'claude-sonnet-4-6')]);
    const live = await LiveSessions.open({ host });
    const known = loadCatalogue().models.find(({ id }) => id === 'claude-sonnet-4-6');
    expect(known?.contextWindow).toBeGreaterThan(0);
    const context = async () => (await live.page(handle.id)).state.context;
    expect(await context()).toMatchObject({ used: 45, max: known?.contextWindow });
    await handle.append(answer('Ho.', 'unheard-of'));
    expect(await context()).toMatchObject({ used: 45, max: 0 });
    await handle.close();
    await live.close();
  });

  it('are given with the id of the last entry that is given, also while they grow', async () => {
    const { host, write } = await makePlace();
    // To look for the branch takes long in a deep folder; meanwhile the file is read on.
    const handle = await write('d/'.repeat(1000), [prompt('Begin')]);
    const live = await LiveSessions.open({ host });
    let isMade = false;
    const made = live.page(handle.id).finally(() => {
      isMade = true;
    });
    while (!isMade) {
      await handle.append(answer('More'));
      await live.entries(handle.id, { before: '', limit: 1 });
    }
    const { lastId, entries } = await made;
    expect(lastId).toBe(entries.at(-1)?.id);
    await handle.close();
    await live.close();
  });

  it('are given with their last entries, and earlier ones on request', async () => {
    const { host, write } = await makePlace();
    const drafts = Array.from({ length: 130 }, (_, at) => [prompt(`Question ${at}`), answer(`Answer ${at}`)]);
    const handle = await write('long', drafts.flat());
    await handle.setName('A long talk');
    await handle.close();
    const live = await LiveSessions.open({ host });
    const page = await live.page(handle.id);
    expect(page.entries).toHaveLength(100);
    expect(page.earlier).toBe(160);
    expect(page.entries.at(-1)).toMatchObject({
      kind: 'answer',
      blocks: [{ type: 'text', text: 'Answer 129' }],
    });
    expect(page.state).toMatchObject({
      title: 'A long talk',
      holder: 'none',
      cost: 32.5,
      context: { used: 45, cachedShare: 0.75 },
    });
    expect(page.state.tree).toHaveLength(60);
    expect(page.state.tree.at(-1)).toMatchObject({ text: 'Question 129', isOnBranch: true });
    const [first] = page.entries;
    const before = await live.entries(handle.id, { before: first?.id ?? '', limit: 10 });
    expect(before.earlier).toBe(150);
    expect(before.entries.map(({ id }) => id)).toEqual(
      handle
        .path()
        .slice(150, 160)
        .map(({ id }) => id),
    );
    await expect(live.page(handle.id.slice(0, 12))).rejects.toThrow('Unknown session');
  });
});
