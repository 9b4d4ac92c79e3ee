import type { JsonObject, Question } from '@robota-sdk/agent-sdk/front-end';
import {
  Input,
  type InputEvent,
  type KeyEvent,
  Markdown,
  matchesKey,
  renderKeyHints,
  textWidth,
  visibleText,
} from '@robota-sdk/agent-tui';
import { type PlanSteps, planSteps } from '../items/plan-steps.ts';
import { ChoiceList, numberOf } from './choice-list.ts';
import type { DrawnSubject } from './draw-subject.ts';
import { QuestionPanel, type QuestionServices } from './question-panel.ts';
import { typedMeaning } from './typed-choice.ts';

type Selection = Extract<Question, { kind: 'select' }>;

/** The choice that approves nothing, by its position. */
const keepPlanning = 2;
/** The column of the places that steps name. */
const placeColumn = 48;

/** A plan to approve: its steps, comments on them, and what happens next. */
export class PlanPanel extends QuestionPanel<Selection> {
  readonly #list: ChoiceList;
  #text: string;
  #plan: PlanSteps;
  #isEdited = false;
  /** Comments by the index of their step. */
  readonly #comments = new Map<number, Input>();
  /** The step whose comment is being typed. */
  #step: number | undefined;
  /** Words for the whole plan, typed into the last choice. */
  #words: Input | undefined;

  constructor(question: Selection, services: QuestionServices) {
    super(question, services);
    this.#text = question.about?.display?.kind === 'plan' ? question.about.display.text : '';
    this.#plan = planSteps(this.#text);
    const labels = () => this.#labels();
    this.#list = new ChoiceList({
      get choices() {
        return labels();
      },
      look: services.look,
      keys: services.keys,
      isMultiple: false,
      hasSearch: false,
      keepsLast: false,
      onTake: ([index = keepPlanning]) => this.#take(index),
    });
  }

  protected override get keepsTab(): boolean {
    return this.#plan.steps.length > 0;
  }

  protected override drawSubject(width: number): DrawnSubject {
    const { before, steps, after } = this.#plan;
    const lines = [...this.#draw(before, width), ...(before === '' ? [] : [''])];
    for (const [index, step] of steps.entries()) {
      lines.push(...this.#drawStep(step, width), ...this.#drawComment(index, width));
      if (index === this.#step) this.reveal(lines.length - 1);
    }
    if (after !== '') lines.push(...(steps.length > 0 ? [''] : []), ...this.#draw(after, width));
    return { lines, hunks: [] };
  }

  protected override renderAnswers(width: number, rows: number): readonly string[] {
    const { isDrafting, hasChosen } = this.services.guard;
    if (this.#words) this.#words.isFocused = !isDrafting && this.#step === undefined;
    const row = this.#words?.render(width)[0];
    this.#list.written = row === undefined ? undefined : { index: keepPlanning, row };
    this.#list.rows = rows;
    this.#list.isActive = hasChosen && this.#step === undefined;
    return this.#list.render(width);
  }

  protected override handleKey(event: InputEvent): boolean {
    this.redraw();
    if (event.type === 'paste') return this.#type(event);
    if (event.type !== 'key') return false;
    const { keys } = this.services;
    if (keys.matches(event, 'app.editor.external')) return this.#edit();
    if (matchesKey(event, 'tab')) return this.#walk(1);
    if (matchesKey(event, 'shift+tab')) return this.#walk(-1);
    if (this.#step !== undefined) return this.#commentKey(event, this.#step);
    if (this.#words) return this.#words.handleInput(event);
    if (keys.matches(event, 'tui.select.cancel')) {
      this.#take(keepPlanning);
      return true;
    }
    if (event.text !== '') return this.#type(event);
    const isPage = keys.find(event, ['tui.select.pageUp', 'tui.select.pageDown']) !== undefined;
    return (isPage && this.scroll(event)) || this.#list.handleInput(event);
  }

  protected override hints(width: number): string {
    const hints =
      this.#step === undefined
        ? [
            { keys: 'enter', text: this.isUnread && !this.#isKeeping ? 'show more' : 'select' },
            ...(this.#plan.steps.length > 0 ? [{ keys: 'tab', text: 'comment' }] : []),
            { keys: 'ctrl+g', text: 'edit in $EDITOR' },
            { keys: 'esc', text: this.#words ? 'back' : 'keep planning' },
          ]
        : [
            { keys: 'enter', text: 'keep' },
            { keys: 'tab', text: 'next step' },
            { keys: 'backspace', text: 'remove' },
            { keys: 'esc', text: 'back' },
          ];
    return renderKeyHints(hints, width, this.services.look);
  }

  get #isKeeping(): boolean {
    return this.#list.selected === keepPlanning;
  }

  #labels() {
    const count = this.#commentLines().length;
    const suffix = count === 0 ? '' : `, with ${count} comment${count === 1 ? '' : 's'}`;
    return this.question.options.map(({ label }, index) => ({
      label: visibleText(label) + (index === keepPlanning ? suffix : ''),
      description: '',
    }));
  }

  #draw(text: string, width: number): readonly string[] {
    const markdown = new Markdown({ look: this.services.look });
    markdown.append(visibleText(text));
    markdown.finish();
    return markdown.render(width);
  }

  /** A step, with the place that its first line names at one column. */
  #drawStep(step: string, width: number): readonly string[] {
    const { look } = this.services;
    const [line = '', ...more] = step.split('\n');
    const { at, place } = placeOf(line.trimEnd());
    if (place === '') return this.#draw(step, width);
    const [first = '', ...others] = this.#draw([line.slice(0, at), ...more].join('\n'), width);
    const blanks = placeColumn - textWidth(first);
    if (blanks < 2 || placeColumn + textWidth(place) > width) return this.#draw(step, width);
    return [first + ' '.repeat(blanks) + look.paint('dim', visibleText(place)), ...others];
  }

  #drawComment(index: number, width: number): readonly string[] {
    const comment = this.#comments.get(index);
    if (!comment) return [];
    comment.isFocused = index === this.#step && !this.services.guard.isDrafting;
    return comment.render(width).map((line) => this.services.look.paint('accent', line));
  }

  /** Goes to the next or previous step, and from the last one back to the choices. */
  #walk(direction: 1 | -1): boolean {
    const { length } = this.#plan.steps;
    if (length === 0) return true;
    const before = this.#step ?? (direction === 1 ? -1 : length);
    this.#leaveStep();
    const next = before + direction;
    this.#step = next < 0 || next >= length ? undefined : next;
    if (this.#step !== undefined && !this.#comments.has(this.#step))
      this.#comments.set(this.#step, this.#commentInput());
    return true;
  }

  #commentInput(): Input {
    const { look, keys } = this.services;
    const prompt = `   ${look.glyphs.vertical} `;
    return new Input({ look, keybindings: keys, prompt, placeholder: 'comment on this step' });
  }

  #commentKey(event: KeyEvent, step: number): boolean {
    const { keys } = this.services;
    const input = this.#comments.get(step);
    const isEnd = keys.find(event, ['tui.select.confirm', 'tui.select.cancel']) !== undefined;
    const isRemoving = keys.matches(event, 'tui.editor.deleteCharBackward') && input?.value === '';
    if (isEnd || isRemoving) {
      this.#leaveStep();
      return true;
    }
    const arrow = keys.find(event, ['tui.select.up', 'tui.select.down']);
    if (arrow) return this.#walk(arrow === 'tui.select.up' ? -1 : 1);
    return input?.handleInput(event) ?? false;
  }

  /** Keeps the comment of the step, unless it is empty. */
  #leaveStep(): void {
    if (this.#step === undefined) return;
    if (this.#comments.get(this.#step)?.value.trim() === '') this.#comments.delete(this.#step);
    this.#step = undefined;
  }

  /** Digits, y and n select a choice; other text is for the step, or for the whole plan. */
  #type(event: InputEvent): boolean {
    if (this.#step !== undefined) return this.#comments.get(this.#step)?.handleInput(event) ?? false;
    const { options } = this.question;
    const meaning = event.type === 'key' ? typedMeaning(event.text, options) : undefined;
    if (!this.#words && meaning?.kind === 'option') {
      this.#list.pointAt(meaning.index);
      return true;
    }
    this.#list.pointAt(keepPlanning);
    this.#words ??= this.#wordsInput();
    return this.#words.handleInput(event);
  }

  #wordsInput(): Input {
    const { look, keys } = this.services;
    return new Input({
      look,
      keybindings: keys,
      prompt: `${look.glyphs.cursor} ${numberOf(keepPlanning)}Keep planning: `,
      onSubmit: () => this.#take(keepPlanning),
      onCancel: () => {
        this.#words = undefined;
      },
    });
  }

  #commentLines(): readonly string[] {
    const comments = [...this.#comments]
      .sort(([a], [b]) => a - b)
      .map(([index, { value }]) => ({ index, text: value.trim() }))
      .filter(({ text }) => text !== '')
      .map(({ index, text }) => `Step ${index + 1}: ${text}`);
    const words = this.#words?.value.trim() ?? '';
    return [...comments, ...(words === '' ? [] : [words])];
  }

  #take(index: number): void {
    if (index !== keepPlanning && this.isUnread && this.readOn()) return;
    const text = this.#commentLines().join('\n');
    const input: JsonObject = { plan: this.#text };
    this.services.answer({
      kind: 'selected',
      indexes: [index],
      ...(text === '' ? {} : { text }),
      ...(this.#isEdited ? { input } : {}),
    });
  }

  #edit(): boolean {
    void this.services.edit?.(this.#text).then((written) => {
      if (written === undefined || written.trim() === '') return;
      this.#text = written.trim();
      this.#plan = planSteps(this.#text);
      this.#isEdited = true;
      for (const index of [...this.#comments.keys()])
        if (index >= this.#plan.steps.length) this.#comments.delete(index);
      this.#step = undefined;
      this.redraw();
      this.services.refresh();
    });
    return true;
  }
}

/** The place at the end of a step and the column at which it begins: behind two blanks or a dash, or in brackets. */
function placeOf(line: string): { readonly at: number; readonly place: string } {
  const isBracketed = line.endsWith(')');
  for (const mark of isBracketed ? [' ('] : ['  ', ' — ', ' – ', ' - ']) {
    const at = line.lastIndexOf(mark);
    const written = line.slice(at + mark.length, isBracketed ? -1 : undefined).trim();
    const place = written.replace(/^`([^`]+)`$/, '$1');
    if (at > 0 && /^\S+$/.test(place) && (mark === '  ' || /[./]\w/.test(place))) return { at, place };
  }
  return { at: 0, place: '' };
}
