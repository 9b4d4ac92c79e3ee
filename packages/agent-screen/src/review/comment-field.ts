import { Input, type InputEvent } from '@robota-sdk/agent-tui';
import type { Stage } from '../stage/stage.ts';

export interface CommentFieldOptions {
  readonly stage: Pick<Stage, 'look' | 'keys' | 'refresh'>;
  readonly text: string;
  onEnd(text: string | undefined): void;
}

/** A field for a comment of one or more lines; the last line is typed, those above it are done. */
export class CommentField {
  readonly #options: CommentFieldOptions;
  readonly #input: Input;
  readonly #above: string[];

  constructor(options: CommentFieldOptions) {
    this.#options = options;
    const { stage, text, onEnd } = options;
    this.#above = text.split('\n');
    this.#input = new Input({
      keybindings: stage.keys,
      look: stage.look,
      prompt: '',
      onSubmit: () => onEnd(this.text),
      onCancel: () => onEnd(undefined),
    });
    this.#input.isFocused = true;
    this.#edit(this.#above.pop() ?? '');
  }

  get text(): string {
    return [...this.#above, this.#input.value].join('\n');
  }

  handleInput(event: InputEvent): boolean {
    const { keys } = this.#options.stage;
    if (event.type === 'paste') return this.#paste(event.text);
    if (event.type === 'key' && event.action !== 'release') {
      if (keys.find(event, ['tui.input.newLine'])) return this.#breakLine();
      const isBack = keys.find(event, ['tui.editor.deleteCharBackward']) !== undefined;
      if (isBack && this.#input.value === '' && this.#above.length > 0)
        return this.#edit(this.#above.pop() ?? '');
    }
    return this.#input.handleInput(event);
  }

  render(width: number): readonly string[] {
    return [...this.#above, ...this.#input.render(width)];
  }

  #paste(text: string): boolean {
    const [first = '', ...rest] = text.replace(/\r\n?/g, '\n').trimEnd().split('\n');
    this.#input.handleInput({ type: 'paste', text: first });
    for (const line of rest) {
      this.#breakLine();
      this.#edit(line);
    }
    return true;
  }

  #breakLine(): boolean {
    this.#above.push(this.#input.value);
    return this.#edit('');
  }

  #edit(text: string): boolean {
    this.#input.value = text;
    this.#input.handleInput({ type: 'key', id: 'end', otherIds: [], text: '', action: 'press' });
    return true;
  }
}
