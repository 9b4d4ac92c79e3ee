import { computed, signal } from '@preact/signals';
import type { BoardRow } from '../../contract/board.ts';
import { rowsOf } from '../base/board-store.ts';
import { projectOf } from '../base/format.ts';
import type { Status } from '../components/status.tsx';

export type ColumnName = BoardRow['column'];

/** The columns of the board, from left to right. */
export const columns = [
  { name: 'needs-you', title: 'Needs you', short: 'Needs you', status: 'need' },
  { name: 'running', title: 'Running', short: 'Running', status: 'running' },
  { name: 'to-review', title: 'To review', short: 'Review', status: 'review' },
  { name: 'done', title: 'Done', short: 'Done', status: 'ok' },
] as const satisfies readonly {
  readonly name: ColumnName;
  readonly title: string;
  readonly short: string;
  readonly status: Status;
}[];

/** The text that cards must have. */
export const filter = signal('');
/** The column that a phone shows; undefined until the user chose one. */
export const phoneColumn = signal<ColumnName | undefined>(undefined);
export const showsAllDone = signal(false);

const shownDone = 6;

/** The cards of each column that pass the filter. */
export const cardsByColumn = computed(() => {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  return new Map(columns.map(({ name }) => [name, rowsOf(name).filter((row) => passes(row, words))]));
});

/** The cards of a column that are drawn. */
export function shownCards(name: ColumnName): readonly BoardRow[] {
  const cards = cardsByColumn.value.get(name) ?? [];
  return name === 'done' && !showsAllDone.value ? cards.slice(0, shownDone) : cards;
}

function passes(row: BoardRow, words: readonly string[]): boolean {
  const text = [
    row.title,
    row.cwd,
    projectOf(row.cwd),
    row.branch ?? '',
    row.model,
    row.lastLine,
    row.asks?.text ?? '',
    row.kind === 'task' ? 'fleet' : '',
  ]
    .join('\n')
    .toLowerCase();
  return words.every((word) => text.includes(word));
}

/** The card above, below, left or right of another; the first card if there is none to start from. */
export function neighbourOf(
  id: string | undefined,
  move: 'up' | 'down' | 'left' | 'right',
): string | undefined {
  const grid = columns.map(({ name }) => shownCards(name).map((row) => row.id));
  const column = grid.findIndex((ids) => id !== undefined && ids.includes(id));
  if (column < 0) return grid.find((ids) => ids.length > 0)?.[0];
  const here = grid[column] ?? [];
  const row = here.indexOf(id ?? '');
  if (move === 'up' || move === 'down') return here[row + (move === 'down' ? 1 : -1)] ?? id;
  const beside = move === 'left' ? grid.slice(0, column).reverse() : grid.slice(column + 1);
  const target = beside.find((ids) => ids.length > 0);
  return target?.[Math.min(row, target.length - 1)] ?? id;
}
