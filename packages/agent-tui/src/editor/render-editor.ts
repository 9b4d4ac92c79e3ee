import { oneLine, type RenderStyle } from '../components/render-style.ts';
import type { ScreenSize } from '../frame/screen.ts';
import { cursorMark, textWidth } from '../text/styled-text.ts';
import { truncateText } from '../text/truncate-text.ts';
import type { CompletionPopup } from './autocomplete/completion-popup.ts';
import { renderPopup } from './autocomplete/render-popup.ts';
import { type EditorView, viewEditor } from './editor-view.ts';
import type { HistorySearch } from './history-search.ts';
import type { EditorState } from './text/editor-state.ts';
import type { EditorSize, RowPosition } from './text/move-vertically.ts';
import type { Range } from './text/position.ts';

/** Everything an editor shows. */
export interface EditorContent {
  readonly state: EditorState;
  readonly look: RenderStyle;
  readonly isFocused: boolean;
  readonly top: RowPosition | undefined;
  readonly maxRows: number;
  readonly popupRows: number;
  readonly placeholder: string;
  readonly prompt: string;
  readonly borderStyle: (text: string) => string;
  readonly selection: Range | undefined;
  readonly search: HistorySearch | undefined;
  readonly popup: CompletionPopup | undefined;
  /** A word at the end of the lower border, such as the mode of vim. */
  readonly note: string;
}

/** The lines of an editor, and the first row of its text for the next time. */
export interface DrawnEditor {
  readonly lines: readonly string[];
  readonly top: RowPosition;
}

/** The room that is left for the text beside the prompt. */
export function editorSize(width: number, scene: Pick<EditorContent, 'prompt' | 'maxRows'>): EditorSize {
  return { columns: Math.max(3, width - textWidth(scene.prompt)), rows: Math.max(1, scene.maxRows) };
}

/** Draws an editor between two borders, with suggestions or a search below. */
export function renderEditor(scene: EditorContent, width: number): DrawnEditor {
  const { state, look, search } = scene;
  const hasCaret = scene.isFocused && !search;
  const view = viewEditor(state, editorSize(width, scene), {
    top: scene.top,
    selection: scene.selection,
    mark: hasCaret ? cursorMark : '',
  });
  const { up, down } = look.glyphs;
  const lines = [
    border(scene, width, view.linesAbove > 0 ? ` ${up} ${view.linesAbove} ` : ''),
    ...textLines(scene, view, width),
    border(scene, width, (view.linesBelow > 0 ? ` ${down} ${view.linesBelow} ` : '') + scene.note),
    ...(search ? [searchLine(scene, search, width)] : []),
    ...(scene.popup ? renderPopup(scene.popup, { columns: width, rows: scene.popupRows, look }) : []),
  ];
  return { lines, top: view.top };
}

function textLines(
  { state, look, placeholder, prompt }: EditorContent,
  view: EditorView,
  width: number,
): string[] {
  const indent = ' '.repeat(textWidth(prompt));
  const shown = truncateText(oneLine(placeholder), width - indent.length - 1, look.glyphs.ellipsis);
  const hint = state.buffer.isEmpty && placeholder !== '' ? look.paint('dim', shown) : '';
  const isAtTop = view.linesAbove === 0 && view.top.row === 0;
  return view.rows.map((row, index) => (index === 0 && isAtTop ? prompt : indent) + row + hint);
}

function border({ look, borderStyle }: EditorContent, width: number, note: string): string {
  const line = look.glyphs.horizontal;
  const told = truncateText(note, Math.max(0, width - 2));
  if (told === '') return borderStyle(line.repeat(width));
  const rest = width - textWidth(told) - 2;
  return borderStyle(
    line.repeat(Math.max(0, rest)) + told + line.repeat(Math.min(2, width - textWidth(told))),
  );
}

function searchLine({ look, isFocused }: EditorContent, search: HistorySearch, width: number): string {
  const label = search.isFailed ? ' nothing found: ' : ' history search: ';
  const query = oneLine(search.query);
  const room = Math.max(1, width - textWidth(label) - 1);
  // The end of a long query is what one is typing.
  let shown = query;
  while (textWidth(shown) > room) shown = [...shown].slice(1).join('');
  const mark = isFocused ? cursorMark : '';
  return truncateText(look.paint(search.isFailed ? 'warning' : 'muted', label), width) + shown + mark;
}

/** Options of {@link renderDraft}. */
export interface DraftViewOptions {
  readonly size: ScreenSize;
  readonly isFocused: boolean;
  readonly prompt?: string;
}

/** Draws the rows of an editor's text around the caret, without borders or suggestions. */
export function renderDraft(
  state: EditorState,
  { size, isFocused, prompt = ' > ' }: DraftViewOptions,
): readonly string[] {
  const room = { columns: Math.max(3, size.columns - textWidth(prompt)), rows: Math.max(1, size.rows) };
  const { rows } = viewEditor(state, room, { mark: isFocused ? cursorMark : '' });
  return rows.map((row, index) => (index === 0 ? prompt : ' '.repeat(textWidth(prompt))) + row);
}
