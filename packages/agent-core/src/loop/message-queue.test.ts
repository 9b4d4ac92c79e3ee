import { recorder, ScriptedProvider, testRun } from '@robota-sdk/agent-testing';
import { describe, expect, it } from 'vitest';
import { textOf } from '../message/content.ts';
import { MessageQueue } from './message-queue.ts';
import { runAgent } from './run-agent.ts';

const text = (words: string) => [{ type: 'text', text: words }] as const;

describe('MessageQueue', () => {
  it('gives back what a user typed, and keeps reminders for the model', () => {
    const queue = new MessageQueue();
    queue.steer(text('now'));
    queue.follow(text('later'));
    queue.remind(text('a task has ended'));
    expect(queue.clear().map(({ content }) => textOf(content))).toEqual(['now', 'later']);
    expect(queue.isEmpty).toBe(false);
    expect(queue.drainReminders()).toHaveLength(1);
    expect(queue.isEmpty).toBe(true);
  });

  it('a reminder joins the run with the next turn, past the hooks for what people say', async () => {
    const queue = new MessageQueue();
    const provider = new ScriptedProvider([
      { text: 'first', before: () => queue.remind(text('a task has ended')) },
      { text: 'second' },
    ]);
    const { events, emit } = recorder();
    const outcome = await runAgent(testRun(provider, { queue }), emit);
    expect(outcome.text).toBe('second');
    const reminders = events.flatMap((event) =>
      event.type === 'message-append' && event.message.role === 'user' && event.message.origin === 'reminder'
        ? [textOf(event.message.content)]
        : [],
    );
    expect(reminders).toEqual(['a task has ended']);
  });
});
