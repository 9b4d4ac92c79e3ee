import type { InteractiveSession } from '@robota-sdk/agent-sdk/front-end';
import { bold, oneLine, textWidth, truncateText } from '@robota-sdk/agent-tui';
import type { AppStyle } from '../theme/app-tokens.ts';

type Todo = InteractiveSession['todos'][number];

export interface TodosView {
  readonly look: AppStyle;
  readonly columns: number;
  /** Only the current row, for low screens. */
  readonly isLow: boolean;
}

/** The most rows of the list. */
const mostRows = 5;
/** Columns between the longest row and the count. */
const gap = 4;

/** The sessions whose list is folded to its current row. */
const folded = new WeakSet<InteractiveSession>();

/** Folds the list of a session to its current row, or unfolds it; tells whether it is folded now. */
export function toggleTodos(session: InteractiveSession): boolean {
  if (folded.delete(session)) return false;
  folded.add(session);
  return true;
}

/** The todo list above the working line, while it has open items: done ones dim, the current one bold. */
export function renderTodos(session: InteractiveSession | undefined, view: TodosView): readonly string[] {
  const todos = session?.todos ?? [];
  if (!session || todos.every(({ status }) => status === 'completed')) return [];
  const { look, columns } = view;
  const shown = shownOf(todos, view.isLow || folded.has(session) ? 1 : mostRows);
  const done = todos.filter(({ status }) => status === 'completed').length;
  const count = `${done} of ${todos.length}`;
  const room = Math.max(1, columns - 4 - gap - count.length);
  const texts = shown.map((todo) => truncateText(textOf(todo), room, look.glyphs.ellipsis));
  const width = Math.max(...texts.map(textWidth)) + gap;
  return shown.map((todo, index) => {
    const text = texts[index] ?? '';
    const isLast = index === shown.length - 1;
    const filled = ' '.repeat(isLast ? width - textWidth(text) : 0);
    const end = isLast ? look.paint('dim', filled + count) : '';
    return `  ${painted(todo, text, look)}${end}`;
  });
}

/** The rows around the current one: as few done ones as possible, but the last of them. */
function shownOf(todos: readonly Todo[], most: number): readonly Todo[] {
  const active = todos.findIndex(({ status }) => status === 'in_progress');
  const current = active < 0 ? todos.findIndex(({ status }) => status === 'pending') : active;
  if (most === 1) return todos.slice(current, current + 1);
  const start = Math.max(0, Math.min(current - 1, todos.length - most));
  return todos.slice(start, start + most);
}

function textOf({ status, content, activeForm }: Todo): string {
  return oneLine(status === 'in_progress' ? (activeForm ?? content) : content);
}

function painted({ status }: Todo, text: string, { glyphs, paint }: AppStyle): string {
  if (status === 'completed') return paint('dim', `${glyphs.success} ${text}`);
  if (status === 'in_progress') return `${paint('warning', glyphs.running)} ${paint('text', bold(text))}`;
  return `${paint('muted', glyphs.pending)} ${paint('text', text)}`;
}
