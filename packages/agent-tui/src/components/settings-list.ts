import type { InputEvent } from '../input/input-event.ts';
import type { KeyEvent } from '../keys/key-event.ts';
import { matchesKey } from '../keys/key-id.ts';
import { Keybindings } from '../keys/keybindings.ts';
import { toolkitActions } from '../keys/toolkit-actions.ts';
import type { Component, Focusable } from '../text/component.ts';
import { wrapText } from '../text/wrap-text.ts';
import { listMatch } from './list-match.ts';
import { labelColumn, renderListRow, windowStart } from './list-rows.ts';
import { createRenderStyle, oneLine, type RenderStyle } from './render-style.ts';
import { SearchField } from './search-field.ts';

/** A setting with the value it has. */
export interface SettingItem {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  /** Shown below the list while the item is selected. */
  readonly description?: string;
  /** The value as the list shows it, where that is not the value itself. */
  readonly format?: (value: string) => string;
  /** The values that enter goes through. */
  readonly values?: readonly string[];
  /** Opened by enter; calls `done` with the new value, or without one to keep the old one. */
  readonly submenu?: (value: string, done: (value?: string) => void) => Component;
}

/** Options of a {@link SettingsList}. */
export interface SettingsListOptions {
  readonly items: readonly SettingItem[];
  readonly look?: RenderStyle;
  readonly keys?: Keybindings;
  /** The most lines of settings. */
  readonly rows?: number;
  readonly onChange: (id: string, value: string) => void;
  readonly onCancel?: () => void;
}

/** Settings with their values: enter goes through the values or opens a submenu, typing searches. */
export class SettingsList implements Focusable {
  readonly #options: SettingsListOptions;
  readonly #look: RenderStyle;
  readonly #keys: Keybindings;
  readonly #search: SearchField;
  #items: readonly SettingItem[];
  #found: readonly SettingItem[];
  #selected = 0;
  #submenu: Component | undefined;
  isFocused = false;

  constructor(options: SettingsListOptions) {
    this.#options = options;
    this.#look = options.look ?? createRenderStyle();
    this.#keys = options.keys ?? new Keybindings(toolkitActions);
    this.#search = new SearchField(this.#keys);
    this.#items = options.items;
    this.#found = this.#items;
  }

  /** The setting that enter would change. */
  get selected(): SettingItem | undefined {
    return this.#found[this.#selected];
  }

  /** Updates a value that was changed elsewhere, and its description. */
  setValue(id: string, value: string, description?: string): void {
    const told = description === undefined ? {} : { description };
    const renew = (item: SettingItem) => (item.id === id ? { ...item, value, ...told } : item);
    this.#items = this.#items.map(renew);
    this.#found = this.#found.map(renew);
  }

  invalidate(): void {
    this.#submenu?.invalidate?.();
  }

  handleInput(event: InputEvent): boolean {
    if (this.#submenu) return this.#submenu.handleInput?.(event) ?? false;
    if (event.type === 'key' && this.#handleKey(event)) return true;
    if (!this.#search.handleInput(event)) return false;
    this.#narrow();
    return true;
  }

  render(width: number): readonly string[] {
    if (this.#submenu) return this.#submenu.render(width);
    const { rows: height = 10 } = this.#options;
    const look = this.#look;
    const head = [this.#search.render(width, { look, isFocused: this.isFocused })];
    if (this.#found.length === 0) return [...head, look.paint('dim', '  Nothing found')];
    const start = windowStart(this.#selected, height, this.#found.length);
    const shown = this.#found.slice(start, start + height);
    const labelWidth = labelColumn(
      shown.map(({ label }) => oneLine(label)),
      width,
    );
    const lines = shown.map((item, index) =>
      renderListRow(
        {
          label: oneLine(item.label),
          detail: this.#valueOf(item),
          isSelected: start + index === this.#selected,
        },
        { look, width, labelWidth },
      ),
    );
    return [...head, ...lines, ...this.#position(height), ...this.#description(width)];
  }

  #handleKey(event: KeyEvent): boolean {
    const isTaken = this.#keys.run(event, {
      'tui.select.up': () => this.#step(-1),
      'tui.select.down': () => this.#step(1),
      'tui.select.confirm': () => this.#activate(),
      'tui.select.cancel': () => this.#options.onCancel?.(),
    });
    if (isTaken) return true;
    if (this.#search.text === '' && matchesKey(event, 'space')) this.#activate();
    else if (matchesKey(event, 'right')) this.#cycle(1);
    else if (matchesKey(event, 'left')) this.#cycle(-1);
    else return false;
    return true;
  }

  #step(direction: 1 | -1): void {
    const count = this.#found.length;
    if (count > 0) this.#selected = (this.#selected + direction + count) % count;
  }

  #activate(): void {
    const item = this.selected;
    if (!item?.submenu) return this.#cycle(1);
    this.#submenu = item.submenu(item.value, (value) => {
      this.#submenu = undefined;
      if (value !== undefined) this.#change(item, value);
    });
  }

  #cycle(direction: 1 | -1): void {
    const item = this.selected;
    if (!item?.values || item.values.length === 0) return;
    const index = item.values.indexOf(item.value);
    const next = index < 0 ? 0 : (index + direction + item.values.length) % item.values.length;
    this.#change(item, item.values[next] ?? item.value);
  }

  #change(item: SettingItem, value: string): void {
    if (value === item.value) return;
    this.setValue(item.id, value);
    this.#options.onChange(item.id, value);
  }

  #narrow(): void {
    const query = this.#search.text.trim();
    const { selected } = this;
    this.#found = query === '' ? this.#items : bestFirst(this.#items, query);
    // A search selects the best match; clearing it keeps the selected item.
    this.#selected =
      query === '' && selected
        ? Math.max(
            0,
            this.#found.findIndex(({ id }) => id === selected.id),
          )
        : 0;
  }

  #valueOf(item: SettingItem): string {
    return (
      oneLine(item.format?.(item.value) ?? item.value) + (item.submenu ? ` ${this.#look.glyphs.submenu}` : '')
    );
  }

  #position(height: number): string[] {
    if (this.#found.length <= height) return [];
    return [this.#look.paint('dim', `  ${this.#selected + 1}/${this.#found.length}`)];
  }

  #description(width: number): string[] {
    const text = oneLine(this.selected?.description ?? '');
    if (text === '') return [];
    return [
      '',
      ...wrapText(text, Math.max(1, width - 2)).map((line) => this.#look.paint('muted', `  ${line}`)),
    ];
  }
}

function bestFirst(items: readonly SettingItem[], query: string): readonly SettingItem[] {
  return items
    .map((item) => ({ item, score: listMatch(query, `${item.label} ${item.id}`, item.description) }))
    .filter(({ score }) => score !== undefined)
    .sort((a, b) => (a.score ?? 0) - (b.score ?? 0))
    .map(({ item }) => item);
}
