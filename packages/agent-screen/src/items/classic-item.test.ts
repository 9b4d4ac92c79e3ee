import type { Item, ToolItem } from '@robota-sdk/agent-sessions';
import { createRenderStyle, plainText } from '@robota-sdk/agent-tui';
import { describe, expect, it } from 'vitest';
import type { ItemView } from './item-view.ts';
import { renderItem } from './render-item.ts';

function drawn(item: Item, view: Partial<ItemView> = {}): string {
  const lines = renderItem(item, {
    look: createRenderStyle(),
    columns: 60,
    format: { view: 'classic' },
    previous: { kind: 'tool' },
    ...view,
  });
  return lines.map((line) => plainText(line).trimEnd()).join('\n');
}

function tool(more: Partial<ToolItem>): ToolItem {
  return { kind: 'tool', callId: 'x', name: 'Read', input: {}, state: 'done', output: '', ...more };
}

describe('the classic view', () => {
  it('tells thinking from the answer by a bar, where there are no colours too', () => {
    const thinking: Item = { kind: 'thinking', text: 'first I look\n\nthen I write' };
    expect(drawn(thinking)).toContain('   │ first I look\n   │\n   │ then I write');
    expect(drawn(thinking, { isThinkingHidden: true })).toContain('   │ Thought: first I look');
    expect(drawn({ kind: 'answer', text: 'done' })).toContain('\n   done');
  });

  it('shows a list of things to do with a sign for each state, not its arguments', () => {
    const todos = [
      { text: 'read it', status: 'completed' },
      { text: 'change it', status: 'in_progress' },
      { text: 'test it', status: 'pending' },
    ];
    const input = { todos: todos.map(({ text, status }) => ({ content: text, status })) };
    const shown = drawn(tool({ name: 'TodoWrite', input, display: { kind: 'todos', items: todos } }));
    expect(shown).toContain('✓ TodoWrite(3 todos)\n     │ ☑ read it\n     │ ◐ change it\n     │ ☐ test it');
  });

  it('says how much was read or found', () => {
    const input = { file_path: 'a.ts' };
    const file = { kind: 'file', path: 'a.ts', text: 'one\ntwo\n', firstLine: 1 } as const;
    expect(drawn(tool({ input, display: file }))).toContain('✓ Read(a.ts) 2 lines');
    const list = { kind: 'list', items: ['a.ts'], total: 1 } as const;
    expect(drawn(tool({ name: 'Glob', input: { pattern: '*' }, display: list }))).toContain(
      'Glob(*) 1 match',
    );
    const grep = tool({ name: 'Grep', input: { pattern: 'x' }, output: 'a.ts:1:x\nb.ts:2:x' });
    expect(drawn(grep)).toContain('✓ Grep(x) 2 lines');
  });

  it('says how many lines of an output are left out, and where all of it is', () => {
    const lines = Array.from({ length: 100 }, (_, index) => `y${index}`).join('\n');
    const kept = { command: 'yes', output: lines, exitCode: 0 } as const;
    const omitted = { lines: 900, note: 'full text in /tmp/out.txt' };
    const run = { ...kept, omitted, status: 'success', isPrivate: false } as const;
    const shell = drawn({ kind: 'shell', ...run });
    expect(shell).toContain('… 980 earlier lines; full text in /tmp/out.txt');
    const display = { kind: 'terminal', ...kept, omitted } as const;
    const call = drawn(tool({ name: 'Bash', input: { command: 'yes' }, output: lines, display }));
    expect(call).toContain('… 998 more lines; full text in /tmp/out.txt');
  });

  it('shows what failed first and the end of a failed command', () => {
    const output = ['> node --test', '', 'ok 1', 'not ok 2 - subtracts', '  expected: 3', '  actual: 4'];
    const sums = ['# tests 2', '# fail 1', '# skipped 0', '# todo 0', '# duration_ms 51'];
    const failed = tool({
      name: 'Bash',
      state: 'failed',
      input: { command: 'npm test' },
      output: [...output, ...sums].join('\n'),
    });
    expect(drawn(failed)).toContain(
      [
        '✗ Bash(npm test)',
        '     │ … 3 more lines',
        '     │ not ok 2 - subtracts',
        '     │   expected: 3',
        '     │   actual: 4',
        '     │ … 3 more lines',
        '     │ # todo 0',
        '     │ # duration_ms 51',
      ].join('\n'),
    );
    expect(drawn({ ...failed, state: 'done' })).toContain('… 9 more lines\n     │ # todo 0');
  });

  it('shows all of the reason why a call was denied', () => {
    const output = `Permission denied: ${'no rule allows it, '.repeat(20)}add Bash(npm test) to allow it.`;
    const shown = drawn(tool({ name: 'Bash', state: 'denied', input: { command: 'npm test' }, output }));
    const words = shown.replaceAll(/\s*\n\s*│ /g, ' ');
    expect(words).toContain(output);
    expect(shown).not.toContain('more line');
  });

  it('names the agent of a call and the tokens it used', () => {
    const input = { prompt: 'look', description: 'find it', subagent_type: 'Explore' };
    const display = { kind: 'text', text: 'found', tokens: 12_400 } as const;
    expect(drawn(tool({ name: 'Agent', input, display }))).toContain(
      '✓ Agent(find it) Explore, 12.4K tokens',
    );
    const other = tool({ name: 'Agent', input: { prompt: 'look' }, state: 'running' });
    expect(drawn(other)).toContain('Agent(look) general-purpose');
    const list = tool({ name: 'Agent', input: { task: { action: 'list' } } });
    expect(drawn(list)).not.toContain('general-purpose');
  });

  it('lets the lines of a list hang below their second column', () => {
    const text = `/skills\n  review   ${'looks at what was changed and '.repeat(4)}`;
    const rows = drawn({ kind: 'notice', level: 'info', text }).split('\n').slice(3);
    expect(rows.length).toBeGreaterThan(1);
    for (const row of rows) expect(row).toMatch(/^ {12}\S/);
  });
});
