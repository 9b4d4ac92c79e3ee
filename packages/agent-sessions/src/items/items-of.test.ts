import { type Message, type ToolStatus, toolEnd } from '@robota-sdk/agent-core';
import { describe, expect, it } from 'vitest';
import { itemsOf } from './items-of.ts';

const base = { id: 'x', parentId: null, timestamp: 0 };
const model = { vendor: 'offline', id: 'offline', api: 'offline' } as const;
const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

function user(text: string, origin?: Extract<Message, { role: 'user' }>['origin']): Message {
  return { ...base, role: 'user', content: [{ type: 'text', text }], ...(origin && { origin }) };
}

function assistant(
  content: Extract<Message, { role: 'assistant' }>['content'],
  more: Partial<Extract<Message, { role: 'assistant' }>> = {},
): Message {
  return { ...base, role: 'assistant', content, model, usage, cost: 0, stopReason: 'end', ...more };
}

function result(toolCallId: string, text: string, status: ToolStatus = 'success'): Message {
  return {
    ...base,
    role: 'tool',
    toolCallId,
    toolName: 'Bash',
    content: [{ type: 'text', text }],
    ...toolEnd(status),
  };
}

describe('itemsOf', () => {
  it('C-26 joins results to their calls in the order of the calls, with the state each ended in', () => {
    const call = (id: string) => ({ type: 'tool-call', id, name: 'Bash', input: { command: id } }) as const;
    const items = itemsOf([
      user('do it'),
      assistant([
        { type: 'thinking', text: 'hm' },
        { type: 'text', text: 'I will.' },
        call('a'),
        call('b'),
        call('c'),
        call('d'),
      ]),
      result('b', 'broken', 'error'),
      result('a', 'fine'),
      result('c', 'no', 'denied'),
    ]);
    expect(items.map((item) => (item.kind === 'tool' ? `${item.callId} ${item.status}` : item.kind))).toEqual(
      ['user', 'thinking', 'answer', 'a success', 'b error', 'c denied', 'd aborted'],
    );
    expect(items[3]).toMatchObject({ output: 'fine', input: { command: 'a' } });
  });

  it('leaves out what only the model was told, and shows what a person pinned and brought back', () => {
    const items = itemsOf([
      user('<reminder>plan</reminder>', 'reminder'),
      user('[Pinned by the user]\n\nkeep this', 'pin'),
      user('[Brought back]\n\nan old answer', 'recall'),
      user('a summary', 'summary'),
      user('more', 'steering'),
    ]);
    expect(items).toEqual([
      { kind: 'notice', level: 'info', text: 'Pinned: keep this' },
      { kind: 'notice', level: 'info', text: 'Brought back: an old answer' },
      { kind: 'user', text: 'more' },
    ]);
  });

  it('tells where another model went on, and what was done on a branch that was left', () => {
    const opening =
      'Before this, the conversation went another way from here. That branch was left; this is a summary of what was done on it:';
    const items = itemsOf([
      assistant([{ type: 'text', text: 'a' }]),
      user(`${opening}\n\nit failed`, 'reminder'),
      assistant([{ type: 'text', text: 'b' }], { model: { vendor: 'v', id: 'm', api: 'openai' } }),
      assistant([{ type: 'text', text: 'c' }], { model: { vendor: 'v', id: 'm', api: 'openai' } }),
    ]);
    expect(items.map((item) => ('text' in item ? item.text : ''))).toEqual([
      'a',
      `${opening}\n\nit failed`,
      'Model: v/m',
      'b',
      'c',
    ]);
  });

  it('tells why an answer ended early', () => {
    const items = itemsOf([
      assistant([{ type: 'text', text: 'half' }], { stopReason: 'aborted' }),
      assistant([], { stopReason: 'error', error: { code: 'network', message: 'It was cut off.' } }),
    ]);
    expect(items).toEqual([
      { kind: 'answer', text: 'half' },
      { kind: 'notice', level: 'info', text: 'Interrupted.' },
      { kind: 'notice', level: 'error', text: 'It was cut off.' },
    ]);
  });
});
