import { type Focusable, Input, type InputEvent, oneLine, truncateText } from '@robota-sdk/agent-tui';
import type { Stage } from '../stage/stage.ts';
import type { ListPanel } from './list-panel.ts';

type StyleAndKeys = Pick<Stage, 'look' | 'keys'>;

/** Asks for a text in place of a list; undefined if cancelled. */
export async function askText<Value>(
  panel: ListPanel<Value>,
  stage: StyleAndKeys,
  question: { readonly label: string; readonly value: string },
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const field = new LabelledField(stage, {
      ...question,
      onEnd: (text) => {
        panel.show(undefined);
        resolve(text);
      },
    });
    panel.show(field);
  });
}

interface FieldOptions {
  readonly label: string;
  readonly value: string;
  onEnd(text: string | undefined): void;
}

/** A field below its label. */
export class LabelledField implements Focusable {
  readonly #label: string;
  readonly #stage: StyleAndKeys;
  readonly #input: Input;

  constructor(stage: StyleAndKeys, { label, value, onEnd }: FieldOptions) {
    this.#label = label;
    this.#stage = stage;
    this.#input = new Input({
      keybindings: stage.keys,
      look: stage.look,
      onSubmit: onEnd,
      onCancel: () => onEnd(undefined),
    });
    if (value !== '') this.#input.value = value;
    this.#input.handleInput({ type: 'key', id: 'end', otherIds: [], text: '', action: 'press' });
  }

  get isFocused(): boolean {
    return this.#input.isFocused;
  }

  set isFocused(isFocused: boolean) {
    this.#input.isFocused = isFocused;
  }

  handleInput(event: InputEvent): boolean {
    return this.#input.handleInput(event);
  }

  render(width: number): readonly string[] {
    const { ellipsis } = this.#stage.look.glyphs;
    return [truncateText(` ${oneLine(this.#label)}`, width, ellipsis), ...this.#input.render(width)];
  }
}
