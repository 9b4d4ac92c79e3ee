import type { InputEvent } from '../input/input-event.ts';
import { matchesKey } from '../keys/key-id.ts';
import { Keybindings } from '../keys/keybindings.ts';
import { toolkitActions } from '../keys/toolkit-actions.ts';
import type { Component } from '../text/component.ts';
import { filterEscapes } from '../text/escape-filter.ts';
import { wrapText } from '../text/wrap-text.ts';
import { renderListRow } from './list-rows.ts';
import { createRenderStyle, oneLine, type RenderStyle } from './render-style.ts';

/** A question and its answers. */
export interface ConfirmPromptOptions {
  readonly message: string;
  /** Yes and No, if nothing else is said. */
  readonly options?: readonly string[];
  /** The answer that is selected first. */
  readonly initial?: number;
  readonly look?: RenderStyle;
  readonly keys?: Keybindings;
  /** An answer was given, by its index. */
  readonly onSelect: (index: number) => void;
  readonly onCancel?: () => void;
}

/** A question that is answered with arrows and enter, or with `y` and `n` if there are two answers. */
export class ConfirmPrompt implements Component {
  readonly #options: ConfirmPromptOptions;
  readonly #answers: readonly string[];
  readonly #keys: Keybindings;
  readonly #look: RenderStyle;
  #selected: number;
  #isAnswered = false;

  constructor(options: ConfirmPromptOptions) {
    this.#options = options;
    this.#answers = options.options ?? ['Yes', 'No'];
    this.#keys = options.keys ?? new Keybindings(toolkitActions);
    this.#look = options.look ?? createRenderStyle();
    this.#selected = Math.max(0, Math.min(options.initial ?? 0, this.#answers.length - 1));
  }

  handleInput(event: InputEvent): boolean {
    if (event.type !== 'key' || event.action === 'release' || this.#isAnswered) return false;
    const action = this.#keys.find(event, [
      'tui.select.up',
      'tui.select.down',
      'tui.select.confirm',
      'tui.select.cancel',
    ]);
    const hasShortcuts = this.#answers.length === 2;
    if (action === 'tui.select.up' || matchesKey(event, 'left')) this.#step(-1);
    else if (action === 'tui.select.down' || matchesKey(event, 'right')) this.#step(1);
    else if (action === 'tui.select.confirm') this.#answer(this.#selected);
    else if (action === 'tui.select.cancel') this.#options.onCancel?.();
    else if (hasShortcuts && event.text.toLowerCase() === 'y') this.#answer(0);
    else if (hasShortcuts && event.text.toLowerCase() === 'n') this.#answer(1);
    else return false;
    return true;
  }

  render(width: number): readonly string[] {
    const message = wrapText(filterEscapes(this.#options.message), width);
    const answers = this.#answers.map((answer, index) =>
      renderListRow(
        { label: oneLine(answer), detail: '', isSelected: index === this.#selected },
        { look: this.#look, width, labelWidth: width - 2 },
      ),
    );
    return [...message, ...answers];
  }

  #step(direction: 1 | -1): void {
    const count = this.#answers.length;
    this.#selected = (this.#selected + direction + count) % count;
  }

  /** A second stroke must not answer whatever comes next. */
  #answer(index: number): void {
    this.#isAnswered = true;
    this.#options.onSelect(index);
  }
}
