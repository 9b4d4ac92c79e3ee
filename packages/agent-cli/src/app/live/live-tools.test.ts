import type { AgentEvent } from '@robota-sdk/agent-sdk';
import type { Item } from '@robota-sdk/agent-sessions';
import { createRenderStyle, plainText } from '@robota-sdk/agent-tui';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LiveTools } from './live-tools.ts';
import type { Transcript } from './transcript.ts';

type Call = Extract<AgentEvent, { type: 'tool-start' }>['call'];

const callOf = (id: string): Call => ({
  type: 'tool-call',
  id,
  name: 'Agent',
  input: { prompt: 'look', description: id, subagent_type: 'Explore' },
});

function endOf(id: string): Extract<AgentEvent, { type: 'tool-end' }> {
  return {
    type: 'tool-end',
    call: callOf(id),
    status: 'success',
    durationMs: 0,
    result: {
      id: `result-${id}`,
      parentId: null,
      timestamp: 0,
      role: 'tool',
      toolCallId: id,
      toolName: 'Agent',
      content: [{ type: 'text', text: 'found' }],
      status: 'success',
      isError: false,
      display: { kind: 'text', text: 'found', tokens: 12_400 },
    },
  };
}

function open() {
  const printed: string[] = [];
  const transcript = {
    previous: undefined,
    redacted: (item: Item) => item,
    print: (item: Item) => void (item.kind === 'tool' && printed.push(item.callId)),
  } as unknown as Transcript;
  const tools = new LiveTools(createRenderStyle({ isAscii: true }), transcript);
  const start = (id: string) => tools.start({ type: 'tool-start', call: callOf(id), access: [] }, 0);
  return { tools, start, printed };
}

describe('LiveTools', () => {
  it('C-21 lists calls in the order they were made, whatever starts or ends first', () => {
    const ids = ['a', 'b', 'c', 'd'];
    const orders = fc.shuffledSubarray(ids, { minLength: 4 });
    fc.assert(
      fc.property(orders, orders, fc.integer({ min: 0, max: 4 }), (starts, ends, late) => {
        const { tools, start, printed } = open();
        tools.expect(ids);
        const before = starts.slice(0, 4 - late);
        const after = starts.slice(4 - late);
        for (const id of before) start(id);
        for (const id of ends.filter((each) => before.includes(each))) tools.end(endOf(id));
        for (const id of after) start(id);
        expect(tools.pending.map(({ callId }) => callId)).toEqual(
          [...tools.pending.map(({ callId }) => callId)].sort(),
        );
        for (const id of ends.filter((each) => after.includes(each))) tools.end(endOf(id));
        expect(printed).toEqual(ids);
      }),
    );
  });

  it('prints what has ended when a call never starts', () => {
    const { tools, start, printed } = open();
    tools.expect(['a', 'b']);
    start('b');
    tools.end(endOf('b'));
    expect(printed).toEqual([]);
    tools.stop();
    expect(printed).toEqual(['b']);
  });

  it('names the agent while it works', () => {
    const { tools, start } = open();
    start('a');
    expect(tools.render(80, 0).map(plainText).join('\n')).toContain('Agent(a) Explore');
  });
});
