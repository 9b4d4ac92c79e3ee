import type { InteractiveSession } from '@robota-sdk/agent-sdk/front-end';
import { createRenderStyle, plainText, textWidth } from '@robota-sdk/agent-tui';
import { describe, expect, it } from 'vitest';
import type { AppToken } from '../theme/app-tokens.ts';
import { renderTodos, toggleTodos } from './render-todos.ts';

const look = createRenderStyle<AppToken>({ isAscii: false });

type Statuses = readonly ('completed' | 'in_progress' | 'pending')[];

function sessionWith(statuses: Statuses, word = 'item'): InteractiveSession {
  const todos = statuses.map((status, index) => ({ id: `${index}`, content: `${word} ${index}`, status }));
  return { todos } as unknown as InteractiveSession;
}

const drawn = (session: InteractiveSession | undefined, columns = 80, isLow = false) =>
  renderTodos(session, { look, columns, isLow }).map(plainText);

describe('the rows of the todo list', () => {
  it('are none without a session, without items and when all are done', () => {
    expect(drawn(undefined)).toEqual([]);
    expect(drawn(sessionWith([]))).toEqual([]);
    expect(drawn(sessionWith(['completed', 'completed']))).toEqual([]);
  });

  it('name every state with a glyph, and count in the last row', () => {
    expect(drawn(sessionWith(['completed', 'in_progress', 'pending']))).toEqual([
      '  ✓ item 0',
      '  ⟳ item 1',
      '  ○ item 2    1 of 3',
    ]);
  });

  it('are at most five, with the current one among them', () => {
    const many = (current: number): Statuses =>
      Array.from({ length: 12 }, (_, at) =>
        at < current ? 'completed' : at === current ? 'in_progress' : 'pending',
      );
    for (let current = 0; current < 12; current++) {
      const rows = drawn(sessionWith(many(current)));
      expect(rows).toHaveLength(5);
      expect(rows.filter((row) => row.includes(`⟳ item ${current}`))).toHaveLength(1);
      expect(rows.at(-1)).toContain(`${current} of 12`);
    }
  });

  it('are one where it is folded or the screen is low; the next item stands for a current one', () => {
    const session = sessionWith(['completed', 'pending', 'pending']);
    expect(drawn(session, 80, true)).toEqual(['  ○ item 1    1 of 3']);
    expect(toggleTodos(session)).toBe(true);
    expect(drawn(session)).toEqual(['  ○ item 1    1 of 3']);
    expect(toggleTodos(session)).toBe(false);
    expect(drawn(session)).toHaveLength(3);
  });

  it('never are wider than the screen', () => {
    const session = sessionWith(['in_progress', 'pending'], '日本語のとても長い項目 '.repeat(9));
    for (const columns of [20, 40, 79])
      for (const row of renderTodos(session, { look, columns, isLow: false }))
        expect(textWidth(row)).toBeLessThanOrEqual(columns);
  });
});
