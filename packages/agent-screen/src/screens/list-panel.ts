import {
  type Component,
  Input,
  type InputEvent,
  isFocusable,
  type KeyEvent,
  renderKeyHints,
  type SelectItem,
  SelectList,
  textWidth,
} from '@robota-sdk/agent-tui';
import { LastLine } from '../bars/last-line.ts';
import { renderScreenTitle } from '../bars/screen-title.ts';
import type { AppAction } from '../keys/app-actions.ts';
import type { Panel, Stage } from '../stage/stage.ts';

/** A key and what it does, for the last line. */
interface Hint {
  /** The bound action, or the key itself if it is fixed. */
  readonly action?: AppAction;
  readonly keys?: string;
  readonly text: string;
}

/** Options and callbacks of a list. */
export interface ListPanelOptions<Value> {
  readonly stage: Pick<Stage, 'look' | 'keys' | 'refresh'>;
  readonly title: string;
  /** Stands at the right end of the title. */
  readonly note?: () => string;
  readonly items: readonly SelectItem<Value>[];
  /** The search: in the list, or by a callback. */
  readonly search?: 'list' | ((words: string) => void);
  readonly emptyText?: string;
  readonly hints?: readonly Hint[];
  /** Lines above the list. */
  readonly head?: (width: number) => readonly string[];
  /** Lines below the list about what is selected. */
  readonly detail?: (value: Value, width: number) => readonly string[];
  /** Lines beside the list about what is selected, where there is room. */
  readonly aside?: (value: Value, width: number) => readonly string[];
  /** Takes keys before the list does; true if that was for it. */
  readonly onKey?: (event: KeyEvent) => boolean;
  readonly onChange?: (value: Value) => void;
  readonly onSelect: (value: Value) => void;
  onCancel(): void;
}

/** The fewest rows of a list that tell anything. */
const leastRows = 3;
/** The columns from which there is room beside the list. */
const asideColumns = 100;
const listShare = 0.62;

/** A list to choose from, with a title, a field for words to look for, and what keys do. */
export class ListPanel<Value> implements Panel {
  rows = 16;
  title: string;
  readonly lastLine: LastLine;
  #isFocused = true;
  readonly #options: ListPanelOptions<Value>;
  readonly #list: SelectList<Value>;
  /** The input of an external search. */
  readonly #words: Input | undefined;
  /** A field instead of the list. */
  #inner: Component | undefined;
  #listRows = 10;

  constructor(options: ListPanelOptions<Value>) {
    this.#options = options;
    this.title = options.title;
    this.lastLine = new LastLine(options.stage);
    const { items, onSelect, onChange, search, emptyText, stage } = options;
    const listRows = () => this.#listRows;
    this.#list = new SelectList({
      items,
      look: stage.look,
      keys: stage.keys,
      matching: 'fuzzy',
      hasSearch: search === 'list',
      get rows() {
        return listRows();
      },
      ...(emptyText === undefined ? {} : { emptyText }),
      onChange: ({ value }) => onChange?.(value),
      onSelect: ({ value }) => onSelect(value),
      onCancel: () => options.onCancel(),
    });
    if (typeof search === 'function') this.#words = this.#wordsField(search);
    this.isFocused = true;
  }

  get isFocused(): boolean {
    return this.#isFocused;
  }

  set isFocused(isFocused: boolean) {
    this.#isFocused = isFocused;
    this.#list.isFocused = isFocused;
    if (this.#words) this.#words.isFocused = isFocused;
    if (this.#inner && isFocusable(this.#inner)) this.#inner.isFocused = isFocused;
  }

  get selected(): Value | undefined {
    return this.#list.selected?.value;
  }

  /** The search text. */
  get query(): string {
    return this.#words?.value ?? this.#list.query;
  }

  setItems(items: readonly SelectItem<Value>[]): void {
    this.#list.setItems(items);
    this.#options.stage.refresh();
  }

  select(value: Value): void {
    this.#list.select(value);
  }

  /** Shows a field instead of the list; without one the list is back. */
  show(inner: Component | undefined): void {
    this.#inner = inner;
    this.isFocused = this.#isFocused;
    this.#options.stage.refresh();
  }

  cancel(): void {
    this.#options.onCancel();
  }

  handleInput(event: InputEvent): boolean {
    if (this.#inner) return this.#inner.handleInput?.(event) ?? false;
    const isKey = event.type === 'key' && event.action !== 'release';
    if (isKey && this.lastLine.handleKey(event)) return true;
    if (isKey && this.#options.onKey?.(event)) return true;
    return this.#list.handleInput(event) || (this.#words?.handleInput(event) ?? false);
  }

  render(width: number): readonly string[] {
    const { note, stage } = this.#options;
    const title = renderScreenTitle({ title: this.title, notes: [note?.() ?? ''] }, width, stage.look);
    if (this.#inner) return [title, ...this.#inner.render(width)].slice(0, Math.max(1, this.rows));
    const words = this.#words?.render(width) ?? [];
    const foot = this.#foot(width);
    const head = this.#options.head?.(width) ?? [];
    const own = 1 + words.length + foot.length + (this.#options.search === 'list' ? 1 : 0);
    // The place in a long list takes a row, too.
    const room = Math.max(leastRows, this.rows - own - 1);
    const shownHead = head.slice(0, Math.max(0, room - leastRows));
    const detail = this.#detail(width, Math.floor((room - shownHead.length) / 2));
    this.#listRows = Math.max(1, room - shownHead.length - detail.length);
    const list = this.#listBesides(width);
    const all = [title, ...shownHead, ...words, ...list, ...detail, ...foot];
    return all.length <= this.rows ? all : this.#tight([title, ...words, ...list], foot);
  }

  /** The list, and what is known of the selected row at its right. */
  #listBesides(width: number): readonly string[] {
    const { aside, stage } = this.#options;
    const { selected } = this;
    if (!aside || width < asideColumns || selected === undefined) return this.#list.render(width);
    const left = Math.floor(width * listShare);
    const list = this.#list.render(left);
    const { look } = stage;
    const lines = aside(selected, width - left - 3).slice(0, this.#listRows);
    const edge = look.paint('border', look.glyphs.vertical);
    const rows = Math.max(list.length, lines.length);
    return Array.from({ length: rows }, (_, index) => {
      const row = list[index] ?? '';
      return `${row}${' '.repeat(Math.max(0, left - textWidth(row)))} ${edge} ${lines[index] ?? ''}`;
    });
  }

  /** If space is short, the list comes first. */
  #tight(lines: readonly string[], foot: readonly string[]): readonly string[] {
    const rows = Math.max(1, this.rows);
    return [...lines.slice(0, Math.max(1, rows - foot.length)), ...foot].slice(0, rows);
  }

  #detail(width: number, most: number): readonly string[] {
    const { selected } = this;
    if (selected === undefined || most < 2) return [];
    const lines = this.#options.detail?.(selected, width) ?? [];
    return lines.length === 0 ? [] : ['', ...lines].slice(0, most);
  }

  #foot(width: number): readonly string[] {
    const { stage, hints = [] } = this.#options;
    const { look, keys } = stage;
    const told = this.lastLine.render(width);
    if (told) return told;
    const shown = hints.flatMap(({ action, keys: fixed, text }) => {
      const bound = fixed ?? (action ? keys.keysOf(action)[0] : undefined);
      return bound === undefined ? [] : [{ keys: bound.replace('escape', 'esc'), text }];
    });
    return shown.length === 0 ? [] : [renderKeyHints(shown, width, look)];
  }

  #wordsField(search: (words: string) => void): Input {
    const { stage } = this.#options;
    let before = '';
    const field: Input = new Input({
      keybindings: stage.keys,
      look: stage.look,
      prompt: 'Search: ',
      onChange: () => {
        if (field.value === before) return;
        before = field.value;
        search(before);
      },
    });
    return field;
  }
}
