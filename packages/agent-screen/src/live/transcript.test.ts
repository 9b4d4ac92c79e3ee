import type { Item, ToolItem } from '@robota-sdk/agent-sessions';
import { createRenderStyle, plainText } from '@robota-sdk/agent-tui';
import { expect, it } from 'vitest';
import { Transcript } from './transcript.ts';

function call(callId: string, name = 'Bash'): ToolItem {
  const input = name === 'Bash' ? { command: `make ${callId}` } : { file_path: `/shop/${callId}` };
  return { kind: 'tool', callId, name, input, state: 'done', output: '' };
}

it('shows a notice below the call that it waits for, in the order of the calls', () => {
  const lines: string[] = [];
  const transcript = new Transcript({
    look: createRenderStyle(),
    commit: (finished) => {
      const drawn = typeof finished === 'function' ? finished(80) : finished;
      lines.push(...drawn.map((line) => plainText(line).trim()).filter(Boolean));
    },
    isThinkingHidden: () => true,
  });
  const note = (text: string, after: string): Item => ({ kind: 'notice', level: 'info', text, after });
  for (const item of [note('A', 'two'), note('B', 'two'), note('C', 'read')]) transcript.print(item);
  expect(lines).toEqual([]);
  for (const item of [call('one'), call('two'), call('read', 'Read')]) transcript.print(item);
  const order = ['make one', 'make two', 'A', 'B', 'read', 'C'];
  expect(lines.map((line) => order.find((each) => line.endsWith(each)) ?? line)).toEqual(order);
});
