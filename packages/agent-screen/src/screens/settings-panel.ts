import {
  type Component,
  type InputEvent,
  renderKeyHints,
  type SettingItem,
  SettingsList,
} from '@robota-sdk/agent-tui';
import { LastLine } from '../bars/last-line.ts';
import { renderScreenTitle } from '../bars/screen-title.ts';
import type { Panel, Stage } from '../stage/stage.ts';

/** Options and callbacks of the panel. */
export interface SettingsPanelOptions {
  readonly stage: Stage;
  readonly items: readonly SettingItem[];
  onChange(key: string, value: string): void;
  onClose(): void;
}

/** A list of settings on a whole screen. */
export class SettingsPanel implements Panel {
  rows = 24;
  readonly lastLine: LastLine;
  readonly #options: SettingsPanelOptions;
  readonly #list: SettingsList;
  #listRows = 10;

  constructor(options: SettingsPanelOptions) {
    this.#options = options;
    this.lastLine = new LastLine(options.stage);
    const { stage, items } = options;
    const rows = () => this.#listRows;
    this.#list = new SettingsList({
      items: items.map((item) => this.#focusing(item)),
      look: stage.look,
      keys: stage.keys,
      get rows() {
        return rows();
      },
      onChange: (key, value) => options.onChange(key, value),
      onCancel: () => options.onClose(),
    });
    this.#list.isFocused = true;
  }

  setValue(key: string, value: string, description: string): void {
    this.#list.setValue(key, value, description);
  }

  cancel(): void {
    this.#options.onClose();
  }

  handleInput(event: InputEvent): boolean {
    if (event.type === 'key' && event.action !== 'release') this.lastLine.handleKey(event);
    return this.#list.handleInput(event);
  }

  render(width: number): readonly string[] {
    const { look, keys } = this.#options.stage;
    const hints = [
      { keys: keys.keysOf('tui.select.confirm')[0] ?? 'enter', text: 'change' },
      { keys: 'left/right', text: 'other value' },
      { keys: (keys.keysOf('tui.select.cancel')[0] ?? 'escape').replace('escape', 'esc'), text: 'close' },
    ];
    const foot = this.lastLine.render(width) ?? [renderKeyHints(hints, width, look)];
    // Title, field, place, a blank and up to three lines about the setting.
    this.#listRows = Math.max(1, this.rows - foot.length - 7);
    const lines = this.#list.render(width);
    const room = Math.max(1, this.rows - foot.length - 1);
    return [renderScreenTitle({ title: 'Settings' }, width, look), ...lines.slice(0, room), ...foot].slice(
      0,
      Math.max(1, this.rows),
    );
  }

  /** The field of a submenu has the caret as soon as it is shown. */
  #focusing(item: SettingItem): SettingItem {
    const { submenu } = item;
    if (!submenu) return item;
    return {
      ...item,
      submenu: (value, done): Component => {
        const component = submenu(value, done);
        if ('isFocused' in component) component.isFocused = true;
        return component;
      },
    };
  }
}
