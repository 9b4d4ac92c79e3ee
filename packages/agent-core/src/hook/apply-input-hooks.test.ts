import { recorder, ScriptedProvider, testRun, testTool } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { MessageQueue } from '../loop/message-queue.ts';
import { runAgent } from '../loop/run-agent.ts';
import { textOf, type UserContent } from '../message/content.ts';
import { applyInputHooks } from './apply-input-hooks.ts';
import { HookRegistry } from './run-hook.ts';

const text = (value: string): readonly UserContent[] => [{ type: 'text', text: value }];
const { signal } = new AbortController();

const reminder = (context: string) =>
  `<system-reminder>\nContext from a hook:\n${context}\n</system-reminder>`;

describe('input hooks', () => {
  it('may replace the text and add to it; images stay', async () => {
    proves('R-17');
    const image = { type: 'image', mimeType: 'image/png', data: 'AA==' } as const;
    const hooks = new HookRegistry();
    expect(await applyInputHooks(hooks, text('a'), signal)).toEqual({ kind: 'accepted', content: text('a') });
    hooks.add('input', ({ text: typed }) => ({ text: typed.toUpperCase() }), 'a');
    hooks.add('input', ({ text: typed }) => ({ context: `seen: ${typed}` }), 'b');
    expect(await applyInputHooks(hooks, [...text('hi '), image, ...text('you')], signal)).toEqual({
      kind: 'accepted',
      content: [...text('HI YOU'), image, ...text(reminder('seen: HI YOU'))],
    });
    hooks.add('input', () => ({ block: 'no' }), 'c');
    expect(await applyInputHooks(hooks, text('a'), signal)).toEqual({ kind: 'blocked', reason: 'no' });
  });

  it('see messages typed during a run; one that is kept back is said', async () => {
    proves('R-17');
    const queue = new MessageQueue();
    const hooks = new HookRegistry();
    hooks.add(
      'input',
      ({ text: typed }) => (typed === 'bad' ? { block: 'no' } : { context: 'noted' }),
      'test',
    );
    const provider = new ScriptedProvider([{ toolCalls: [{ name: 'work' }] }, { text: 'a' }, { text: 'b' }]);
    const tool = testTool('work', {
      execute: async () => {
        queue.steer(text('hint'));
        queue.steer(text('bad'));
        queue.follow(text('bad'));
        queue.follow(text('more'));
        return 'worked';
      },
    });
    const { events, emit } = recorder();
    const run = testRun(provider, { queue, hooks, tools: [tool] });
    expect(await runAgent(run, emit)).toMatchObject({ status: 'completed' });
    const typed = events.flatMap((event) =>
      event.type === 'message-append' && event.message.role === 'user' ? [textOf(event.message.content)] : [],
    );
    expect(typed).toEqual(['go', `hint${reminder('noted')}`]);
    expect(events).toContainEqual({
      type: 'notice-show',
      level: 'warning',
      about: 'answer',
      text: 'A hook blocked your message: no',
    });
    expect(queue.followUp).toHaveLength(1);
  });

  it('an interruption while a hook looks at a message puts the message back', async () => {
    const queue = new MessageQueue({ steeringMode: 'all' });
    const controller = new AbortController();
    const hooks = new HookRegistry();
    const held = (_: unknown, aborted: AbortSignal) => {
      controller.abort();
      aborted.throwIfAborted();
      return undefined;
    };
    hooks.add('input', held, 'test');
    queue.steer(text('one'));
    queue.steer(text('two'));
    const run = testRun(new ScriptedProvider([{ text: 'a' }]), { queue, hooks, signal: controller.signal });
    expect(await runAgent(run, recorder().emit)).toMatchObject({ status: 'aborted' });
    expect(queue.steering.map(({ content }) => textOf(content))).toEqual(['one', 'two']);
  });
});
