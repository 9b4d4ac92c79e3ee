import { HookRegistry } from '@robota-sdk/agent-core';
import { ScriptedProvider, type ScriptedTurn, testChoice } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { MemorySessionStore } from '../store/memory-store.ts';
import type { SessionHandle } from '../store/session-handle.ts';
import { Conversation } from './conversation.ts';

function open(
  script: readonly ScriptedTurn[],
  { handle, window }: { handle?: SessionHandle; window?: number } = {},
) {
  const provider = new ScriptedProvider(script);
  const hooks = new HookRegistry();
  const session = new Conversation({
    tools: [],
    models: [testChoice(provider, { contextWindow: window ?? 200_000 })],
    systemMessage: 'test',
    hooks,
    ...(handle ? { handle } : {}),
  });
  return { session, provider, hooks };
}

describe('hooks around a session', () => {
  it('says whether a session is new, continues, or was cleared', async () => {
    proves('R-24');
    const store = new MemorySessionStore();
    const sources: unknown[] = [];
    const watch = ({ hooks }: { hooks: HookRegistry }) =>
      hooks.add('session-start', ({ source }) => void sources.push(source), 'test');
    const first = open([{ text: 'a' }, { text: 'b' }], { handle: await store.create({ cwd: '/x' }) });
    watch(first);
    await first.session.run('one');
    await first.session.run('two');
    await first.session.close();
    const second = open([{ text: 'c' }, { text: 'd' }], { handle: await store.open(first.session.id) });
    watch(second);
    await second.session.run('three');
    await second.session.clear();
    await second.session.run('four');
    await second.session.close();
    expect(sources).toEqual(['startup', 'resume', 'clear']);
  });

  it('start hooks run before every other one, and end hooks only where a session has begun', async () => {
    proves('R-24');
    for (const isBegun of [true, false]) {
      const { session, hooks } = open([{ text: 'summary' }]);
      const seen: string[] = [];
      const slow = async () => {
        await new Promise((resolve) => setImmediate(resolve));
        seen.push('start');
        return undefined;
      };
      hooks.add('session-start', slow, 'test');
      hooks.add('compact-before', () => void seen.push('compact'), 'test');
      hooks.add('session-end', () => void seen.push('end'), 'test');
      if (isBegun) {
        void session.begin();
        await hooks.run('compact-before', { trigger: 'manual' }, new AbortController().signal);
      }
      await session.close();
      expect(seen).toEqual(isBegun ? ['start', 'compact', 'end'] : []);
    }
  });

  it('an interrupted start is made up for by the next prompt, and its words are not lost to a refused one', async () => {
    const { session, hooks, provider } = open([{ text: 'a' }]);
    let starts = 0;
    hooks.add(
      'session-start',
      (_, signal) => {
        starts += 1;
        if (starts === 1) void session.abort();
        signal.throwIfAborted();
        return { context: 'branch: main' };
      },
      'test',
    );
    hooks.add('input', ({ text }) => (text === 'bad' ? { block: 'no' } : undefined), 'test');
    expect(await session.prompt([{ type: 'text', text: 'one' }])).toMatchObject({
      status: 'aborted',
      turns: 0,
    });
    expect(await session.prompt([{ type: 'text', text: 'bad' }])).toMatchObject({
      error: { code: 'blocked' },
    });
    await session.run('two');
    expect(starts).toBe(2);
    expect(provider.requests[0]?.messages[0]?.content).toMatchObject([
      { text: 'two' },
      { text: expect.stringContaining('branch: main') },
    ]);
  });

  it('automatic compaction asks and tells the hooks too', async () => {
    proves('R-16');
    const long = 'word '.repeat(8_000);
    const usage = { input: 28_000 };
    const script = [{ text: long, usage }, { text: 'the summary' }, { text: 'b' }, { text: 'c' }];
    const { session, hooks, provider } = open(script, { window: 30_000 });
    const seen: unknown[] = [];
    hooks.add(
      'compact-before',
      ({ trigger }) => {
        seen.push(trigger);
        return { context: 'keep the names' };
      },
      'test',
    );
    hooks.add(
      'compact-after',
      ({ trigger, summary }) => void seen.push([trigger, summary.includes('the summary')]),
      'test',
    );
    await session.run(`one ${long}`);
    await session.run('two');
    expect(seen).toEqual(['auto', ['auto', true]]);
    hooks.add('session-start', ({ source }) => ({ context: `told again: ${source}` }), 'test');
    await session.run('three');
    expect(JSON.stringify(provider.requests[3]?.messages.at(-1))).toContain('told again: compact');
    expect(JSON.stringify(provider.requests[1]?.messages)).toContain('keep the names');
  });

  it('a refused automatic compaction leaves the conversation as it is', async () => {
    proves('R-16');
    const script = [{ text: 'word '.repeat(2_000), usage: { input: 28_000 } }, { text: 'b' }];
    const { session, hooks, provider } = open(script, { window: 30_000 });
    hooks.add('compact-before', () => ({ block: 'not now' }), 'test');
    await session.run('one');
    await session.run('two');
    expect(provider.requests[1]?.messages).toHaveLength(3);
  });
});
