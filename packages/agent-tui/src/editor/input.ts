import type { RenderStyle } from '../components/render-style.ts';
import type { InputEvent } from '../input/input-event.ts';
import type { Keybindings } from '../keys/keybindings.ts';
import type { Focusable } from '../text/component.ts';
import { cursorMark, textWidth } from '../text/styled-text.ts';
import { truncateText } from '../text/truncate-text.ts';
import { applyEditorAction, editorActionIds } from './editor-actions.ts';
import { clustersOf, previousColumn, snapColumn } from './text/cluster.ts';
import { displayCell } from './text/display-cell.ts';
import { typeText } from './text/edit-text.ts';
import { applyEdit, type EditorState, emptyEditorState } from './text/editor-state.ts';

/** Options of an {@link Input}. */
export interface InputOptions {
  readonly keybindings: Keybindings;
  readonly look: RenderStyle;
  readonly onSubmit?: (value: string) => void;
  readonly onCancel?: () => void;
  readonly onChange?: () => void;
  readonly prompt?: string;
  readonly placeholder?: string;
  /** Shows a sign for every character, for keys and passwords. */
  readonly isMasked?: boolean;
}

/** Keys that would need another line are not for a field. */
const actionIds = editorActionIds.filter(
  (id) => !/\.(?:cursorUp|cursorDown|pageUp|pageDown|newLine)$/.test(id),
);
const room = { columns: 80, rows: 1 };

/** A field of one line. */
export class Input implements Focusable {
  isFocused = false;
  readonly #options: InputOptions;
  #state = emptyEditorState();
  /** The place of the first character in sight. */
  #first = 0;

  constructor(options: InputOptions) {
    this.#options = options;
  }

  get value(): string {
    return this.#state.buffer.text;
  }

  /** Puts another value in place; it can be undone. */
  set value(value: string) {
    const range = { start: { line: 0, column: 0 }, end: this.#state.buffer.end };
    this.#state = applyEdit(this.#state, { range, text: inOneLine(value) });
  }

  handleInput(event: InputEvent): boolean {
    if (event.type === 'paste') return this.#paste(event.text);
    if (event.type !== 'key' || event.action === 'release') return false;
    const { keybindings, onSubmit, onCancel } = this.#options;
    const command = keybindings.find(event, ['tui.input.submit', 'tui.select.cancel']);
    if (command) return this.#tell(command === 'tui.input.submit' ? () => onSubmit?.(this.value) : onCancel);
    const action = keybindings.find(event, actionIds);
    if (action) return this.#take(applyEditorAction(this.#state, action, room));
    return event.text !== '' && this.#take(typeText(this.#state, inOneLine(event.text)));
  }

  render(width: number): readonly string[] {
    const { prompt = '> ', placeholder = '', look } = this.#options;
    const columns = Math.max(2, width - textWidth(prompt));
    const mark = this.isFocused ? cursorMark : '';
    if (this.value !== '') return [prompt + this.#window(columns, mark)];
    const hint = truncateText(placeholder, columns - 1, look.glyphs.ellipsis);
    return [prompt + mark + (hint === '' ? '' : look.paint('dim', hint))];
  }

  #paste(text: string): boolean {
    const { caret } = this.#state;
    const pasted = inOneLine(text.replace(/(?<![\r\n])[\r\n]+$/, ''));
    return this.#take(applyEdit(this.#state, { range: { start: caret, end: caret }, text: pasted }));
  }

  #tell(listener: (() => void) | undefined): boolean {
    listener?.();
    return listener !== undefined;
  }

  #take(state: EditorState): boolean {
    this.#state = state;
    this.#options.onChange?.();
    return true;
  }

  /** The part of the value around the caret. It stays where it is until the caret leaves it, then the caret is in its middle. */
  #window(columns: number, mark: string): string {
    const line = this.#state.buffer.line(0);
    const caret = this.#state.caret.column;
    const isFitting = line.length <= columns * 8 && this.#widthOf(line) < columns;
    if (isFitting) this.#first = 0;
    else if (!this.#isInSight(columns)) this.#first = this.#placeBefore(caret, Math.floor(columns / 2));
    const before = this.#shown(line.slice(this.#first, caret));
    const behind = this.#shown(line.slice(caret, caret + columns * 8));
    return before + mark + truncateText(behind, columns - textWidth(before), '');
  }

  #isInSight(columns: number): boolean {
    const { column } = this.#state.caret;
    const line = this.#state.buffer.line(0);
    if (this.#first > column || column - this.#first > columns * 8) return false;
    const isBetween = snapColumn(line, this.#first) === this.#first;
    const end = line.slice(this.#first, this.#first + columns * 8);
    const isFilled = this.#first === 0 || this.#widthOf(end) >= Math.floor(columns / 2);
    return isBetween && isFilled && this.#widthOf(line.slice(this.#first, column)) < columns;
  }

  /** The place so many columns before another. */
  #placeBefore(column: number, width: number): number {
    const line = this.#state.buffer.line(0);
    let place = column;
    let taken = 0;
    while (place > 0) {
      const previous = previousColumn(line, place);
      taken += this.#widthOf(line.slice(previous, place));
      if (taken > width) break;
      place = previous;
    }
    return place;
  }

  #widthOf(text: string): number {
    return textWidth(this.#shown(text));
  }

  #shown(text: string): string {
    const { isMasked } = this.#options;
    const clusters = clustersOf(text);
    if (isMasked) return '*'.repeat(clusters.length);
    let column = 0;
    let shown = '';
    for (const { start, end } of clusters) {
      const cell = displayCell(text.slice(start, end), {
        column,
        limit: Number.MAX_SAFE_INTEGER,
        tokens: [],
      });
      shown += cell.text;
      column += cell.width;
    }
    return shown;
  }
}

function inOneLine(text: string): string {
  return text.replace(/[\r\n]+/g, ' ').replace(/\p{Surrogate}/gu, '\ufffd');
}
