import { computed, effect, signal } from '@preact/signals';
import type { BoardPage, BoardRow } from '../../contract/board.ts';
import { get, messageOf } from './api.ts';
import { connection, onStream } from './stream.ts';

/** The rows of the board by their ids; undefined until the first reply. */
export const boardRows = signal<ReadonlyMap<string, BoardRow> | undefined>(undefined);
export const boardError = signal<string | undefined>(undefined);
/** Trusted directories in which a session can be started. */
export const directories = signal<readonly string[]>([]);
export const today = signal<BoardPage['today'] | undefined>(undefined);

/** The rows of a column: those that wait longest first, or those that ended last; running ones keep their order. */
export function rowsOf(column: BoardRow['column']): readonly BoardRow[] {
  const rows = [...(boardRows.value?.values() ?? [])].filter((row) => row.column === column);
  if (column === 'needs-you') return rows.sort((a, b) => (a.asks?.since ?? 0) - (b.asks?.since ?? 0));
  return column === 'running' ? rows : rows.sort((a, b) => b.modified - a.modified);
}

/** How many sessions wait for the user. */
export const needsYou = computed(() => rowsOf('needs-you').length);

/** Reads the board again. */
export async function loadBoard(): Promise<void> {
  try {
    const page = await get<BoardPage>('/api/board');
    boardRows.value = new Map(page.rows.map((row) => [row.id, row]));
    today.value = page.today;
    directories.value = page.directories;
    boardError.value = undefined;
  } catch (error) {
    boardError.value = messageOf(error);
  }
}

/** Keeps the board up to date: rows come by the stream, and all of them after each connection. */
export function startBoard(): void {
  onStream((event) => {
    if (event.type !== 'board' || boardRows.value === undefined) return;
    const rows = new Map(boardRows.value);
    for (const id of event.gone) rows.delete(id);
    for (const row of event.rows) rows.set(row.id, row);
    boardRows.value = rows;
  });
  effect(() => {
    if (connection.value.state === 'live') void loadBoard();
  });
}

/** The screen that a row opens. */
export function addressOf(row: BoardRow): string {
  const id = encodeURIComponent(row.id);
  if (row.kind === 'task') return row.column === 'to-review' ? `/tasks/${id}/review` : '/fleet';
  if (row.column === 'needs-you') return `/s/${id}/question`;
  return row.column === 'to-review' ? `/s/${id}/review` : `/s/${id}`;
}
