import { computed, effect, signal } from '@preact/signals';
import type { BoardPage, BoardRow } from '../../contract/board.ts';
import type { StreamEvent } from '../../contract/stream.ts';
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
  if (column === 'running') return rows.sort((a, b) => Number(a.waits ?? false) - Number(b.waits ?? false));
  return rows.sort((a, b) => b.modified - a.modified);
}

/** How many sessions wait for the user. */
export const needsYou = computed(() => rowsOf('needs-you').length);

type BoardChange = Extract<StreamEvent, { type: 'board' }>;

/** Changes that came while a reply was on its way, which may not know of them; one list for each request. */
const unseen = new Set<BoardChange[]>();

function withChange(known: ReadonlyMap<string, BoardRow>, { rows, gone }: BoardChange) {
  const changed = new Map(known);
  for (const id of gone) changed.delete(id);
  for (const row of rows) changed.set(row.id, row);
  return changed;
}

/** Reads the board again. */
export async function loadBoard(): Promise<void> {
  const changes: BoardChange[] = [];
  unseen.add(changes);
  try {
    const page = await get<BoardPage>('/api/board');
    boardRows.value = changes.reduce(withChange, new Map(page.rows.map((row) => [row.id, row])));
    const cost = changes.findLast(({ spent }) => spent !== undefined)?.spent ?? page.today.cost;
    today.value = { ...page.today, cost };
    directories.value = page.directories;
    boardError.value = undefined;
  } catch (error) {
    boardError.value = messageOf(error);
  } finally {
    unseen.delete(changes);
  }
}

/** Keeps the board up to date: rows come by the stream, and all of them after each connection. */
export function startBoard(): void {
  onStream((event) => {
    if (event.type !== 'board') return;
    for (const changes of unseen) changes.push(event);
    if (boardRows.value) boardRows.value = withChange(boardRows.value, event);
    if (today.value && event.spent !== undefined) today.value = { ...today.value, cost: event.spent };
  });
  effect(() => {
    if (connection.value.state === 'live') void loadBoard();
  });
}

/** The screen of the review: the only one that waits, or the list. */
export function reviewAddress(): string {
  const [first, ...others] = rowsOf('to-review');
  return first && others.length === 0 ? addressOf(first) : '/review';
}

/** The screen that a row opens. */
export function addressOf(row: BoardRow): string {
  const id = encodeURIComponent(row.id);
  if (row.kind === 'task') return row.column === 'to-review' ? `/tasks/${id}/review` : `/fleet#task-${id}`;
  if (row.column === 'needs-you') return `/s/${id}/question`;
  return row.column === 'to-review' ? `/s/${id}/review` : `/s/${id}`;
}
