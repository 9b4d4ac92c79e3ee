import { anthropicReply } from '@robota-sdk/agent-testing';
import { describe, expect, it } from 'vitest';
import { expectScreen, hangingAnswer, keys, openShop, sizes, tuiHarness } from './tui.ts';

const desk = tuiHarness(openShop);

const todos = [
  { content: 'Read the cart', status: 'completed' },
  { content: 'Reproduce the failure', status: 'completed' },
  { content: 'Apply the tax in total()', activeForm: 'Applying the tax in total()', status: 'in_progress' },
  { content: 'Add tests for 0 % and 19 %', status: 'pending' },
  { content: 'Update the docs', status: 'pending' },
  { content: 'Open a pull request', status: 'pending' },
];
const write = (items: readonly object[], id: string) =>
  anthropicReply({ toolCalls: [{ name: 'TodoWrite', input: { todos: items }, id }] });
const isAbove = (rows: readonly string[], first: RegExp, second: RegExp) =>
  rows.findLastIndex((row) => first.test(row)) < rows.findLastIndex((row) => second.test(row));

describe.each(sizes)('the todo list at $columns×$rows', (size) => {
  it('stays above the working line, and /todo folds it to its current row', async () => {
    desk.stage.server.reply(write(todos, 'toolu_1'), hangingAnswer(['I work on it.']));
    const tui = await desk.open([], size);
    tui.type(`fix the total${keys.enter}`);
    await tui.shows('I work on it.');
    const rows = await tui.viewport();
    expect(isAbove(rows, /Open a pull request +2 of 6/, /esc interrupt/)).toBe(true);
    await expectScreen(tui, 'todos', desk.stage);
    tui.type(`/todo${keys.enter}`);
    await tui.shows(/⟳ Applying the tax in total\(\) +2 of 6/);
    await expectScreen(tui, 'todos-folded', desk.stage);
    tui.type(keys.escape);
    await tui.shows('Interrupted.');
  });
});

describe('the todo list', () => {
  it('is gone once all of it is done', async () => {
    const done = todos.map((todo) => ({ ...todo, status: 'completed' }));
    desk.stage.server.reply(
      write(todos, 'toolu_1'),
      write(done, 'toolu_2'),
      anthropicReply({ text: 'All done.' }),
    );
    const tui = await desk.open();
    tui.type(`fix the total${keys.enter}`);
    await tui.shows('All done.');
    await tui.shows(/\[2 tools\]|2 calls/);
    expect((await tui.viewport()).join('\n')).not.toMatch(/\d of 6/);
    tui.type(`/todo${keys.enter}`);
    await tui.shows('[x] Apply the tax in total()');
  });

  it('is a list of boxes where there is no screen', async () => {
    desk.stage.server.reply(write(todos, 'toolu_1'), anthropicReply({ text: 'Later.' }));
    await desk.stage.robota(['-p', 'plan it']);
    const { stdout } = await desk.stage.robota(['-p', '-c', '/todo']);
    expect(stdout).toContain('[x] Reproduce the failure\n[~] Apply the tax in total()\n[ ] Add tests');
  });
});
