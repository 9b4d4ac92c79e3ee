import type { InputEvent } from '../input/input-event.ts';
import type { KeyEvent } from '../keys/key-event.ts';
import { matchesKey } from '../keys/key-id.ts';
import type { Keybindings } from '../keys/keybindings.ts';
import type { Component, Focusable } from '../text/component.ts';
import { wrapText } from '../text/wrap-text.ts';
import { createRenderStyle, oneLine, type RenderStyle } from './render-style.ts';
import { type SelectItem, SelectList } from './select-list.ts';

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
  readonly #list: SelectList<string>;
  #items: readonly SettingItem[];
  #submenu: Component | undefined;

  constructor(options: SettingsListOptions) {
    this.#options = options;
    this.#look = options.look ?? createRenderStyle();
    this.#items = options.items;
    this.#list = new SelectList({
      ...options,
      items: this.#rows(),
      look: this.#look,
      get rows() {
        return options.rows ?? 10;
      },
      matching: 'fuzzy',
      hasSearch: true,
      onChange: () => {},
      onSelect: () => this.#activate(),
    });
  }

  get isFocused(): boolean {
    return this.#list.isFocused;
  }

  set isFocused(isFocused: boolean) {
    this.#list.isFocused = isFocused;
  }

  /** The setting that enter would change. */
  get selected(): SettingItem | undefined {
    const id = this.#list.selected?.value;
    return this.#items.find((item) => item.id === id);
  }

  /** Updates a value that was changed elsewhere, and its description. */
  setValue(id: string, value: string, description?: string): void {
    const told = description === undefined ? {} : { description };
    this.#items = this.#items.map((item) => (item.id === id ? { ...item, value, ...told } : item));
    this.#list.setItems(this.#rows());
  }

  invalidate(): void {
    this.#submenu?.invalidate?.();
  }

  handleInput(event: InputEvent): boolean {
    if (this.#submenu) return this.#submenu.handleInput?.(event) ?? false;
    if (event.type === 'key' && this.#changedBy(event)) return true;
    return this.#list.handleInput(event);
  }

  render(width: number): readonly string[] {
    if (this.#submenu) return this.#submenu.render(width);
    const text = oneLine(this.selected?.description ?? '');
    const about = text === '' ? [] : ['', ...wrapText(text, Math.max(1, width - 2))];
    return [
      ...this.#list.render(width),
      ...about.map((line) => (line === '' ? '' : this.#look.paint('muted', `  ${line}`))),
    ];
  }

  #rows(): readonly SelectItem<string>[] {
    const { submenu: mark } = this.#look.glyphs;
    return this.#items.map(({ id, label, value, description, format, submenu }) => ({
      value: id,
      label,
      cells: [{ text: (format?.(value) ?? value) + (submenu ? ` ${mark}` : '') }],
      keywords: `${id} ${description ?? ''}`,
    }));
  }

  #changedBy(event: KeyEvent): boolean {
    if (this.#list.query === '' && matchesKey(event, 'space')) this.#activate();
    else if (matchesKey(event, 'right')) this.#cycle(1);
    else if (matchesKey(event, 'left')) this.#cycle(-1);
    else return false;
    return true;
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
}
