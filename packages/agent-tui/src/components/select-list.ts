import type { InputEvent } from '../input/input-event.ts';
import type { KeyEvent } from '../keys/key-event.ts';
import { Keybindings } from '../keys/keybindings.ts';
import { toolkitActions } from '../keys/toolkit-actions.ts';
import type { Focusable } from '../text/component.ts';
import { truncateText } from '../text/truncate-text.ts';
import { listMatch } from './list-match.ts';
import {
  cellWidths,
  detailRoom,
  joinCells,
  type ListCell,
  labelColumn,
  renderGroupLine,
  renderListRow,
  windowStart,
} from './list-rows.ts';
import { createRenderStyle, oneLine, type RenderStyle } from './render-style.ts';
import { SearchField } from './search-field.ts';

/** Something that can be selected. */
export interface SelectItem<Value> {
  readonly value: Value;
  readonly label: string;
  /** The second column. */
  readonly description?: string;
  /** More columns in its place, each as wide as its widest cell. */
  readonly cells?: readonly ListCell[];
  /** Words that find it and are not shown. */
  readonly keywords?: string;
  /** Is listed only when it is searched for. */
  readonly isRare?: boolean;
  /** Items of a group are listed together, below a line with its name. */
  readonly group?: string;
  /** Is shown, and can't be selected. */
  readonly isDisabled?: boolean;
}

/** Options of a {@link SelectList}. */
export interface SelectListOptions<Value> {
  readonly items: readonly SelectItem<Value>[];
  readonly look?: RenderStyle;
  readonly keys?: Keybindings;
  /** The most lines of items and groups. */
  readonly rows?: number;
  /** How a search is compared: with the beginning of labels, or with labels and descriptions. */
  readonly matching?: 'prefix' | 'fuzzy';
  /** True if typing searches, which is shown above the list. */
  readonly hasSearch?: boolean;
  /** Shown when nothing matches. */
  readonly emptyText?: string;
  /** Another item was selected. */
  readonly onChange?: (item: SelectItem<Value>) => void;
  /** The selected item was taken. */
  readonly onSelect?: (item: SelectItem<Value>) => void;
  readonly onCancel?: () => void;
}

type Row<Value> = { readonly group: string } | { readonly item: SelectItem<Value> };

/** A list of which one item is selected with the arrow keys and taken with enter. */
export class SelectList<Value> implements Focusable {
  readonly #options: SelectListOptions<Value>;
  readonly #look: RenderStyle;
  readonly #keys: Keybindings;
  readonly #search: SearchField;
  #items: readonly SelectItem<Value>[];
  #rows: readonly Row<Value>[] = [];
  #cellWidths: readonly number[] = [];
  #selected = -1;
  isFocused = false;

  constructor(options: SelectListOptions<Value>) {
    this.#options = options;
    this.#look = options.look ?? createRenderStyle();
    this.#keys = options.keys ?? new Keybindings(toolkitActions);
    this.#search = new SearchField(this.#keys);
    this.#items = options.items;
    this.#arrange();
  }

  /** The item that enter would take. */
  get selected(): SelectItem<Value> | undefined {
    return itemOf(this.#rows[this.#selected]);
  }

  /** The items that fit the search. */
  get found(): readonly SelectItem<Value>[] {
    return this.#rows.flatMap((row) => itemOf(row) ?? []);
  }

  get query(): string {
    return this.#search.text;
  }

  /** Narrows the list, as typing does. */
  set query(text: string) {
    if (text === this.#search.text) return;
    this.#search.text = text;
    this.#rearrange(undefined);
  }

  /** Exchanges the items; what is selected stays so if it is among them. */
  setItems(items: readonly SelectItem<Value>[]): void {
    this.#items = items;
    this.#rearrange(this.selected?.value);
  }

  /** Selects the item with a value. */
  select(value: Value): void {
    this.#moveTo(this.#rows.findIndex((row) => isChoice(row) && itemOf(row)?.value === value));
  }

  handleInput(event: InputEvent): boolean {
    if (event.type === 'key' && this.#handleKey(event)) return true;
    if (!this.#options.hasSearch || !this.#search.handleInput(event)) return false;
    // A search selects the best match; clearing it keeps the selected item.
    this.#rearrange(this.#search.text.trim() === '' ? this.selected?.value : undefined);
    return true;
  }

  render(width: number): readonly string[] {
    const { rows: height = 10, hasSearch, emptyText = 'Nothing found' } = this.#options;
    const head = hasSearch
      ? [this.#search.render(width, { look: this.#look, isFocused: this.isFocused })]
      : [];
    if (this.#rows.length === 0) return [...head, this.#note(emptyText, width)];
    const start = windowStart(this.#selected, height, this.#rows.length);
    const shown = this.#rows.slice(start, start + height);
    const labelWidth = labelColumn(shown.flatMap((row) => itemOf(row)?.label ?? []).map(oneLine), width);
    const lines = shown.map((row, index) =>
      this.#renderRow(row, { width, labelWidth, isSelected: start + index === this.#selected }),
    );
    return [...head, ...lines, ...this.#position(width, height)];
  }

  #handleKey(event: KeyEvent): boolean {
    const { rows: height = 10, onSelect, onCancel } = this.#options;
    const { selected } = this;
    return this.#keys.run(event, {
      'tui.select.up': () => this.#step(-1),
      'tui.select.down': () => this.#step(1),
      'tui.select.pageUp': () => this.#page(-height),
      'tui.select.pageDown': () => this.#page(height),
      'tui.select.confirm': () => selected && onSelect?.(selected),
      'tui.select.cancel': () => onCancel?.(),
    });
  }

  /** Goes to the next item that can be selected, and from the last one to the first. */
  #step(direction: 1 | -1): void {
    const count = this.#rows.length;
    for (let steps = 1; steps <= count; steps++) {
      const index = (this.#selected + direction * steps + count * steps) % count;
      if (isChoice(this.#rows[index])) return this.#moveTo(index);
    }
  }

  #page(distance: number): void {
    const count = this.#rows.length;
    const target = Math.max(0, Math.min(count - 1, this.#selected + distance));
    const direction = distance > 0 ? -1 : 1;
    for (let index = target; index >= 0 && index < count; index += direction) {
      if (isChoice(this.#rows[index])) return this.#moveTo(index);
    }
  }

  #moveTo(index: number): void {
    if (index < 0 || index === this.#selected) return;
    this.#selected = index;
    const { selected } = this;
    if (selected) this.#options.onChange?.(selected);
  }

  /** Finds the items again and reports a changed selection. */
  #rearrange(value: Value | undefined): void {
    const before = this.selected;
    this.#arrange();
    const kept =
      value === undefined ? -1 : this.#rows.findIndex((row) => isChoice(row) && itemOf(row)?.value === value);
    if (kept >= 0) this.#selected = kept;
    const { selected } = this;
    if (selected && selected.value !== before?.value) this.#options.onChange?.(selected);
  }

  #arrange(): void {
    const groups = new Map<string, SelectItem<Value>[]>();
    for (const item of this.#matching()) {
      const members = groups.get(item.group ?? '');
      if (members) members.push(item);
      else groups.set(item.group ?? '', [item]);
    }
    this.#rows = [...groups].flatMap(([group, items]) => {
      const rows = items.map((item) => ({ item }));
      return group === '' ? rows : [{ group }, ...rows];
    });
    this.#selected = this.#rows.findIndex(isChoice);
    this.#cellWidths = cellWidths(this.found.flatMap(({ cells }) => (cells ? [cells.map(plainCell)] : [])));
  }

  #matching(): readonly SelectItem<Value>[] {
    const query = this.#search.text.trim();
    if (query === '') return this.#items.filter(({ isRare }) => !isRare);
    if (this.#options.matching !== 'fuzzy') {
      const start = query.toLowerCase();
      return this.#items.filter(({ label }) => label.toLowerCase().startsWith(start));
    }
    return this.#items
      .map((item) => ({ item, score: listMatch(query, item.label, searchedText(item)) }))
      .filter(({ score }) => score !== undefined)
      .sort((a, b) => (a.score ?? 0) - (b.score ?? 0))
      .map(({ item }) => item);
  }

  #renderRow(
    row: Row<Value>,
    { width, labelWidth, isSelected }: { width: number; labelWidth: number; isSelected: boolean },
  ): string {
    const look = this.#look;
    if ('group' in row) return renderGroupLine(oneLine(row.group), { look, width });
    const { label, description = '', cells, isDisabled = false } = row.item;
    const room = detailRoom({ width, labelWidth });
    const columns = { widths: this.#cellWidths, room };
    const detail = cells ? joinCells(cells.map(plainCell), columns) : oneLine(description);
    const shown = { label: oneLine(label), detail, isSelected, isDisabled };
    return renderListRow(shown, { look, width, labelWidth });
  }

  #position(width: number, height: number): string[] {
    if (this.#rows.length <= height) return [];
    const { found } = this;
    const place = this.selected ? found.indexOf(this.selected) + 1 : 0;
    return [this.#note(`${place}/${found.length}`, width)];
  }

  #note(text: string, width: number): string {
    return this.#look.paint('dim', truncateText(`  ${text}`, width, this.#look.glyphs.ellipsis));
  }
}

function plainCell({ text, ...cell }: ListCell): ListCell {
  return { ...cell, text: oneLine(text) };
}

function searchedText({ description, cells = [], keywords }: SelectItem<unknown>): string | undefined {
  const texts = [description, ...cells.map(({ text }) => text), keywords].filter(
    (text) => text !== undefined,
  );
  return texts.length === 0 ? undefined : texts.join(' ');
}

function itemOf<Value>(row: Row<Value> | undefined): SelectItem<Value> | undefined {
  return row && 'item' in row ? row.item : undefined;
}

function isChoice<Value>(row: Row<Value> | undefined): boolean {
  return row !== undefined && 'item' in row && row.item.isDisabled !== true;
}
