import type { ToolItem } from '@robota-sdk/agent-sessions';
import { createRenderStyle, plainText } from '@robota-sdk/agent-tui';
import { expect, it } from 'vitest';
import type { AppToken } from '../theme/app-tokens.ts';
import { renderLiveTools } from './render-live-tools.ts';

const look = createRenderStyle<AppToken>({ isAscii: true });
const drawn = (items: readonly ToolItem[], view: 'compact' | 'classic' = 'compact') =>
  renderLiveTools(items, {
    look,
    columns: 80,
    previous: undefined,
    now: 5000,
    format: { view },
    redacted: (item) => item,
  })
    .map(plainText)
    .join('\n');

const agent: ToolItem = {
  kind: 'tool',
  callId: 'a',
  name: 'Agent',
  input: { prompt: 'look', description: 'a', subagent_type: 'Explore' },
  state: 'running',
  output: '',
  startedAt: 2000,
};

it('names the agent while it works, and for how long', () => {
  expect(drawn([agent])).toMatch(/^ {2}~ Explore {2}a {25}3s$/);
  const busy = { ...agent, output: 'Read a.ts\nGrep tax\n' };
  expect(drawn([busy])).toMatch(/^ {2}~ Explore {2}a {25}2 calls - {2}3s {2}Grep tax$/);
  const general = { ...busy, input: { prompt: 'look', description: 'check the rounding of all totals' } };
  expect(drawn([general])).toBe('  ~ general-purpose check the roun...  2 calls -  3s  Grep tax');
  expect(drawn([agent], 'classic')).toMatch(/Agent\(a\) Explore .* 3s/);
});

it('leaves out calls that wait for their turn', () => {
  const { startedAt: _, ...waiting } = { ...agent, callId: 'b', state: 'lost' } as const;
  expect(drawn([waiting])).toBe('');
  expect(drawn([agent, waiting]).match(/Explore/g)).toHaveLength(1);
});
