import type { Answer, Question } from '@robota-sdk/agent-sdk/front-end';
import { type InputEvent, renderKeyHints } from '@robota-sdk/agent-tui';
import type { AppKeybindings } from '../keys/app-actions.ts';
import type { Panel } from '../stage/stage.ts';
import type { AppStyle } from '../theme/app-tokens.ts';
import type { AnswerGuard } from './answer-guard.ts';
import { type DrawnSubject, drawSubject } from './draw-subject.ts';
import { QuestionText } from './question-text.ts';

/** Services for asking a question on the screen. */
export interface QuestionServices {
  readonly look: AppStyle;
  readonly keys: AppKeybindings;
  readonly guard: AnswerGuard;
  /** Something is to be painted. */
  refresh(): void;
  /** Takes the answer; the question is over with the first. */
  answer(answer: Answer): void;
  /** Opens a text in the user's editor; undefined if it is unchanged. */
  edit?(text: string): Promise<string | undefined>;
  /** Copies a text. */
  copy?(text: string): void;
  /** Cancels this question and those queued after it. */
  giveUp(): void;
}

/** In so few rows the question has all of them. */
const lowRows = 8;

/** A question above the editor: its text, and below it what answers it. */
export abstract class QuestionPanel<Asked extends Question = Question> implements Panel {
  rows = 24;
  protected readonly question: Asked;
  protected readonly services: QuestionServices;
  readonly #text: QuestionText;
  #forDraft: readonly InputEvent[] = [];

  constructor(question: Asked, services: QuestionServices) {
    this.question = question;
    this.services = services;
    this.#text = new QuestionText(question, { ...services, draw: (width) => this.drawSubject(width) });
  }

  get draft(): 'typed' | 'kept' {
    return this.services.guard.isDrafting ? 'typed' : 'kept';
  }

  render(width: number): readonly string[] {
    const isLow = this.rows <= lowRows;
    const foot = this.#foot(width).length;
    const blanks = this.rows >= 12 ? 2 : 0;
    const rows = Math.max(4, this.rows - foot - blanks);
    const least = Math.min(this.#text.wantedRows(width), Math.max(2, Math.floor(rows / 2)));
    const answers = this.renderAnswers(width, Math.max(1, rows - least));
    this.#text.rows = rows - answers.length;
    const text = this.#text.render(width);
    const spare = this.rows - text.length - answers.length - foot;
    const [before, after] = [!isLow && spare > 0 ? [''] : [], !isLow && spare > 1 && foot > 0 ? [''] : []];
    // Drawing the text shows whether there is more of it, which the hints say.
    const lines = [...text, ...before, ...answers, ...after, ...this.#foot(width)];
    return lines.slice(0, Math.max(1, this.rows));
  }

  /** False for keys that are not for the question: those of the draft that it interrupted, and those without an effect. */
  handleInput(event: InputEvent): boolean {
    this.#forDraft = [];
    if (event.type !== 'key' && event.type !== 'paste') return false;
    if (event.type === 'key' && event.action === 'release') return false;
    const { guard } = this.services;
    const receiver = guard.receiverOf(event, { keepsTab: this.keepsTab, keepsRow: this.keepsRow });
    this.services.refresh();
    if (receiver === 'draft') this.#forDraft = [...guard.takeBack(), event];
    if (receiver !== 'question') return receiver === 'none';
    const isTaken = this.handleKey(event) || this.#text.handleInput(event);
    if (this.#forDraft.length > 0) return false;
    return isTaken || event.type === 'paste' || event.text !== '';
  }

  forDraft(): readonly InputEvent[] {
    return this.#forDraft;
  }

  keysElsewhere(until: number): void {
    this.services.guard.keysElsewhere(until);
    this.services.refresh();
  }

  cancel(): void {
    this.services.giveUp();
  }

  invalidate(): void {
    this.#text.invalidate();
  }

  /** The user declines to answer. */
  protected dismiss(): void {
    this.services.answer({ kind: 'dismissed' });
  }

  /** Puts a text into the editor, which has the keys from now on. */
  protected leaveToDraft(text: string): void {
    this.services.guard.turnToDraft();
    this.#forDraft = [{ type: 'paste', text }];
  }

  /** Lets the text have a key before the answers do. */
  protected scroll(event: InputEvent): boolean {
    return this.#text.handleInput(event);
  }

  /** True if the text does not fit and its end was not scrolled to. */
  protected get isUnread(): boolean {
    return this.#text.isUnread;
  }

  /** Shows more of a text that does not fit; false where its end was in sight. */
  protected readOn(): boolean {
    if (!this.isUnread) return false;
    this.#text.readOn();
    this.services.refresh();
    return true;
  }

  /** Draws the subject of the question in a width. */
  protected drawSubject(width: number): DrawnSubject {
    return drawSubject(this.question, { look: this.services.look, width });
  }

  /** The subject has changed. */
  protected redraw(): void {
    this.#text.invalidate();
  }

  /** Scrolls to a row of the subject. */
  protected reveal(row: number): void {
    this.#text.reveal(row);
  }

  /** Some of the text can be unfolded or folded again. */
  protected get hasFold(): boolean {
    return this.#text.hasFold;
  }

  protected get isFolded(): boolean {
    return this.#text.isFolded;
  }

  protected toggleFold(): void {
    this.#text.toggleFold();
  }

  /** Tab marks an option, so that it cannot move to the draft. */
  protected get keepsTab(): boolean {
    return false;
  }

  /** The first arrow selects the row that the list begins at. */
  protected get keepsRow(): boolean {
    return false;
  }

  #foot(width: number): readonly string[] {
    const { look, guard } = this.services;
    if (!guard.isDrafting) return this.rows > lowRows ? [this.hints(width)] : [];
    const told = 'You were typing.';
    const hints = [
      { keys: 'enter', text: 'send your text' },
      { keys: 'tab', text: 'answer the question' },
    ];
    return [
      `${look.paint('warning', told)} ${renderKeyHints(hints, Math.max(1, width - told.length - 1), look)}`,
    ];
  }

  /** The answers in at most so many rows. */
  protected abstract renderAnswers(width: number, rows: number): readonly string[];
  protected abstract handleKey(event: InputEvent): boolean;
  protected abstract hints(width: number): string;
}
