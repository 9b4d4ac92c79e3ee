import { ScriptedProvider, type ScriptedTurn, testRun, testTool } from '@robota-sdk/agent-testing';
import { stillOpen } from '@robota-sdk/agent-testing/still-open';
import { describe, expect } from 'vitest';
import { textOf } from '../message/content.ts';
import { runAgent } from './run-agent.ts';

stillOpen('keeps the result of a tool when a listener to its progress throws', {
  observe: async () => {
    const provider = new ScriptedProvider([{ toolCalls: [{ name: 'slow' }] }, { text: 'done' }]);
    const slow = testTool('slow', {
      execute: async (_, { progress }) => {
        progress('half way');
        return 'slow result';
      },
    });
    await runAgent(testRun(provider, { tools: [slow] }), (event) => {
      if (event.type === 'tool-progress') throw new Error('the listener broke');
    });
    return textOf(provider.requests[1]?.messages.at(-1)?.content ?? []);
  },
  today: 'the listener broke',
  wanted: (result) => expect(result).toBe('slow result'),
});

describe('a request that is sent again in another form', () => {
  const spent = (
    code: 'overloaded' | 'context-overflow' | 'invalid-request',
    input: number,
  ): ScriptedTurn => ({
    failure: { code, message: code, retryable: code === 'overloaded' },
    usage: { input },
  });
  const inputOf = async (code: 'context-overflow' | 'invalid-request') => {
    // One attempt that breaks after it was paid for, one that is refused, and one that is answered for 10 tokens.
    const provider = new ScriptedProvider([spent('overloaded', 1000), spent(code, 0), { text: 'done' }]);
    const outcome = await runAgent(
      testRun(provider, {
        fitWindow: async (messages, reason) => (reason === 'overflow' ? messages : undefined),
        findRemedy: (messages) => ({ messages, keep: async () => {} }),
      }),
      () => {},
    );
    expect(outcome).toMatchObject({ status: 'completed', text: 'done' });
    return outcome.usage.input;
  };

  stillOpen('counts what the attempts before an overflow cost', {
    observe: () => inputOf('context-overflow'),
    today: 10,
    wanted: (input) => expect(input).toBe(1010),
  });

  stillOpen('counts what the attempts before a refusal cost', {
    observe: () => inputOf('invalid-request'),
    today: 10,
    wanted: (input) => expect(input).toBe(1010),
  });
});
