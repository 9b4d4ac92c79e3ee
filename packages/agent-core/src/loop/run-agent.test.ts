import {
  recorder,
  type ScriptedCall,
  ScriptedProvider,
  testChoice,
  testRun,
  testTool,
} from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { HookRegistry } from '../hook/run-hook.ts';
import { textOf } from '../message/content.ts';
import { toolCallsOf } from '../message/message.ts';
import { secretHider } from '../secret/redact.ts';
import type { Access } from '../tool/access.ts';
import { textOutput } from '../tool/tool.ts';
import { MessageQueue } from './message-queue.ts';
import { runAgent } from './run-agent.ts';

const call = (name: string, input: ScriptedCall['input'] = {}): ScriptedCall => ({ name, input });

describe('the loop', () => {
  it('keeps no secret in the arguments of calls, and runs the calls as they were made', async () => {
    const secret = 'key-0123456789abcdef';
    const input = { command: `curl -H ${secret} x`, deep: [{ value: secret, count: 3, none: null }] };
    const provider = new ScriptedProvider([{ toolCalls: [call('look', input)] }, { text: 'done' }]);
    const seen: unknown[] = [];
    const execute = async (given: unknown) => {
      seen.push(given);
      return textOutput('ok');
    };
    const tool = { ...testTool('look'), execute };
    const { events, emit } = recorder();
    await runAgent(testRun(provider, { tools: [tool], hideSecrets: secretHider([secret]) }), emit);
    expect(seen).toEqual([input]);
    const kept = events.flatMap((event) => (event.type === 'message-append' ? [event.message] : []));
    expect(JSON.stringify(kept)).not.toContain(secret);
    expect(kept[1] && toolCallsOf(kept[1])).toMatchObject([
      {
        input: {
          command: 'curl -H [redacted] x',
          deep: [{ value: '[redacted]', count: 3, none: null }],
        },
      },
    ]);
    expect(JSON.stringify(provider.requests[1]?.messages)).not.toContain(secret);
  });

  it('streams, runs tools and repeats until there are no calls', async () => {
    proves('P-5', 'P-7', 'P-8', 'R-39');
    const provider = new ScriptedProvider([
      { thinking: 'hm', text: ['let me ', 'look'], toolCalls: [call('look', { at: 'x' })] },
      { text: 'found it' },
    ]);
    const { events, emit } = recorder();
    const outcome = await runAgent(testRun(provider, { tools: [testTool('look')] }), emit);

    expect(outcome).toMatchObject({ status: 'completed', text: 'found it', turns: 2 });
    expect(outcome.usage).toEqual({ input: 20, output: 10, cacheRead: 0, cacheWrite: 0 });
    expect(outcome.cost).toBeCloseTo((20 * 1 + 10 * 2) / 1_000_000);
    expect(events.map((event) => event.type)).toEqual([
      'run-start',
      'message-append',
      'turn-start',
      'thinking-delta',
      'thinking-end',
      'text-delta',
      'text-delta',
      'text-end',
      'message-append',
      'tool-start',
      'tool-end',
      'message-append',
      'turn-end',
      'turn-start',
      'text-delta',
      'text-end',
      'message-append',
      'turn-end',
      'run-end',
    ]);
    const messages = events.flatMap((event) => (event.type === 'message-append' ? [event.message] : []));
    expect(messages.map((message) => message.role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
    for (const [index, message] of messages.entries()) {
      expect(message.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
      expect(message.parentId).toBe(index === 0 ? null : messages[index - 1]?.id);
      expect(message.timestamp).toBeGreaterThan(1.7e12);
    }
    expect(messages[1] && toolCallsOf(messages[1])).toMatchObject([{ name: 'look', input: { at: 'x' } }]);
    expect(messages[2]).toMatchObject({ toolCallId: 'call_0_0', isError: false });
    expect(provider.requests[1]?.messages.map((message) => message.id)).toEqual(
      messages.slice(0, 3).map((message) => message.id),
    );
  });

  it('ends after the calls of a message of which one ends the run, with its text as the answer', async () => {
    const provider = new ScriptedProvider([
      { text: 'Here it is.', toolCalls: [call('present'), call('look')] },
      { text: 'never asked for' },
    ]);
    const ending = (endsRun: { text?: string }) => ({
      ...testTool('present'),
      execute: async () => ({ ...textOutput('presented'), endsRun }),
    });
    const { events, emit } = recorder();
    const tools = [ending({ text: 'the plan' }), testTool('look')];
    expect(await runAgent(testRun(provider, { tools }), emit)).toMatchObject({
      status: 'completed',
      text: 'the plan',
      turns: 1,
    });
    const results = events.filter(({ type }) => type === 'tool-end');
    expect(results).toHaveLength(2);
    const again = new ScriptedProvider([{ text: 'My words.', toolCalls: [call('present')] }]);
    expect(await runAgent(testRun(again, { tools: [ending({})] }), emit)).toMatchObject({
      text: 'My words.',
    });
  });

  it('ends an aborted run with what was said so far', async () => {
    proves('P-9', 'P-50');
    const controller = new AbortController();
    const provider = new ScriptedProvider([{ text: ['partial ', 'answer', ' never seen'] }]);
    const { events, emit } = recorder();
    const run = testRun(provider, { signal: controller.signal });
    const outcome = await runAgent(run, (event) => {
      emit(event);
      if (event.type === 'text-delta' && event.text === 'answer') controller.abort();
    });
    expect(outcome).toMatchObject({ status: 'aborted', text: 'partial answer' });
    expect(provider.requests[0]?.signal).toBe(controller.signal);
    expect(events.at(-1)).toMatchObject({ type: 'run-end', outcome: { status: 'aborted' } });
    const last = events.findLast((event) => event.type === 'message-append');
    expect(last).toMatchObject({ message: { role: 'assistant', stopReason: 'aborted' } });
  });

  it('ends with the error of a model call that cannot succeed, and keeps the messages so far', async () => {
    proves('P-9');
    const provider = new ScriptedProvider([
      { text: 'let me look', toolCalls: [call('look')] },
      { failure: { code: 'auth', message: 'bad key', retryable: false } },
    ]);
    const { events, emit } = recorder();
    const outcome = await runAgent(testRun(provider, { tools: [testTool('look')] }), emit);
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'auth', message: 'bad key' } });
    expect(provider.requests).toHaveLength(2);
    expect(events.at(-1)).toEqual({ type: 'run-end', outcome });
    const kept = events.flatMap((event) => (event.type === 'message-append' ? [event.message] : []));
    expect(kept.map((message) => [message.role, textOf(message.content)])).toEqual([
      ['user', 'go'],
      ['assistant', 'let me look'],
      ['tool', 'look done'],
    ]);
  });

  it('gives the model an error result for unknown tools, bad JSON and tools that throw', async () => {
    const provider = new ScriptedProvider([
      {
        toolCalls: [
          call('Loook'),
          { ...call('look'), invalid: 'Unexpected token } at 12' },
          call('broken'),
          { name: 'strict', input: { a: 1 } },
        ],
      },
      { text: 'ok' },
    ]);
    let ran = 0;
    const tools = [
      testTool('look', {
        execute: async () => {
          ran++;
          return '';
        },
      }),
      testTool('broken', {
        execute: async () => {
          throw new Error('it broke; try again');
        },
      }),
      testTool('strict', {
        input: { json: {}, parse: () => ({ ok: false, error: 'a: expected a string, got a number' }) },
      }),
    ];
    await runAgent(testRun(provider, { tools }), () => {});
    const results = provider.requests[1]?.messages.filter((message) => message.role === 'tool') ?? [];
    expect(results.map((result) => result.isError)).toEqual([true, true, true, true]);
    expect(results.map((result) => textOf(result.content))).toEqual([
      expect.stringContaining('Unknown tool "Loook". Did you mean look?'),
      expect.stringContaining('Unexpected token } at 12. Send the call again.'),
      'it broke; try again',
      'Wrong arguments for strict: a: expected a string, got a number',
    ]);
    expect(ran).toBe(0);
  });

  it('never runs the calls of a message that was cut off', async () => {
    const provider = new ScriptedProvider([
      { text: 'writing', toolCalls: [call('write', { text: 'half' })], stopReason: 'length' },
      { text: 'ok' },
    ]);
    let ran = 0;
    const tool = testTool('write', {
      execute: async () => {
        ran++;
        return '';
      },
    });
    const outcome = await runAgent(testRun(provider, { tools: [tool] }), () => {});
    expect(ran).toBe(0);
    expect(outcome.status).toBe('completed');
    expect(provider.requests[1]?.messages.at(-1)).toMatchObject({ role: 'tool', isError: true });
  });

  it.each([
    [900, 'cut off by the output limit'],
    [999, 'cut off because the context window is full'],
  ])('says why an answer that used %i of 1,000 tokens was cut off', async (used, reason) => {
    const usage = { input: 300, cacheRead: 400, cacheWrite: 0, output: used - 700 };
    const provider = new ScriptedProvider([{ text: 'half', stopReason: 'length', usage }]);
    const choice = testChoice(provider, { contextWindow: 1000 });
    const notices: string[] = [];
    await runAgent(testRun(provider, { models: [choice] }), (event) => {
      if (event.type === 'notice-show') notices.push(event.text);
    });
    expect(notices).toEqual([expect.stringContaining(reason)]);
  });

  it('says a reminder behind the prompt, marked as not from the user', async () => {
    const provider = new ScriptedProvider([{ text: 'ok' }]);
    await runAgent(testRun(provider, { reminder: 'plan first' }), () => {});
    const messages = provider.requests[0]?.messages ?? [];
    expect(messages.map(({ content }) => textOf(content))).toEqual(['go', 'plan first']);
    expect(messages[1]).toMatchObject({ role: 'user', origin: 'reminder' });
  });

  it('sends the conversation again when the vendor pauses a long turn', async () => {
    const provider = new ScriptedProvider([{ text: 'searching', stopReason: 'pause' }, { text: 'done' }]);
    const outcome = await runAgent(testRun(provider), () => {});
    expect(outcome).toMatchObject({ status: 'completed', text: 'done', turns: 2 });
    expect(provider.requests[1]?.messages.at(-1)).toMatchObject({ role: 'assistant' });
  });

  it('stops at the turn limit and when nothing more may be spent, and says so', async () => {
    proves('C-76');
    const endless = () => new ScriptedProvider((_, turn) => ({ toolCalls: [call('look', { turn })] }));
    const tools = [testTool('look')];
    const byTurns = await runAgent(testRun(endless(), { tools, maxTurns: 3 }), () => {});
    expect(byTurns).toMatchObject({ status: 'limit', turns: 3, error: { code: 'max-turns' } });
    const stop = { code: 'budget', message: 'The money is spent.' } as const;
    let asked = 0;
    const checkSpending = async () => (asked++ < 2 ? undefined : stop);
    const byCost = await runAgent(testRun(endless(), { tools, checkSpending }), () => {});
    expect(byCost).toMatchObject({ status: 'limit', turns: 2, error: stop });
  });

  it('nudges a model that repeats the same call, then stops it', async () => {
    const provider = new ScriptedProvider(() => ({ toolCalls: [call('ls')] }));
    const outcome = await runAgent(testRun(provider, { tools: [testTool('ls')] }), () => {});
    expect(outcome).toMatchObject({ status: 'limit', turns: 10, error: { code: 'no-progress' } });
    const nudges = provider.requests
      .at(-1)
      ?.messages.filter((m) => m.role === 'user' && m.origin === 'reminder');
    expect(nudges).toHaveLength(1);
  });

  it('does not mistake the same call with new results for a loop', async () => {
    const provider = new ScriptedProvider((_, turn) =>
      turn < 15 ? { toolCalls: [call('poll')] } : { text: 'done' },
    );
    let count = 0;
    const tool = testTool('poll', { execute: async () => `tick ${count++}` });
    const outcome = await runAgent(testRun(provider, { tools: [tool] }), () => {});
    expect(outcome).toMatchObject({ status: 'completed', turns: 16 });
  });

  it('shortens a conversation that no longer fits once, then gives up clearly', async () => {
    const overflow = {
      failure: { code: 'context-overflow', message: 'too long', retryable: false },
    } as const;
    const fits = new ScriptedProvider([overflow, { text: 'fits now' }]);
    const reasons: string[] = [];
    const shorten = testRun(fits, {
      fitWindow: async (messages, reason) => {
        reasons.push(reason);
        return reason === 'overflow' ? messages.slice(-1) : undefined;
      },
    });
    expect(await runAgent(shorten, () => {})).toMatchObject({ status: 'completed', text: 'fits now' });
    expect(reasons).toEqual(['threshold', 'overflow']);
    const never = new ScriptedProvider(() => overflow);
    const outcome = await runAgent(testRun(never, { fitWindow: async (messages) => messages }), () => {});
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'context-overflow' } });
    expect(never.requests).toHaveLength(2);
  });
});

describe('queues', () => {
  it('steering joins after the current tool batch, one at a time', async () => {
    proves('P-10', 'P-12');
    const queue = new MessageQueue();
    const provider = new ScriptedProvider([
      { toolCalls: [call('work'), call('work', { n: 2 })] },
      { text: 'one' },
      { text: 'two' },
    ]);
    const tool = testTool('work', {
      execute: async (input) => {
        if (input['n'] === 2) return 'second';
        queue.steer([{ type: 'text', text: 'first hint' }]);
        queue.steer([{ type: 'text', text: 'second hint' }]);
        return 'first';
      },
    });
    const outcome = await runAgent(testRun(provider, { tools: [tool], queue }), () => {});
    expect(outcome.turns).toBe(3);
    const shape = (turn: number) =>
      provider.requests[turn]?.messages.map((message) => textOf(message.content));
    expect(shape(1)).toEqual(['go', '', 'first', 'second', 'first hint']);
    expect(shape(2)?.slice(5)).toEqual(['one', 'second hint']);
  });

  it('follow-ups wait until the agent would stop; mode all takes them together', async () => {
    proves('P-11', 'P-12');
    const queue = new MessageQueue({ followUpMode: 'all' });
    queue.follow([{ type: 'text', text: 'next a' }]);
    queue.follow([{ type: 'text', text: 'next b' }]);
    const provider = new ScriptedProvider([
      { toolCalls: [call('work')] },
      { text: 'done' },
      { text: 'all done' },
    ]);
    const outcome = await runAgent(testRun(provider, { tools: [testTool('work')], queue }), () => {});
    expect(outcome.text).toBe('all done');
    const texts = (turn: number) =>
      provider.requests[turn]?.messages.map((message) => textOf(message.content));
    expect(texts(1)).toEqual(['go', '', 'work done']);
    expect(texts(2)).toEqual(['go', '', 'work done', 'done', 'next a', 'next b']);
  });

  it('follow-ups are taken one at a time unless said otherwise', async () => {
    proves('P-11', 'P-12');
    const queue = new MessageQueue();
    queue.follow([{ type: 'text', text: 'next a' }]);
    queue.follow([{ type: 'text', text: 'next b' }]);
    const provider = new ScriptedProvider([{ text: 'done' }, { text: 'a done' }, { text: 'b done' }]);
    const outcome = await runAgent(testRun(provider, { queue }), () => {});
    expect(outcome).toMatchObject({ text: 'b done', turns: 3 });
    const texts = (turn: number) =>
      provider.requests[turn]?.messages.map((message) => textOf(message.content));
    expect(texts(1)).toEqual(['go', 'done', 'next a']);
    expect(texts(2)).toEqual(['go', 'done', 'next a', 'a done', 'next b']);
  });

  it('a blocked message causes no model call, during a run or as a run of its own', async () => {
    const queue = new MessageQueue();
    const hooks = new HookRegistry();
    hooks.add('input', ({ text }) => (text.includes('FORBIDDEN') ? { block: 'no' } : undefined), 'test');
    const forbid = () => queue.steer([{ type: 'text', text: 'FORBIDDEN' }]);
    const provider = new ScriptedProvider([
      { text: 'answer', before: forbid },
      { text: 'to the second', before: forbid },
      { text: 'never asked' },
    ]);
    const { events, emit } = recorder();
    const first = await runAgent(testRun(provider, { queue, hooks }), emit);
    expect(first).toMatchObject({ status: 'completed', text: 'answer', turns: 1 });
    const history = events.flatMap((event) => (event.type === 'message-append' ? [event.message] : []));
    const { prompt: _, ...rest } = testRun(provider, { queue, hooks, history });
    forbid();
    expect(await runAgent(rest, emit)).toMatchObject({ status: 'completed', turns: 0 });
    queue.steer([{ type: 'text', text: 'allowed' }]);
    expect(await runAgent(rest, emit)).toMatchObject({ text: 'to the second', turns: 1 });
    expect(provider.requests).toHaveLength(2);
    expect(queue.isEmpty).toBe(true);
  });

  it('mode all takes every steering message at once', async () => {
    proves('P-12');
    const queue = new MessageQueue({ steeringMode: 'all' });
    queue.steer([{ type: 'text', text: 'a' }]);
    queue.steer([{ type: 'text', text: 'b' }]);
    const provider = new ScriptedProvider([{ text: 'done' }]);
    await runAgent(testRun(provider, { queue }), () => {});
    expect(provider.requests[0]?.messages.map((message) => textOf(message.content))).toEqual([
      'go',
      'a',
      'b',
    ]);
  });

  it('gives back everything that waits', () => {
    const queue = new MessageQueue();
    queue.follow([{ type: 'text', text: 'later' }]);
    queue.steer([{ type: 'text', text: 'now' }]);
    expect(queue.clear().map(({ content }) => textOf(content))).toEqual(['now', 'later']);
    expect(queue.steering).toEqual([]);
    expect(queue.drainFollowUp()).toEqual([]);
  });
});

describe('a broken answer', () => {
  it('keeps text already streamed and continues after it', async () => {
    const provider = new ScriptedProvider([
      { text: ['Once upon ', 'a time'], failure: {} },
      { thinking: 'hm', text: [', there was', ' a test.'] },
    ]);
    const { events, emit } = recorder();
    const outcome = await runAgent(testRun(provider), emit);
    expect(outcome.text).toBe('Once upon a time, there was a test.');
    const streamed = events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : [])).join('');
    expect(streamed).toBe(outcome.text);
    expect(provider.requests[1]?.messages.map((message) => message.role)).toEqual([
      'user',
      'assistant',
      'user',
    ]);
    const kept = events.flatMap((event) => (event.type === 'message-append' ? [event.message] : []));
    expect(kept).toHaveLength(2);
    expect(kept[1]?.content.map((block) => block.type)).toEqual(['thinking', 'text']);
  });

  it('counts and pays for broken attempts, but not in the size of the conversation', async () => {
    const broken = { text: 'half', failure: {}, usage: { input: 1000, output: 2 } };
    const provider = new ScriptedProvider([broken, { text: ' done', usage: { input: 1000, output: 3 } }]);
    const { events, emit } = recorder();
    const outcome = await runAgent(testRun(provider), emit);
    expect(outcome.usage).toMatchObject({ input: 2000, output: 5 });
    expect(outcome.cost).toBeCloseTo((2000 * 1 + 5 * 2) / 1_000_000);
    const last = events.findLast((event) => event.type === 'message-append');
    expect(last).toMatchObject({ message: { usage: { input: 1000, output: 3 }, cost: outcome.cost } });
  });

  it('does not say that text has ended which continues', async () => {
    const provider = new ScriptedProvider([
      { text: 'Hello wor', failure: {}, closesText: true },
      { text: 'ld.' },
    ]);
    const { events, emit } = recorder();
    await runAgent(testRun(provider), emit);
    const shown = events.flatMap((event) =>
      event.type === 'text-delta' ? [event.text] : event.type === 'text-end' ? ['|'] : [],
    );
    expect(shown.join('')).toBe('Hello world.|');
  });

  it('asks each model by what its own vendor can do', async () => {
    const first = new ScriptedProvider([{ failure: { retryable: false, code: 'server' } }]);
    const second = new ScriptedProvider([{ text: 'ok' }]);
    const models = [
      { ...testChoice(first), webSearch: true },
      { ...testChoice(second), webSearch: false },
    ] as const;
    await runAgent(testRun(first, { models, webSearch: true }), () => {});
    expect([first, second].map(({ requests }) => requests[0]?.webSearch)).toEqual([true, false]);
  });

  it('never shows text twice when the model says all of it again', async () => {
    const provider = new ScriptedProvider([
      { text: ['Once upon ', 'a time'], failure: {} },
      { text: ['Once ', 'upon a ', 'time, there was a test.'] },
    ]);
    const { events, emit } = recorder();
    const outcome = await runAgent(testRun(provider), emit);
    expect(outcome.text).toBe('Once upon a time, there was a test.');
    const streamed = events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : [])).join('');
    expect(streamed).toBe(outcome.text);
  });

  it('says so when the answer begins again with other words', async () => {
    const provider = new ScriptedProvider([
      { text: 'The quick brown fox jumps over', failure: {} },
      { text: 'The quick brown cat sleeps.' },
    ]);
    const { events, emit } = recorder();
    const outcome = await runAgent(testRun(provider), emit);
    expect(outcome.text).toBe('The quick brown cat sleeps.');
    const restart = events.findIndex((event) => event.type === 'text-restart');
    expect(restart).toBeGreaterThan(0);
    const after = events.slice(restart).flatMap((event) => (event.type === 'text-delta' ? [event.text] : []));
    expect(after.join('')).toBe(outcome.text);
  });

  it('drops half-received calls and never runs them', async () => {
    const provider = new ScriptedProvider([{ toolCalls: [call('write')], failure: {} }, { text: 'ok' }]);
    let ran = 0;
    const tool = testTool('write', {
      execute: async () => {
        ran++;
        return '';
      },
    });
    const outcome = await runAgent(testRun(provider, { tools: [tool] }), () => {});
    expect(outcome).toMatchObject({ status: 'completed', text: 'ok' });
    expect(ran).toBe(0);
  });

  it('continues with the next model after the retries, without running a tool twice', async () => {
    proves('P-54');
    const first = new ScriptedProvider((_, turn) =>
      turn === 0 ? { toolCalls: [call('once')] } : { text: 'half an', failure: { retryable: turn < 3 } },
    );
    const second = new ScriptedProvider([{ text: ' answer' }]);
    let ran = 0;
    const tool = testTool('once', {
      execute: async () => {
        ran++;
        return 'ran';
      },
    });
    const { events, emit } = recorder();
    const run = testRun(first, {
      tools: [tool],
      models: [testChoice(first), testChoice(second, { id: 'fallback' })],
    });
    const outcome = await runAgent(run, emit);
    expect(outcome).toMatchObject({ status: 'completed', text: 'half an answer' });
    expect(ran).toBe(1);
    expect(events.find((event) => event.type === 'model-switch')).toMatchObject({ to: { id: 'fallback' } });
    expect(events.filter((event) => event.type === 'retry-wait')).toHaveLength(2);
    expect(events.findLast((event) => event.type === 'message-append')).toMatchObject({
      message: { model: { id: 'fallback' } },
    });
  });

  it('gives up after a bounded number of retries and keeps the partial answer', async () => {
    const provider = new ScriptedProvider(() => ({ text: 'always the same start', failure: {} }));
    const outcome = await runAgent(testRun(provider), () => {});
    expect(provider.requests).toHaveLength(4);
    expect(outcome).toMatchObject({
      status: 'failed',
      text: 'always the same start',
      error: { code: 'overloaded' },
    });
  });
});

describe('access', () => {
  const reads = (path: string): Access[] => [{ kind: 'read', path, real: path }];

  it('lets any number of calls listen to the signal side by side', async () => {
    const calls = Array.from({ length: 30 }, () => call('wait'));
    const provider = new ScriptedProvider([{ toolCalls: calls }, { text: 'done' }]);
    const wait = testTool('wait', {
      access: () => [],
      execute: async (_input, { signal }) => {
        signal.addEventListener('abort', () => {}, { once: true });
        await new Promise((resolve) => setTimeout(resolve, 5));
        return { content: [{ type: 'text', text: 'waited' }] };
      },
    });
    const warnings: string[] = [];
    const onWarning = ({ name }: Error) => void warnings.push(name);
    process.on('warning', onWarning);
    await runAgent(testRun(provider, { tools: [wait] }), recorder().emit);
    process.off('warning', onWarning);
    expect(warnings).toEqual([]);
  });

  it('runs colliding writes in source order and the rest side by side', async () => {
    const provider = new ScriptedProvider([
      {
        toolCalls: [
          call('write', { path: '/a' }),
          call('read', { path: '/a' }),
          call('read', { path: '/b' }),
        ],
      },
      { text: 'ok' },
    ]);
    const order: string[] = [];
    const gate = deferred();
    const tools = [
      testTool('write', {
        access: ({ path }) => [{ kind: 'write', path: String(path), real: String(path) }],
        execute: async () => {
          await gate.promise;
          order.push('write /a');
          return '';
        },
      }),
      testTool('read', {
        access: ({ path }) => reads(String(path)),
        execute: async ({ path }) => {
          order.push(`read ${path}`);
          if (path === '/b') gate.resolve(undefined);
          return '';
        },
      }),
    ];
    await runAgent(testRun(provider, { tools }), () => {});
    expect(order).toEqual(['read /b', 'write /a', 'read /a']);
  });
});

function deferred() {
  let resolve: (value: unknown) => void = () => {};
  const promise = new Promise((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
