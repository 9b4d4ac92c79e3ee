import type { ScreenSize } from '../frame/screen.ts';
import { cursorMark, textWidth } from '../text/styled-text.ts';
import { viewEditor } from './editor-view.ts';
import type { EditorState } from './text/editor-state.ts';

/** What is shown of a draft, and whether the cursor is in it. */
export interface DraftViewOptions {
  readonly size: ScreenSize;
  readonly isFocused: boolean;
}

const prompt = ' > ';

/** Draws the rows of an editor's text around the caret, without borders or suggestions. */
export function renderDraft(state: EditorState, { size, isFocused }: DraftViewOptions): readonly string[] {
  const room = { columns: Math.max(3, size.columns - textWidth(prompt)), rows: Math.max(1, size.rows) };
  const { rows } = viewEditor(state, room, { mark: isFocused ? cursorMark : '' });
  return rows.map((row, index) => (index === 0 ? prompt : ' '.repeat(textWidth(prompt))) + row);
}
