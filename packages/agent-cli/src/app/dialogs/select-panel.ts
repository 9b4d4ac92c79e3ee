import type { Question } from '@robota-sdk/agent-sdk';
import { Input, type InputEvent, type KeyEvent, renderKeyHints, wrapText } from '@robota-sdk/agent-tui';
import { visible } from '../../read-answer.ts';
import { ChoiceList } from './choice-list.ts';
import { type QuestionDesk, QuestionPanel } from './question-panel.ts';

type Selection = Extract<Question, { kind: 'select' }>;

/** More options than these are searched by typing. */
const mostWithoutSearch = 10;

/** A question with options to choose from, some of which want words. */
export class SelectPanel extends QuestionPanel<Selection> {
  readonly #list: ChoiceList;
  /** The words that are being written, and the option they belong to; none where they stand for an option. */
  #writing:
    | { readonly input: Input; readonly index: number | undefined; readonly prompt: string }
    | undefined;

  constructor(question: Selection, desk: QuestionDesk) {
    super(question, desk);
    const { options, multiple = false, words } = question;
    const { glyphs } = desk.look;
    const choices = options.map(({ label, description = '', asks }) => ({
      label: inLine(label) + (asks === undefined ? '' : glyphs.ellipsis),
      description: inLine(description),
    }));
    const other = { label: `Write ${words}${glyphs.ellipsis}`, description: '' };
    this.#list = new ChoiceList({
      choices: words === undefined ? choices : [...choices, other],
      look: desk.look,
      keys: desk.keys,
      isMultiple: multiple,
      hasSearch: options.length > mostWithoutSearch,
      keepsLast: words !== undefined,
      onTake: (indexes) => this.#take(indexes),
    });
  }

  protected override renderAnswers(width: number, rows: number): readonly string[] {
    const { look } = this.desk;
    if (this.#writing) {
      const { input, prompt } = this.#writing;
      const asked = wrapText(visible(prompt), Math.max(1, width - 2)).map((line) => ` ${line}`);
      return [
        ...asked.slice(0, Math.max(1, rows - 1)).map((line) => look.paint('accent', line)),
        ...input.render(width),
      ];
    }
    this.#list.rows = rows;
    return this.#list.render(width);
  }

  protected override handleKey(event: InputEvent): boolean {
    if (this.#writing) return this.#writing.input.handleInput(event);
    if (event.type === 'paste') return this.#list.handleInput(event);
    if (event.type !== 'key') return false;
    if (this.desk.keys.matches(event, 'tui.select.cancel')) {
      this.dismiss();
      return true;
    }
    if (!this.#hasSearch && this.#wish(event)) return true;
    // What cannot be seen at once is what the keys of pages are needed for.
    return (this.#isPage(event) && this.scroll(event)) || this.#list.handleInput(event);
  }

  protected override hints(width: number): string {
    const { look } = this.desk;
    if (this.#writing)
      return ` ${renderKeyHints(
        [
          { keys: 'enter', text: 'answers' },
          { keys: 'esc', text: 'back' },
        ],
        width - 1,
        look,
      )}`;
    const count = Math.min(9, this.question.options.length);
    const hints = [
      { keys: 'enter', text: 'chooses' },
      { keys: 'esc', text: 'cancels' },
      ...(this.question.multiple ? [{ keys: this.#hasSearch ? 'tab' : 'space', text: 'marks' }] : []),
      ...(this.isScrollable ? [{ keys: 'pgup/pgdn', text: 'scroll' }] : []),
      ...(this.#hasSearch || count < 2 ? [] : [{ keys: `1-${count}`, text: 'choose at once' }]),
    ];
    return ` ${renderKeyHints(hints, width - 1, look)}`;
  }

  get #hasSearch(): boolean {
    return this.question.options.length > mostWithoutSearch;
  }

  #isPage(event: KeyEvent): boolean {
    return this.desk.keys.find(event, ['tui.select.pageUp', 'tui.select.pageDown']) !== undefined;
  }

  /** A bare `y` or `n` where an option means that. */
  #wish({ text }: KeyEvent): boolean {
    const letter = text.toLowerCase();
    const wish = letter === 'y' ? 'yes' : letter === 'n' ? 'no' : undefined;
    if (wish === undefined) return false;
    const index = this.question.options.findIndex(
      ({ means, label }) => (means ?? label.toLowerCase()) === wish,
    );
    if (index < 0) return false;
    this.desk.answer({ kind: 'selected', indexes: [index] });
    return true;
  }

  #take(indexes: readonly number[]): void {
    const [index = -1] = indexes;
    const option = this.question.options[index];
    if (!option) return this.#write(`${this.question.words ?? ''}:`, undefined);
    if (indexes.length === 1 && option.asks !== undefined) return this.#write(option.asks, index);
    this.desk.answer({ kind: 'selected', indexes });
  }

  #write(prompt: string, index: number | undefined): void {
    const { look, keys } = this.desk;
    const input = new Input({
      look,
      keybindings: keys,
      prompt: ` ${look.glyphs.pointer} `,
      placeholder: index === undefined ? '' : 'Enter alone adds nothing',
      onSubmit: (value) => this.#submit(value.trim(), index),
      onCancel: () => {
        this.#writing = undefined;
      },
    });
    input.isFocused = true;
    if (index === undefined) input.value = this.#list.query;
    this.#writing = { input, index, prompt };
  }

  #submit(text: string, index: number | undefined): void {
    if (index === undefined && text === '') return;
    const indexes = index === undefined ? [] : [index];
    this.desk.answer({ kind: 'selected', indexes, ...(text === '' ? {} : { text }) });
  }
}

function inLine(text: string): string {
  return visible(text).replace(/\s+/g, ' ').trim();
}
