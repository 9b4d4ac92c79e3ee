import {
  bold,
  type InputEvent,
  type KeyEvent,
  renderKeyHints,
  textWidth,
  truncateText,
  wrapText,
} from '@robota-sdk/agent-tui';
import { LastLine } from '../bars/last-line.ts';
import { renderScreenTitle } from '../bars/screen-title.ts';
import type { Panel, Stage } from '../stage/stage.ts';

/** A key and what it does, for the last line. */
interface KeyHint {
  readonly keys: string;
  readonly text: string;
  /** It is shown however narrow the screen is. */
  readonly isKept?: boolean;
}

/** A text that is read instead of the list. */
export interface ReadText {
  readonly title: string;
  /** A fact about it, such as its state or its number of lines. */
  note(lines: number): string;
  lines(width: number): readonly string[];
  /** New lines at its end stay in sight unless the user has scrolled up. */
  readonly isFollowed: boolean;
  /** Asked for with every frame. */
  hints?(): readonly KeyHint[];
  /** Takes keys that do not scroll. */
  onKey?(key: string): void;
  onClose?(): void;
}

export interface RuledListOptions<Row> {
  readonly stage: Pick<Stage, 'look' | 'keys' | 'refresh'>;
  readonly title: string;
  /** A fact at the right of the title. */
  note?(): string;
  /** Lines below the title. */
  head?(width: number): readonly string[];
  /** Lines above the last one. */
  foot?(width: number): readonly string[];
  /** Asked for with every frame; rows may come and go. */
  rows(): readonly Row[];
  /** Lines instead of rows where there are none. */
  readonly emptyText?: string;
  /** The identity of a row, while others come and go. */
  keyOf(row: Row): string;
  /** A row without the cursor, at most so wide. */
  render(row: Row, view: { readonly width: number; readonly isSelected: boolean }): string;
  hints(selected: Row | undefined, width: number): readonly KeyHint[];
  /** A key that does not move the cursor. */
  onKey?(key: KeyEvent, selected: Row | undefined): void;
  onSelect(row: Row): void;
  onClose(): void;
}

/** A screen with a ruled title, rows to go through, and keys in the last line. */
export class RuledList<Row> implements Panel {
  rows = 24;
  readonly lastLine: LastLine;
  readonly #options: RuledListOptions<Row>;
  #selected = 0;
  #selectedKey: string | undefined;
  #top = 0;
  #page = 1;
  #reading: ReadText | undefined;
  /** The first row of the text that is read; undefined at its end. */
  #readTop: number | undefined;
  #lastTop = 0;

  constructor(options: RuledListOptions<Row>) {
    this.#options = options;
    this.lastLine = new LastLine(options.stage);
  }

  get selected(): Row | undefined {
    return this.#options.rows()[this.#selected];
  }

  select(key: string): void {
    this.#selectedKey = key;
    this.#follow();
  }

  /** Shows a text instead of the list. */
  read(text: ReadText): void {
    this.#reading = text;
    this.#readTop = text.isFollowed ? undefined : 0;
    this.#options.stage.refresh();
  }

  cancel(): void {
    this.#reading?.onClose?.();
    this.#options.onClose();
  }

  handleInput(event: InputEvent): boolean {
    if (event.type !== 'key' || event.action === 'release') return false;
    if (!this.lastLine.handleKey(event)) this.#act(event);
    this.#options.stage.refresh();
    return true;
  }

  render(width: number): readonly string[] {
    const head = this.#reading ? [] : (this.#options.head?.(width) ?? []);
    const foot = this.#foot(width);
    this.#page = Math.max(1, this.rows - 1 - head.length - foot.length);
    const [title = '', ...lines] = this.#reading
      ? this.#renderText(this.#reading, width)
      : this.#renderRows(width);
    return [title, ...head, ...lines, ...foot].slice(0, Math.max(1, this.rows));
  }

  #act(event: KeyEvent): void {
    const { stage, onKey, onSelect } = this.#options;
    const action = stage.keys.find(event, [
      'tui.select.up',
      'tui.select.down',
      'tui.select.pageUp',
      'tui.select.pageDown',
      'tui.select.confirm',
      'tui.select.cancel',
    ]);
    if (action === 'tui.select.up') return this.#move(-1);
    if (action === 'tui.select.down') return this.#move(1);
    if (action === 'tui.select.pageUp') return this.#move(-this.#page);
    if (action === 'tui.select.pageDown') return this.#move(this.#page);
    if (action === 'tui.select.cancel') return this.#back();
    if (this.#reading) return this.#reading.onKey?.(event.id);
    const { selected } = this;
    if (action === 'tui.select.confirm') return selected === undefined ? undefined : onSelect(selected);
    onKey?.(event, selected);
  }

  #move(by: number): void {
    if (this.#reading) {
      const next = Math.max(0, (this.#readTop ?? this.#lastTop) + by);
      this.#readTop = next >= this.#lastTop && this.#reading.isFollowed ? undefined : next;
      return;
    }
    const rows = this.#options.rows();
    this.#selected = Math.max(0, Math.min(rows.length - 1, this.#selected + by));
    const row = rows[this.#selected];
    this.#selectedKey = row === undefined ? undefined : this.#options.keyOf(row);
  }

  #back(): void {
    if (!this.#reading) return this.#options.onClose();
    this.#reading.onClose?.();
    this.#reading = undefined;
  }

  /** The cursor stays on its row when rows above come or go. */
  #follow(): readonly Row[] {
    const { rows: rowsNow, keyOf } = this.#options;
    const rows = rowsNow();
    const at = rows.findIndex((row) => keyOf(row) === this.#selectedKey);
    this.#selected = at >= 0 ? at : Math.max(0, Math.min(this.#selected, rows.length - 1));
    const row = rows[this.#selected];
    this.#selectedKey = row === undefined ? undefined : keyOf(row);
    return rows;
  }

  #renderRows(width: number): readonly string[] {
    const { stage, title, note, render } = this.#options;
    const { glyphs, paint } = stage.look;
    const rows = this.#follow();
    this.#top = Math.max(0, Math.min(this.#top, this.#selected), this.#selected - this.#page + 1);
    const shown = rows.slice(this.#top, this.#top + this.#page).map((row, index) => {
      const isSelected = this.#top + index === this.#selected;
      const inner = render(row, { width: Math.max(1, width - 2), isSelected });
      const cursor = isSelected ? paint('accent', bold(glyphs.cursor)) : ' ';
      const line = truncateText(`${cursor} ${inner}`, width, glyphs.ellipsis);
      if (!isSelected) return line.trimEnd();
      return paint('selectedBg', line + ' '.repeat(Math.max(0, width - textWidth(line))));
    });
    const { emptyText = '' } = this.#options;
    const empty = rows.length > 0 || emptyText === '' ? [] : wrapText(emptyText, width);
    const told = empty.map((line) => paint('muted', line));
    return [this.#title(title, note?.() ?? '', width), ...shown, ...told];
  }

  #renderText(text: ReadText, width: number): readonly string[] {
    const lines = text.lines(width);
    this.#lastTop = Math.max(0, lines.length - this.#page);
    const top = Math.min(this.#readTop ?? this.#lastTop, this.#lastTop);
    return [this.#title(text.title, text.note(lines.length), width), ...lines.slice(top, top + this.#page)];
  }

  #title(title: string, note: string, width: number): string {
    return renderScreenTitle({ title, notes: note }, width, this.#options.stage.look);
  }

  #foot(width: number): readonly string[] {
    const { stage, foot, hints } = this.#options;
    const { look } = stage;
    const told = this.lastLine.render(width);
    if (told) return told;
    const reading = this.#reading;
    if (!reading) return [...(foot?.(width) ?? []), renderKeyHints(hints(this.selected, width), width, look)];
    const own = [
      { keys: 'up/down', text: 'scroll' },
      ...(reading.hints?.() ?? []),
      { keys: 'esc', text: 'back' },
    ];
    return [renderKeyHints(own, width, look)];
  }
}
