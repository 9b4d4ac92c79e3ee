import type { JsonValue, ToolContext } from '@robota-sdk/agent-core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textOfOutput, toolContext } from '../bash/fixtures/tool-context.ts';
import { todos, todoWriteTool } from './todo-write-tool.ts';

async function write(value: JsonValue, context: ToolContext = toolContext()) {
  const parsed = todoWriteTool.input.parse(value);
  if (!parsed.ok) throw new Error(parsed.error);
  const output = await todoWriteTool.execute(parsed.value, context);
  return { ...output, text: textOfOutput(output), items: context.state.get(todos).items };
}

describe('TodoWrite', () => {
  it('replaces the whole list and answers with its counts', async () => {
    const context = toolContext();
    await write({ todos: [{ content: 'old', status: 'pending' }] }, context);
    const result = await write(
      {
        todos: [
          { content: 'read', status: 'completed' },
          { content: 'write', status: 'in_progress', activeForm: 'writing' },
          { content: 'test', status: 'pending' },
        ],
      },
      context,
    );
    expect(JSON.parse(result.text)).toEqual({ total: 3, completed: 1, inProgress: 1 });
    expect(result.items).toEqual([
      { id: '1', content: 'read', status: 'completed' },
      { id: '2', content: 'write', status: 'in_progress', activeForm: 'writing' },
      { id: '3', content: 'test', status: 'pending' },
    ]);
    expect(result.display).toEqual({
      kind: 'todos',
      items: [
        { text: 'read', status: 'completed' },
        { text: 'writing', status: 'in_progress' },
        { text: 'test', status: 'pending' },
      ],
    });
  });

  it('clears the list when it gets an empty one', async () => {
    const context = toolContext();
    await write({ todos: [{ content: 'a', status: 'pending' }] }, context);
    const result = await write({ todos: [] }, context);
    expect(result.items).toEqual([]);
    expect(JSON.parse(result.text)).toEqual({ total: 0, completed: 0, inProgress: 0 });
  });

  it('refuses two items with one id, also where one of them is a default', async () => {
    const context = toolContext();
    await write({ todos: [{ content: 'kept', status: 'pending' }] }, context);
    const twice = [
      { id: '2', content: 'a', status: 'pending' },
      { content: 'b', status: 'pending' },
    ];
    await expect(write({ todos: twice }, context)).rejects.toThrow('Two todos have the id "2"');
    expect(context.state.get(todos).items).toMatchObject([{ content: 'kept' }]);
  });

  it('refuses more than one item in progress and names them', async () => {
    const both = [
      { content: 'a', status: 'in_progress' },
      { content: 'b', status: 'in_progress' },
    ];
    await expect(write({ todos: both })).rejects.toThrow('2 todos are in_progress ("a", "b")');
  });

  it('names the field and the allowed words for a wrong status', async () => {
    const wrong = todoWriteTool.input.parse({ todos: [{ content: 'a', status: 'done' }] });
    expect(wrong).toMatchObject({ ok: false });
    expect(wrong.ok ? '' : wrong.error).toMatch(/todos\[0\]\.status.*"pending", "in_progress", "completed"/);
  });

  it('takes the names other tools use for the list, the content and the id', async () => {
    const result = await write({
      items: [
        { id: 7, text: 'a', status: 'pending' },
        { id: 8, title: 'b', status: 'completed' },
      ],
    });
    expect(result.items).toEqual([
      { id: '7', content: 'a', status: 'pending' },
      { id: '8', content: 'b', status: 'completed' },
    ]);
  });

  it('tells a subscriber of every new list before it answers', async () => {
    const context = toolContext();
    const saved: string[] = [];
    context.state.get(todos).onChange = async (items) => {
      await Promise.resolve();
      saved.push(items.map((item) => item.content).join());
    };
    await write({ todos: [{ content: 'a', status: 'pending' }] }, context);
    expect(saved).toEqual(['a']);
  });

  it('keeps every valid list as it is', async () => {
    const item = fc.record({
      content: fc.string({ minLength: 1 }),
      status: fc.constantFrom('pending', 'completed'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(item, { maxLength: 20 }), async (list) => {
        const { items } = await write({ todos: list });
        expect(items.map(({ content, status }) => ({ content, status }))).toEqual(list);
      }),
      { numRuns: 50 },
    );
  });

  it('tells the model to plan work of several steps with it, in few bytes', () => {
    expect(todoWriteTool.guideline).toMatch(/two or more steps/);
    const { name, description, input } = todoWriteTool;
    expect(JSON.stringify({ name, description, input: input.json }).length).toBeLessThanOrEqual(500);
  });
});
