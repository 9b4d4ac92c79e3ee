import { recorder, ScriptedProvider, testRun, testTool } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { HookRegistry } from '../hook/run-hook.ts';
import { textOf } from '../message/content.ts';
import type { AgentRun } from './agent-run.ts';
import { runAgent } from './run-agent.ts';

const twoCalls = () =>
  new ScriptedProvider([{ toolCalls: [{ name: 'slow' }, { name: 'fast' }] }, { text: 'done' }]);

/** Runs two calls of one message and tells when each started and ended. */
async function traceTwoCalls(options: { execution?: 'sequential'; toolExecution?: 'sequential' }) {
  const trace: string[] = [];
  let releaseSlow: () => void = () => {};
  const released = new Promise<void>((resolve) => {
    releaseSlow = resolve;
  });
  const provider = twoCalls();
  const tools = [
    testTool('slow', {
      ...(options.toolExecution ? { execution: options.toolExecution } : {}),
      execute: async () => {
        trace.push('slow starts');
        // In order, nothing else would ever release it.
        if (!options.execution && !options.toolExecution) await released;
        trace.push('slow ends');
        return 'slow result';
      },
    }),
    testTool('fast', {
      execute: async () => {
        trace.push('fast runs');
        releaseSlow();
        return 'fast result';
      },
    }),
  ];
  const { events, emit } = recorder();
  const execution = options.execution ? { execution: options.execution } : {};
  await runAgent(testRun(provider, { tools, ...execution }), emit);
  const results = provider.requests[1]?.messages.slice(2).map((message) => textOf(message.content));
  const ends = events.flatMap((event) => (event.type === 'tool-end' ? [event.call.name] : []));
  return { trace, results, ends };
}

describe('tool execution', () => {
  it('runs calls side by side by default and answers in source order', async () => {
    proves('P-16');
    const { trace, results, ends } = await traceTwoCalls({});
    expect(trace).toEqual(['slow starts', 'fast runs', 'slow ends']);
    expect(ends).toEqual(['fast', 'slow']);
    expect(results).toEqual(['slow result', 'fast result']);
  });

  it('a tool that stands for others has its calls judged, shown and run as theirs, and answered as its own', async () => {
    proves('P-139');
    const real = testTool('mcp__files__read', { execute: async () => 'the text' });
    const standIn = {
      ...testTool('Proxy', { execute: async () => 'itself' }),
      resolve: ({ name, input }: { name: string; input: unknown }) =>
        name === 'Proxy' && JSON.stringify(input) === '{}' ? undefined : { tool: real, input: {} },
    };
    const provider = new ScriptedProvider([
      {
        toolCalls: [
          { name: 'Proxy', input: { tool: 'read' } },
          { name: 'mcp__files__read' },
          { name: 'Proxy' },
        ],
      },
      { text: 'done' },
    ]);
    const judged: string[] = [];
    const authorize: AgentRun['authorize'] = async ({ tool, call }) => {
      judged.push(`${tool.name} ${call.name}`);
      return { allowed: true };
    };
    const { events, emit } = recorder();
    await runAgent({ ...testRun(provider, { tools: [standIn] }), authorize }, emit);
    expect(judged).toEqual([...Array(2).fill('mcp__files__read mcp__files__read'), 'Proxy Proxy']);
    const ends = events.flatMap((event) => (event.type === 'tool-end' ? [event.call.name] : []));
    expect(ends.sort()).toEqual(['Proxy', 'mcp__files__read', 'mcp__files__read']);
    const results = provider.requests[1]?.messages.slice(2) ?? [];
    expect(results.map((message) => textOf(message.content))).toEqual(['the text', 'the text', 'itself']);
    expect(results.map((message) => message.role === 'tool' && message.toolName)).toEqual([
      'Proxy',
      'mcp__files__read',
      'Proxy',
    ]);
  });

  it('a tool that returns what is no output, or no list of accesses, fails by its name alone', async () => {
    const provider = new ScriptedProvider([
      { toolCalls: [{ name: 'odd' }, { name: 'vague' }, { name: 'plain' }] },
      { text: 'done' },
    ]);
    const tools = [
      { ...testTool('odd'), execute: async () => ({ text: 'x' }) as never },
      { ...testTool('vague'), access: () => undefined as never },
      { ...testTool('plain'), execute: async () => 'a text' as never },
    ];
    await runAgent(testRun(provider, { tools }), () => {});
    const results = provider.requests[1]?.messages.slice(2).map((message) => textOf(message.content));
    expect(results).toEqual([
      expect.stringContaining('The tool odd ran, but its result cannot be used'),
      'The tool vague is broken: its "access" returned no list.',
      'a text',
    ]);
  });

  it('prepares for a call between its permission and its run, and looks after it however it ends', async () => {
    const trace: string[] = [];
    const provider = new ScriptedProvider([
      { toolCalls: [{ name: 'fails' }, { name: 'denied' }] },
      { text: 'done' },
    ]);
    const fails = testTool('fails', {
      execute: async () => {
        trace.push('run fails');
        throw new Error('broken');
      },
    });
    await runAgent(
      testRun(provider, {
        tools: [fails, testTool('denied')],
        authorize: async ({ tool }) => {
          trace.push(`judge ${tool.name}`);
          return tool.name === 'denied' ? { allowed: false, reason: 'no' } : { allowed: true };
        },
        beforeExecute: async ({ tool }) => {
          trace.push(`before ${tool.name}`);
          return async () => void trace.push(`after ${tool.name}`);
        },
      }),
      () => {},
    );
    expect(trace).toEqual(['judge fails', 'judge denied', 'before fails', 'run fails', 'after fails']);
  });

  it('prepares every call, in order, before any of them runs', async () => {
    proves('P-16');
    const trace: string[] = [];
    const tool = (name: string) =>
      testTool(name, {
        execute: async () => {
          trace.push(`run ${name}`);
          return '';
        },
      });
    const run = testRun(twoCalls(), {
      tools: [tool('slow'), tool('fast')],
      authorize: async ({ call }) => {
        trace.push(`ask ${call.name}`);
        return { allowed: true };
      },
    });
    await runAgent(run, () => {});
    expect(trace).toEqual(['ask slow', 'ask fast', 'run slow', 'run fast']);
  });

  it('runs calls one after the other in sequential mode', async () => {
    proves('P-17');
    const { trace } = await traceTwoCalls({ execution: 'sequential' });
    expect(trace).toEqual(['slow starts', 'slow ends', 'fast runs']);
  });

  it('lets a tool ask to run alone', async () => {
    proves('P-17');
    const { trace } = await traceTwoCalls({ toolExecution: 'sequential' });
    expect(trace).toEqual(['slow starts', 'slow ends', 'fast runs']);
  });

  it('hands the tool its input, a signal and a way to report progress', async () => {
    proves('P-6');
    const provider = new ScriptedProvider([
      { toolCalls: [{ name: 'work', input: { n: 3 } }] },
      { text: 'ok' },
    ]);
    const controller = new AbortController();
    const tool = testTool('work', {
      label: 'Working',
      execute: async (input, context) => {
        context.progress('half way');
        return `${input['n']} ${context.signal === controller.signal}`;
      },
    });
    const { events, emit } = recorder();
    await runAgent(testRun(provider, { tools: [tool], signal: controller.signal }), emit);
    expect(events).toContainEqual({ type: 'tool-progress', toolCallId: 'call_0_0', text: 'half way' });
    expect(provider.requests[1]?.messages.at(-1)?.content).toEqual([{ type: 'text', text: '3 true' }]);
    expect(provider.requests[0]?.tools).toEqual([
      { name: 'work', description: 'the test tool work', input: { type: 'object' } },
    ]);
  });

  it('answers every call of an interrupted batch, and leaves a tool behind that ignores the signal', async () => {
    const controller = new AbortController();
    const provider = new ScriptedProvider([{ toolCalls: [{ name: 'polite' }, { name: 'later' }] }]);
    const tools = [
      testTool('polite', {
        access: () => [{ kind: 'run', command: 'x', cwd: '/' }],
        execute: (_, { signal }) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(new Error('stopped')));
            controller.abort();
          }),
      }),
      testTool('later', { access: () => [{ kind: 'run', command: 'y', cwd: '/' }] }),
    ];
    const { events, emit } = recorder();
    const outcome = await runAgent(testRun(provider, { tools, signal: controller.signal }), emit);
    expect(outcome.status).toBe('aborted');
    const results = events.flatMap((event) =>
      event.type === 'message-append' && event.message.role === 'tool' ? [event.message] : [],
    );
    expect(results.map((result) => [result.toolCallId, result.status])).toEqual([
      ['call_0_0', 'aborted'],
      ['call_0_1', 'aborted'],
    ]);
    const statuses = events.flatMap((event) => (event.type === 'tool-end' ? [event.status] : []));
    expect(statuses).toEqual(['aborted', 'aborted']);
  });

  it('keeps how each call ended with its result: status, duration, exit code and what really ran', async () => {
    const provider = new ScriptedProvider([
      { toolCalls: ['fine', 'broken', 'forbidden', 'other'].map((name) => ({ name, input: { n: 1 } })) },
      { text: 'done' },
    ]);
    const hooks = new HookRegistry();
    hooks.add(
      'tool-before',
      ({ call }) => {
        if (call.name === 'forbidden') return { block: 'no' };
        return call.name === 'other' ? { input: { n: 2 } } : undefined;
      },
      'test',
    );
    hooks.add('tool-after', () => ({ output: { content: [{ type: 'text', text: 'changed' }] } }), 'test');
    // A tool's own words decide nothing about its status.
    const broken = async () => ({
      content: [{ type: 'text' as const, text: 'Permission denied: /etc/shadow' }],
      isError: true,
      exitCode: 3,
    });
    const tools = ['fine', 'broken', 'forbidden', 'other'].map((name) =>
      testTool(name, name === 'broken' ? { execute: broken } : {}),
    );
    const { events, emit } = recorder();
    await runAgent(testRun(provider, { tools, hooks }), emit);
    const results = events.flatMap((event) =>
      event.type === 'message-append' && event.message.role === 'tool' ? [event.message] : [],
    );
    expect(results).toMatchObject([
      { status: 'success', isError: false },
      { status: 'success', isError: false, exitCode: 3 },
      { status: 'denied', isError: true },
      { status: 'success', ran: { name: 'other', input: { n: 2 } } },
    ]);
    expect(results[0]).not.toHaveProperty('ran');
    expect(results.map(({ durationMs }) => typeof durationMs)).toEqual(Array(4).fill('number'));
    for (const event of events)
      if (event.type === 'tool-end')
        expect([event.status, event.durationMs]).toEqual([event.result.status, event.result.durationMs]);
  });

  it('says of calls that an interruption came before that they did not run', async () => {
    const controller = new AbortController();
    const names = ['first', 'second', 'third'];
    const provider = new ScriptedProvider([{ toolCalls: names.map((name) => ({ name })) }]);
    const ran: string[] = [];
    const tools = names.map((name) =>
      testTool(name, {
        execute: async () => {
          ran.push(name);
          controller.abort();
          return name;
        },
      }),
    );
    const { events, emit } = recorder();
    const { signal } = controller;
    await runAgent(testRun(provider, { tools, signal, execution: 'sequential' }), emit);
    const results = events.flatMap((event) => (event.type === 'tool-end' ? [event.result] : []));
    expect(ran).toEqual(['first']);
    expect(results.map(({ status, permission }) => [status, permission?.kind])).toEqual([
      ['aborted', undefined],
      ['aborted', 'skipped'],
      ['aborted', 'skipped'],
    ]);
    expect(textOf(results[1]?.content ?? [])).toBe('Interrupted before it started; it did not run.');
  });

  it('says the same of calls after the one whose question was dismissed', async () => {
    const controller = new AbortController();
    const names = ['first', 'second', 'third'];
    const provider = new ScriptedProvider([{ toolCalls: names.map((name) => ({ name })) }]);
    const { events, emit } = recorder();
    const authorize: AgentRun['authorize'] = async ({ call }) => {
      if (call.name === 'first') return { allowed: true, permission: { kind: 'once' } };
      controller.abort();
      return { allowed: false, reason: 'no', permission: { kind: 'declined' } };
    };
    const tools = names.map((name) => testTool(name));
    await runAgent(testRun(provider, { tools, signal: controller.signal, authorize }), emit);
    const results = events.flatMap((event) => (event.type === 'tool-end' ? [event.result] : []));
    expect(results.map(({ status, permission }) => [status, permission?.kind]).toSorted()).toEqual([
      ['aborted', 'skipped'],
      ['aborted', 'skipped'],
      ['denied', 'declined'],
    ]);
  });

  it('says on a line of its own that a call was interrupted', async () => {
    const controller = new AbortController();
    const provider = new ScriptedProvider([{ toolCalls: [{ name: 'slow' }] }]);
    const slow = testTool('slow', {
      execute: async () => {
        controller.abort();
        return { content: [{ type: 'text', text: '[ended]' }] };
      },
    });
    const { events, emit } = recorder();
    await runAgent(testRun(provider, { tools: [slow], signal: controller.signal }), emit);
    const content = events.flatMap((event) => (event.type === 'tool-end' ? event.result.content : []));
    const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
    expect(text).toBe('[ended]\nInterrupted before it finished.');
  });

  it('lets hooks have their say about what an interrupted call has printed', async () => {
    const controller = new AbortController();
    const provider = new ScriptedProvider([{ toolCalls: [{ name: 'slow' }] }]);
    const slow = testTool('slow', {
      execute: async () => {
        controller.abort();
        return { content: [{ type: 'text', text: 'secret' }] };
      },
    });
    const hooks = new HookRegistry();
    hooks.add('tool-after', () => ({ output: { content: [{ type: 'text', text: 'changed' }] } }), 'test');
    const { events, emit } = recorder();
    await runAgent(testRun(provider, { tools: [slow], signal: controller.signal, hooks }), emit);
    const ended = events.find((event) => event.type === 'tool-end');
    expect(ended).toMatchObject({ status: 'aborted', result: { content: [{ text: 'changed' }, {}] } });
  });

  it('limits output of every tool that does not page by itself', async () => {
    proves('R-55');
    const provider = new ScriptedProvider([
      { toolCalls: [{ name: 'long' }, { name: 'page' }] },
      { text: 'ok' },
    ]);
    const run = testRun(provider, {
      tools: [testTool('long'), testTool('page', { paged: true })],
      limitOutput: async () => ({ content: [{ type: 'text', text: 'cut' }] }),
    });
    await runAgent(run, () => {});
    expect(provider.requests[1]?.messages.at(-2)?.content).toEqual([{ type: 'text', text: 'cut' }]);
    expect(provider.requests[1]?.messages.at(-1)?.content).toEqual([{ type: 'text', text: 'page done' }]);
  });
});

describe('permission in the loop', () => {
  it('tells the model why a call was denied and lists the denial in the outcome', async () => {
    const provider = new ScriptedProvider([
      { toolCalls: [{ name: 'danger', input: { x: 1 } }, { name: 'safe' }] },
      { text: 'understood' },
    ]);
    let ran = 0;
    const run = testRun(provider, {
      tools: [
        testTool('danger', {
          execute: async () => {
            ran++;
            return '';
          },
        }),
        testTool('safe'),
      ],
      authorize: async ({ call }) =>
        call.name === 'safe'
          ? { allowed: true }
          : { allowed: false, reason: 'no rule allows it', wouldAllow: ['danger(x)'] },
    });
    const outcome = await runAgent(run, () => {});
    expect(ran).toBe(0);
    expect(outcome.status).toBe('completed');
    expect(outcome.denials).toEqual([
      {
        toolCallId: 'call_0_0',
        toolName: 'danger',
        input: { x: 1 },
        reason: 'no rule allows it',
        wouldAllow: ['danger(x)'],
      },
    ]);
    expect(provider.requests[1]?.messages.at(2)).toMatchObject({ isError: true });
    expect(provider.requests[1]?.messages.at(3)).toMatchObject({ isError: false });
  });
});

describe('hooks in the loop', () => {
  const oneCall = () =>
    new ScriptedProvider([{ toolCalls: [{ name: 'work', input: { n: 1 } }] }, { text: 'ok' }]);
  const lastResult = (provider: ScriptedProvider) => {
    const message = provider.requests[1]?.messages.at(-1);
    return message && { text: textOf(message.content), isError: 'isError' in message && message.isError };
  };

  async function runWith(hooks: HookRegistry, extra: Partial<AgentRun> = {}) {
    const provider = oneCall();
    let input: unknown;
    const tool = testTool('work', {
      execute: async (given) => {
        input = given;
        return 'original';
      },
    });
    const outcome = await runAgent(testRun(provider, { tools: [tool], hooks, ...extra }), () => {});
    return { outcome, provider, input };
  }

  it('a hook before the call may block it with a reason', async () => {
    proves('P-13');
    const hooks = new HookRegistry();
    hooks.add('tool-before', () => ({ block: 'not on a Friday' }), 'calendar');
    const { provider, input, outcome } = await runWith(hooks);
    expect(input).toBeUndefined();
    expect(lastResult(provider)).toEqual({ text: 'Permission denied: not on a Friday', isError: true });
    expect(outcome.denials).toHaveLength(1);
  });

  it('changes the input, which is validated again', async () => {
    const hooks = new HookRegistry();
    hooks.add('tool-before', () => ({ input: { n: 2 } }), 'changer');
    expect((await runWith(hooks)).input).toEqual({ n: 2 });
  });

  it('a hook that breaks before the call counts as ask', async () => {
    const hooks = new HookRegistry();
    const failures: string[] = [];
    hooks.onFailure = (source, message) => failures.push(`${source}: ${message}`);
    hooks.add(
      'tool-before',
      () => {
        throw new Error('oops');
      },
      'broken',
    );
    const verdicts: unknown[] = [];
    await runWith(hooks, {
      authorize: async ({ hook }) => {
        verdicts.push(hook);
        return { allowed: false, reason: 'nobody to ask' };
      },
    });
    expect(verdicts).toEqual([{ verdict: 'ask', reason: 'the hook broken failed: oops' }]);
    expect(failures).toEqual(['broken: oops']);
  });

  it('a hook after the call may replace the result', async () => {
    proves('P-14');
    const hooks = new HookRegistry();
    hooks.add(
      'tool-after',
      ({ output }) => {
        const text = `${textOf(output.content)}, changed`;
        return { output: { content: [{ type: 'text', text }] } };
      },
      'one',
    );
    hooks.add(
      'tool-after',
      ({ output }) => {
        const text = `${textOf(output.content)} twice`;
        return { output: { content: [{ type: 'text', text }], isError: true } };
      },
      'two',
    );
    const { provider } = await runWith(hooks);
    expect(lastResult(provider)).toEqual({ text: 'original, changed twice', isError: true });
  });

  it('hooks receive the signal and stop with it', async () => {
    proves('P-15');
    const controller = new AbortController();
    const hooks = new HookRegistry();
    let received: AbortSignal | undefined;
    hooks.add(
      'tool-before',
      (_, signal) => {
        received = signal;
        controller.abort();
        return new Promise((_resolve, reject) => {
          if (signal.aborted) reject(new Error('cancelled'));
        });
      },
      'waiting',
    );
    const { outcome, input } = await runWith(hooks, { signal: controller.signal });
    expect(received).toBe(controller.signal);
    expect(outcome.status).toBe('aborted');
    expect(input).toBeUndefined();
  });

  it('a hook may change the messages that are sent, not those that are kept', async () => {
    proves('P-18');
    const hooks = new HookRegistry();
    hooks.add('request-before', ({ messages }) => ({ messages: messages.slice(-1) }), 'trimmer');
    const { events, emit } = recorder();
    const provider = oneCall();
    await runAgent(testRun(provider, { tools: [testTool('work')], hooks }), emit);
    expect(provider.requests[1]?.messages).toHaveLength(1);
    expect(events.filter((event) => event.type === 'message-append')).toHaveLength(4);
  });

  it('a stop hook that never lets go is ended', async () => {
    const hooks = new HookRegistry();
    hooks.add('run-stop', () => ({ continueWith: 'go on' }), 'never');
    const provider = new ScriptedProvider(() => ({ text: 'finished' }));
    const outcome = await runAgent(testRun(provider, { hooks }), () => {});
    expect(outcome).toMatchObject({ status: 'limit', turns: 21, error: { code: 'no-progress' } });
  });

  it('a stop hook may send the model back to work, and knows that it did', async () => {
    const hooks = new HookRegistry();
    const seen: boolean[] = [];
    hooks.add(
      'run-stop',
      ({ repeated }) => {
        seen.push(repeated);
        return repeated ? undefined : { continueWith: 'run the tests first' };
      },
      'tests first',
    );
    const provider = new ScriptedProvider([{ text: 'finished' }, { text: 'tests pass' }]);
    const outcome = await runAgent(testRun(provider, { hooks }), () => {});
    expect(outcome.text).toBe('tests pass');
    expect(seen).toEqual([false, true]);
    expect(provider.requests[1]?.messages.at(-1)).toMatchObject({ role: 'user', origin: 'reminder' });
  });
});
