import { ScriptedProvider, testRun, testTool } from '@robota-sdk/agent-testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HookRegistry } from '../hook/run-hook.ts';
import { textOf } from '../message/content.ts';
import { createMessage, type Message, toolEnd } from '../message/message.ts';
import { noUsage } from '../message/usage.ts';
import { textOutput } from '../tool/tool.ts';
import type { AgentRun, PendingCall } from './agent-run.ts';
import { runAgent } from './run-agent.ts';

const call = (id: string, name = 'Note') => ({ type: 'tool-call', id, name, input: { id } }) as const;

function answerWith(
  calls: readonly ReturnType<typeof call>[],
  stopReason: 'tool-calls' | 'length' = 'tool-calls',
) {
  const model = { vendor: 'scripted', id: 'test-model', api: 'offline' } as const;
  return createMessage(
    { role: 'assistant', content: calls, model, usage: noUsage, cost: 0, stopReason },
    null,
  );
}

function resultOf(id: string): Message {
  return createMessage(
    {
      role: 'tool',
      toolCallId: id,
      toolName: 'Note',
      content: [{ type: 'text', text: `old ${id}` }],
      ...toolEnd('success'),
    },
    null,
  );
}

const prompt = createMessage({ role: 'user', content: [{ type: 'text', text: 'start' }] }, null);

interface Resumed {
  readonly ran: string[];
  readonly asked: PendingCall[];
  /** The messages that the run appended. */
  readonly appended: Message[];
  readonly provider: ScriptedProvider;
}

async function resume(history: readonly Message[], extra: Partial<AgentRun> = {}): Promise<Resumed> {
  const ran: string[] = [];
  const asked: PendingCall[] = [];
  const appended: Message[] = [];
  const provider = new ScriptedProvider([{ text: 'done' }]);
  const note = testTool('Note', {
    execute: async ({ id }) => {
      ran.push(String(id));
      return `ran ${id}`;
    },
  });
  const { prompt: _, ...base } = testRun(provider, { history, tools: [note] });
  const resolvePending: AgentRun['resolvePending'] = async (pending) => {
    asked.push(pending);
    return 'run';
  };
  await runAgent({ ...base, resolvePending, ...extra }, (event) => {
    if (event.type === 'message-append') appended.push(event.message);
  });
  return { ran, asked, appended, provider };
}

const told = (messages: readonly Message[]) =>
  messages.flatMap((each) => (each.role === 'tool' ? [`${each.toolCallId}: ${textOf(each.content)}`] : []));

describe('a run whose history ends with calls without results', () => {
  it('settles each missing call once, in source order, whatever results are there already', async () => {
    const cases = fc.array(fc.constantFrom('kept', 'run', 'known'), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(cases, async (fates) => {
        const calls = fates.map((_, index) => call(`c${index}`));
        const fateOf = ({ id }: { id: string }) => fates[Number(id.slice(1))];
        const kept = calls.filter((each) => fateOf(each) === 'kept');
        const history = [prompt, answerWith(calls), ...kept.map(({ id }) => resultOf(id))];
        const { ran, appended, provider } = await resume(history, {
          resolvePending: async (pending) =>
            fateOf(pending.call) === 'run'
              ? 'run'
              : { output: textOutput(`known ${pending.call.id}`), status: 'success' },
        });
        const missing = calls.filter((each) => fateOf(each) !== 'kept');
        expect(ran).toEqual(missing.filter((each) => fateOf(each) === 'run').map(({ id }) => id));
        const expected = missing.map((each) =>
          fateOf(each) === 'run' ? `${each.id}: ran ${each.id}` : `${each.id}: known ${each.id}`,
        );
        expect(told(appended)).toEqual(expected);
        expect(provider.requests).toHaveLength(1);
        expect(provider.requests[0]?.messages).toEqual([...history, ...appended.slice(0, -1)]);
      }),
    );
  });

  it('results come before the prompt of the run', async () => {
    const history = [prompt, answerWith([call('a')])];
    const { appended } = await resume(history, { prompt: { content: [{ type: 'text', text: 'go on' }] } });
    expect(appended.map(({ role }) => role)).toEqual(['tool', 'user', 'assistant']);
  });

  it('a call that runs again is judged and shown to hooks as any other', async () => {
    const hooks = new HookRegistry();
    const seen: string[] = [];
    hooks.add('tool-before', ({ call: { id } }) => void seen.push(id), 'test');
    const { ran, appended } = await resume([prompt, answerWith([call('a'), call('b')])], {
      hooks,
      authorize: async ({ call: { id } }) =>
        id === 'a' ? { allowed: true } : { allowed: false, reason: 'no' },
    });
    expect(seen).toEqual(['a', 'b']);
    expect(ran).toEqual(['a']);
    expect(told(appended)).toEqual(['a: ran a', 'b: Permission denied: no']);
  });

  it('a call whose result is known starts no hook and no question', async () => {
    const hooks = new HookRegistry();
    hooks.add('tool-before', () => ({ block: 'never' }), 'test');
    const { appended } = await resume([prompt, answerWith([call('a')])], {
      hooks,
      authorize: async () => ({ allowed: false, reason: 'never' }),
      resolvePending: async () => ({ output: textOutput('unknown', { isError: true }), status: 'aborted' }),
    });
    expect(appended[0]).toMatchObject({ role: 'tool', toolCallId: 'a', isError: true });
    expect(told(appended)).toEqual(['a: unknown']);
  });

  it('tells the resolver what is known of the tool', async () => {
    const { asked, appended } = await resume([prompt, answerWith([call('a'), call('b', 'Gone')])]);
    expect(asked.map(({ tool, ready }) => [tool?.name, ready?.input])).toEqual([
      ['Note', { id: 'a' }],
      [undefined, undefined],
    ]);
    expect(told(appended)[1]).toContain('Unknown tool "Gone"');
  });

  it('without a resolver, after a later message or with every result, nothing runs', async () => {
    const open = [prompt, answerWith([call('a')])];
    const plain = new ScriptedProvider([{ text: 'done' }]);
    const { prompt: _, ...base } = testRun(plain, { history: open });
    await runAgent(base, () => {});
    expect(plain.requests[0]?.messages).toEqual(open);
    for (const history of [[...open, prompt], [...open, resultOf('a')], [prompt]]) {
      const { asked, ran } = await resume(history);
      expect([asked, ran]).toEqual([[], []]);
    }
  });

  it('calls of an answer that was cut off never run', async () => {
    const { ran, appended } = await resume([prompt, answerWith([call('a')], 'length')]);
    expect(ran).toEqual([]);
    expect(told(appended)[0]).toContain('cut off by the output limit');
  });
});

describe('results of calls side by side', () => {
  it('each is kept as soon as those before it are, while later calls still run', async () => {
    const kept: string[] = [];
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const tool = testTool('Note', {
      execute: async ({ id }) => {
        if (id === 'b') await held;
        return String(id);
      },
    });
    const provider = new ScriptedProvider([
      { toolCalls: ['a', 'b', 'c'].map((id) => ({ id, name: 'Note', input: { id } })) },
      { text: 'done' },
    ]);
    await runAgent(testRun(provider, { tools: [tool] }), async (event) => {
      if (event.type !== 'message-append' || event.message.role !== 'tool') return;
      kept.push(textOf(event.message.content));
      if (event.message.toolCallId === 'a') release();
    });
    expect(kept).toEqual(['a', 'b', 'c']);
  });
});
