import type { Question } from '@robota-sdk/agent-sdk/front-end';
import {
  Input,
  type InputEvent,
  type KeyEvent,
  matchesKey,
  renderKeyHints,
  textWidth,
  visibleText,
  wrapText,
} from '@robota-sdk/agent-tui';
import { ChoiceList, numberOf } from './choice-list.ts';
import { QuestionPanel, type QuestionServices } from './question-panel.ts';
import { typedMeaning } from './typed-choice.ts';

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
  /** Text typed since the last other key. */
  #typed = '';

  constructor(question: Selection, services: QuestionServices) {
    super(question, services);
    const { options, multiple = false, words } = question;
    const { glyphs } = services.look;
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
      look: services.look,
      keys: services.keys,
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
    const { look } = this.services;
    const { isDrafting, hasChosen } = this.services.guard;
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
    this.#list.rows = Math.max(1, rows);
    this.#list.isActive = hasChosen;
    return this.#list.render(width);
  }

  protected override handleKey(event: InputEvent): boolean {
    if (this.#writing) return this.#writing.input.handleInput(event);
    if (event.type === 'paste')
      return this.#hasSearch ? this.#list.handleInput(event) : this.#say(event.text);
    if (event.type !== 'key') return false;
    if (this.question.about && this.#handleCallKey(event)) return true;
    if (this.services.keys.matches(event, 'tui.select.cancel')) {
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
    if (this.#command !== undefined && this.services.keys.matches(event, 'app.message.copy')) {
      this.services.copy?.(this.#command);
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
    input.isFocused = !this.services.guard.isDrafting;
    return { index, row: input.render(width)[0] ?? '' };
  }

  protected override hints(width: number): string {
    const { look } = this.services;
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
      ...(this.services.guard.hasChosen
        ? [{ keys: 'enter', text: this.#isReadFirst(this.#list.selected) ? 'show more' : 'select' }]
        : []),
      ...(this.hasFold ? [{ keys: 'space', text: this.isFolded ? 'show all' : 'fold' }] : []),
      ...(this.question.multiple ? [{ keys: this.#hasSearch ? 'tab' : 'space', text: 'mark' }] : []),
      ...(this.#hasSearch || count < 2
        ? []
        : [
            this.services.guard.isAfterSending
              ? { keys: 'up/down', text: 'choose' }
              : { keys: `1-${count}`, text: 'jump' },
          ]),
      ...(this.#isBroken(width) ? [{ keys: this.#copyKey, text: 'copy' }] : []),
      ...(isCall ? [{ keys: 'ctrl+o', text: 'history' }] : []),
      { keys: 'esc', text: isCall ? 'deny and stop' : (this.question.dismissal ?? 'cancel') },
    ];
    return renderKeyHints(hints, width, look);
  }

  get #copyKey(): string {
    return this.services.keys.keysOf('app.message.copy')[0] ?? '';
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
    return this.services.keys.find(event, ['tui.select.pageUp', 'tui.select.pageDown']) !== undefined;
  }

  /** Letters only select, or write words: nothing that is typed answers before enter does. */
  #typeKey(event: KeyEvent): boolean {
    const { keys } = this.services;
    if (keys.matches(event, 'tui.editor.deleteCharBackward')) {
      this.#typed = this.#typed.slice(0, -1);
      return true;
    }
    const isMark = this.question.multiple === true && event.text === ' ';
    if (event.text !== '' && !isMark) return this.#say(event.text);
    this.#typed = '';
    return false;
  }

  /** Takes what was typed for the option it means, else for words; where the question has no place for them, the draft has. */
  #say(text: string): boolean {
    this.#typed += text;
    const { options, words } = this.question;
    const meaning = typedMeaning(this.#typed, options, this.#list.count);
    // A command is no reason for a denial.
    const isCommand = this.question.about !== undefined && this.#typed === '/';
    const asking = isCommand ? -1 : options.findIndex(({ asks }) => asks !== undefined);
    if (meaning.kind === 'option') this.#list.pointAt(meaning.index);
    else if (words !== undefined && !isCommand) this.#write(`${words}:`, undefined);
    else if (asking >= 0) {
      this.#list.pointAt(asking);
      this.#write(options[asking]?.asks ?? '', asking);
    } else {
      this.leaveToDraft(this.#typed);
      this.#typed = '';
    }
    return true;
  }

  #take(indexes: readonly number[]): void {
    const [index = -1] = indexes;
    const option = this.question.options[index];
    if (!option) return this.#write(`${this.question.words ?? ''}:`, undefined);
    if (indexes.length === 1 && option.asks !== undefined) return this.#write(option.asks, index);
    if (this.#isReadFirst(index) && this.readOn()) return;
    this.services.answer({ kind: 'selected', indexes });
  }

  #write(prompt: string, index: number | undefined): void {
    const { look, keys } = this.services;
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
    const { cursor } = this.services.look.glyphs;
    if (index === undefined || !this.question.about) return `${cursor} `;
    const isDenial = this.question.about.holds[index] === 'deny';
    const label = isDenial ? 'Deny: ' : `${this.question.options[index]?.label ?? ''}: `;
    return `${cursor} ${numberOf(index)}${label}`;
  }

  #submit(text: string, index: number | undefined): void {
    if (index === undefined && text === '') return;
    const indexes = index === undefined ? [] : [index];
    this.services.answer({ kind: 'selected', indexes, ...(text === '' ? {} : { text }) });
  }
}

/** The choice that switches the permission mode; -1 where there is none. */
function modeChoice({ about }: Selection): number {
  return about?.sessionMode === 'acceptEdits' ? about.holds.indexOf('session') : -1;
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
