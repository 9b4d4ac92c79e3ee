import { createLook, plainText } from '@robota-sdk/agent-tui';
import { describe, expect, it } from 'vitest';
import type { Item, ToolItem } from './item.ts';
import { type ItemView, renderItem } from './render-item.ts';

function drawn(item: Item, view: Partial<ItemView> = {}): string {
  const lines = renderItem(item, {
    look: createLook(),
    columns: 60,
    previous: { kind: 'tool' },
    ...view,
  });
  return lines.map((line) => plainText(line).trimEnd()).join('\n');
}

function tool(more: Partial<ToolItem>): ToolItem {
  return { kind: 'tool', callId: 'x', name: 'Read', input: {}, status: 'success', output: '', ...more };
}

describe('renderItem', () => {
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
    const mark = '[... 9000 characters (850 lines) left out; the full text is in /tmp/out.txt ...]';
    const output = `${lines}\n\n${mark}\n\n${lines}`;
    const shell = drawn({ kind: 'shell', command: 'yes', output, exitCode: 0 });
    expect(shell).toMatch(/… 10\d\d earlier lines; the full text is in\s+│? ?\/tmp\/out\.txt/);
    const call = drawn(tool({ name: 'Bash', input: { command: 'yes' }, output }));
    expect(call).toMatch(/… 10\d\d more lines; the full text is in/);
  });

  it('lets the lines of a list hang below their second column', () => {
    const text = `/skills\n  review   ${'looks at what was changed and '.repeat(4)}`;
    const rows = drawn({ kind: 'notice', level: 'info', text }).split('\n').slice(3);
    expect(rows.length).toBeGreaterThan(1);
    for (const row of rows) expect(row).toMatch(/^ {12}\S/);
  });
});
