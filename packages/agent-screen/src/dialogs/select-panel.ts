import type { Question } from '@robota-sdk/agent-sdk/front-end';
import {
  Input,
  type InputEvent,
  type KeyEvent,
  matchesKey,
  renderKeyHints,
  renderStatusLine,
  textWidth,
  truncateText,
  visibleText,
  wrapText,
} from '@robota-sdk/agent-tui';
import type { AppStyle } from '../theme/app-tokens.ts';
import { ChoiceList, numberOf } from './choice-list.ts';
import { QuestionPanel, type QuestionServices } from './question-panel.ts';
import { typedMeaning } from './typed-choice.ts';

type Selection = Extract<Question, { kind: 'select' }>;

/** More options than these are searched by typing. */
const mostWithoutSearch = 10;
const strayText = 'Choose one of the options with the arrow keys, then press enter.';

/** A question with options to choose from, some of which want words. */
export class SelectPanel extends QuestionPanel<Selection> {
  readonly #list: ChoiceList;
  /** The words that are being written, and the option they belong to; none where they stand for an option. */
  #writing:
    | { readonly input: Input; readonly index: number | undefined; readonly prompt: string }
    | undefined;
  /** Text typed since the last other key. */
  #typed = '';
  /** Enter was pressed behind words that no answer can be made of. */
  #isStray = false;

  constructor(question: Selection, desk: QuestionServices) {
    super(question, desk);
    const { options, multiple = false, words } = question;
    const { glyphs } = desk.look;
    const isCall = question.about !== undefined;
    const choices = options.map(({ label, description = '', asks }, index) => ({
      label: inLine(label) + (asks === undefined || isCall ? '' : glyphs.ellipsis),
      description: inLine(
        isCall && index === modeChoice(question)
          ? `shift+tab ${glyphs.separator} ${description}`
          : description,
      ),
    }));
    const other = { label: `Write ${words}${glyphs.ellipsis}`, description: '' };
    this.#list = new ChoiceList({
      choices: words === undefined ? choices : [...choices, other],
      look: desk.look,
      keys: desk.keys,
      isMultiple: multiple,
      hasSearch: options.length > mostWithoutSearch,
      keepsLast: words !== undefined,
      hasFixedNotes: isCall,
      onTake: (indexes) => this.#take(indexes),
    });
    const no = options.findIndex(({ means }) => means === 'no');
    if (question.about?.dangers && no >= 0) this.#list.pointAt(no);
  }

  protected override get keepsTab(): boolean {
    return this.question.multiple === true && this.#hasSearch;
  }

  protected override get keepsRow(): boolean {
    return this.question.about?.dangers !== undefined;
  }

  protected override renderAnswers(width: number, rows: number): readonly string[] {
    const { look } = this.desk;
    const { isDrafting, hasChosen } = this.desk.guard;
    this.#list.written = this.#writtenRow(width);
    if (this.#writing && !this.#list.written) {
      const { input, prompt } = this.#writing;
      input.isFocused = !isDrafting;
      const asked = wrapText(visibleText(prompt), width);
      return [
        ...asked.slice(0, Math.max(1, rows - 1)).map((line) => look.paint('accent', line)),
        ...input.render(width),
      ];
    }
    const stray = this.#isStray ? [look.paint('warning', truncateText(strayText, width))] : [];
    this.#list.rows = Math.max(1, rows - stray.length);
    this.#list.isActive = hasChosen;
    return [...stray, ...this.#list.render(width)];
  }

  protected override handleKey(event: InputEvent): boolean {
    if (this.#writing) return this.#writing.input.handleInput(event);
    if (event.type === 'paste')
      return this.#hasSearch ? this.#list.handleInput(event) : this.#say(event.text);
    if (event.type !== 'key') return false;
    this.#isStray = false;
    if (this.question.about && this.#handleCallKey(event)) return true;
    if (this.desk.keys.matches(event, 'tui.select.cancel')) {
      this.dismiss();
      return true;
    }
    if (!this.#hasSearch && this.#typeKey(event)) return true;
    // Page keys scroll if the content does not fit.
    return (this.#isPage(event) && this.scroll(event)) || this.#list.handleInput(event);
  }

  /** Keys of questions about a call: space unfolds or shows the next part, shift+tab goes to accepting all edits. */
  #handleCallKey(event: KeyEvent): boolean {
    const mode = modeChoice(this.question);
    if (mode >= 0 && matchesKey(event, 'shift+tab')) {
      this.#list.pointAt(mode);
      return true;
    }
    if (this.#command !== undefined && this.desk.keys.matches(event, 'app.message.copy')) {
      this.desk.copy?.(this.#command);
      return true;
    }
    // No words begin with a blank, and pagers have taught it.
    if (event.text !== ' ' || this.#typed !== '') return false;
    if (this.hasFold) this.toggleFold();
    else this.readOn();
    return true;
  }

  /** The command that is asked about. */
  get #command(): string | undefined {
    const [first] = this.question.about?.access ?? [];
    return first?.kind === 'run' ? first.command : undefined;
  }

  /** A command that was broken into rows cannot be selected as it is. */
  #isBroken(width: number): boolean {
    return this.#command?.split('\n').some((line) => textWidth(line) > width) ?? false;
  }

  /** The row of the choice whose words are being typed, in a question about a call. */
  #writtenRow(width: number): { readonly index: number; readonly row: string } | undefined {
    const { index, input } = this.#writing ?? {};
    if (!input || index === undefined || !this.question.about) return undefined;
    input.isFocused = !this.desk.guard.isDrafting;
    return { index, row: input.render(width)[0] ?? '' };
  }

  protected override hints(width: number): string {
    const { look } = this.desk;
    if (this.#writing)
      return renderKeyHints(
        [
          {
            keys: 'enter',
            text: this.question.about && this.#writing.index !== undefined ? 'deny' : 'answer',
          },
          { keys: 'esc', text: 'back' },
        ],
        width,
        look,
      );
    const count = Math.min(9, this.#list.count);
    const isCall = this.question.about !== undefined;
    const hints = [
      { keys: 'enter', text: this.#isReadFirst(this.#list.selected) ? 'show more' : 'select' },
      ...(this.hasFold ? [{ keys: 'space', text: this.isFolded ? 'show all' : 'fold' }] : []),
      ...(this.question.multiple ? [{ keys: this.#hasSearch ? 'tab' : 'space', text: 'mark' }] : []),
      ...(this.#hasSearch || count < 2 ? [] : [{ keys: `1-${count}`, text: 'jump' }]),
      ...(this.#isBroken(width) ? [{ keys: this.#copyKey, text: 'copy' }] : []),
      ...(isCall ? [{ keys: 'ctrl+o', text: 'history' }] : []),
      { keys: 'esc', text: isCall ? 'deny and stop' : (this.question.dismissal ?? 'cancel') },
    ];
    return renderLastHint(hints, width, look);
  }

  get #copyKey(): string {
    return this.desk.keys.keysOf('app.message.copy')[0] ?? '';
  }

  /** Nothing is allowed whose end was never in sight: enter shows the next part first. */
  #isReadFirst(index = -1): boolean {
    const { options } = this.question;
    const mayDeny = options.some(({ means }) => means === 'no');
    return mayDeny && options[index]?.means !== 'no' && this.isUnread;
  }

  get #hasSearch(): boolean {
    return this.question.options.length > mostWithoutSearch;
  }

  #isPage(event: KeyEvent): boolean {
    return this.desk.keys.find(event, ['tui.select.pageUp', 'tui.select.pageDown']) !== undefined;
  }

  /** Letters only select, or write words: nothing that is typed answers before enter does. */
  #typeKey(event: KeyEvent): boolean {
    const { keys } = this.desk;
    if (keys.matches(event, 'tui.editor.deleteCharBackward')) {
      this.#typed = this.#typed.slice(0, -1);
      return true;
    }
    if (keys.matches(event, 'tui.select.confirm') && this.#isOfWords()) {
      this.#typed = '';
      this.#isStray = true;
      return true;
    }
    const isMark = this.question.multiple === true && event.text === ' ';
    if (event.text !== '' && !isMark) return this.#say(event.text);
    this.#typed = '';
    return false;
  }

  #isOfWords(): boolean {
    return this.#typed !== '' && this.#meaning().kind === 'words';
  }

  #meaning() {
    return typedMeaning(this.#typed, this.question.options, this.#list.count);
  }

  /** Takes what was typed for the option it means, else for words, where the question has a place for them. */
  #say(text: string): boolean {
    this.#typed += text;
    const meaning = this.#meaning();
    const { options, words } = this.question;
    const asking = options.findIndex(({ asks }) => asks !== undefined);
    if (meaning.kind === 'option') this.#list.pointAt(meaning.index);
    else if (words !== undefined) this.#write(`${words}:`, undefined);
    else if (asking >= 0) {
      this.#list.pointAt(asking);
      this.#write(options[asking]?.asks ?? '', asking);
    }
    return true;
  }

  #take(indexes: readonly number[]): void {
    const [index = -1] = indexes;
    const option = this.question.options[index];
    if (!option) return this.#write(`${this.question.words ?? ''}:`, undefined);
    if (indexes.length === 1 && option.asks !== undefined) return this.#write(option.asks, index);
    if (this.#isReadFirst(index) && this.readOn()) return;
    this.desk.answer({ kind: 'selected', indexes });
  }

  #write(prompt: string, index: number | undefined): void {
    const { look, keys } = this.desk;
    const input = new Input({
      look,
      keybindings: keys,
      prompt: this.#promptFor(index),
      placeholder: index === undefined ? '' : 'what to do instead (optional)',
      onSubmit: (value) => this.#submit(value.trim(), index),
      onCancel: () => {
        this.#writing = undefined;
      },
    });
    input.isFocused = true;
    input.value = this.#typed || (index === undefined ? this.#list.query : '');
    this.#typed = '';
    this.#writing = { input, index, prompt };
  }

  #promptFor(index: number | undefined): string {
    const { cursor } = this.desk.look.glyphs;
    if (index === undefined || !this.question.about) return `${cursor} `;
    const isDenial = this.question.about.holds[index] === 'deny';
    const label = isDenial ? 'Deny: ' : `${this.question.options[index]?.label ?? ''}: `;
    return `${cursor} ${numberOf(index)}${label}`;
  }

  #submit(text: string, index: number | undefined): void {
    if (index === undefined && text === '') return;
    const indexes = index === undefined ? [] : [index];
    this.desk.answer({ kind: 'selected', indexes, ...(text === '' ? {} : { text }) });
  }
}

/** The choice that switches the permission mode; -1 where there is none. */
function modeChoice({ about }: Selection): number {
  return about?.sessionMode === 'acceptEdits' ? about.holds.indexOf('session') : -1;
}

/** A line of keys in which the last one stays where it is narrow. */
function renderLastHint(
  hints: readonly { readonly keys: string; readonly text: string }[],
  width: number,
  look: AppStyle,
): string {
  const fields = hints.map(({ keys, text }, index) => ({
    text: `${keys} ${look.paint('dim', text)}`,
    priority: index === hints.length - 1 ? hints.length : hints.length - index - (index === 0 ? -2 : 0),
  }));
  return renderStatusLine(fields, width, look);
}

/** A text in one line, in which the ends of lines are to be seen. */
function inLine(text: string): string {
  const parts: string[] = [];
  let ends = 0;
  for (const line of visibleText(text.trim()).split('\n')) {
    const words = line.trim().replaceAll(/\s+/g, ' ');
    if (words !== '') {
      if (ends > 0) parts.push(ends === 1 ? '\\n' : `\\n (${ends} line ends) `);
      parts.push(words);
      ends = 0;
    }
    ends += 1;
  }
  return parts.join('');
}
