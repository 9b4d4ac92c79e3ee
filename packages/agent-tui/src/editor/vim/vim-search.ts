import { previousColumn } from '../text/cluster.ts';
import { columnOfCharacter, lastColumnOfCharacter } from '../text/jump-to-character.ts';
import type { Position } from '../text/position.ts';
import type { TextBuffer } from '../text/text-buffer.ts';
import type { VimState } from './vim-state.ts';

/** Handles a key while a search is typed after `/`. */
export function typeSearch(vim: VimState, key: string): { readonly vim: VimState; readonly isDone: boolean } {
  const query = vim.search ?? '';
  if (key === 'enter') {
    const lastSearch = query === '' ? vim.lastSearch : query;
    return { vim: { ...vim, search: undefined, lastSearch }, isDone: true };
  }
  if (key !== 'backspace') return { vim: { ...vim, search: query + key }, isDone: false };
  const shorter = query === '' ? undefined : query.slice(0, previousColumn(query, query.length));
  return { vim: { ...vim, search: shorter }, isDone: false };
}

/** The next occurrence of a text after or before a position; the search wraps around. */
export function findText(
  buffer: TextBuffer,
  from: Position,
  { query, direction }: TextSearch,
): Position | undefined {
  const isForward = direction === 'forward';
  for (let step = 0; step <= buffer.lineCount; step++) {
    const line = (from.line + (isForward ? step : -step) + buffer.lineCount) % buffer.lineCount;
    const text = buffer.line(line);
    const column = isForward
      ? columnOfCharacter(text, query, step === 0 ? from.column + 1 : 0)
      : lastColumnOfCharacter(text, query, step === 0 ? from.column - 1 : text.length);
    if (column >= 0) return { line, column };
  }
  return undefined;
}

interface TextSearch {
  readonly query: string;
  readonly direction: 'forward' | 'backward';
}
