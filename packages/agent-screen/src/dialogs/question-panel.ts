import type { Answer, Question } from '@robota-sdk/agent-sdk/front-end';
import { type InputEvent, truncateText } from '@robota-sdk/agent-tui';
import type { AppKeybindings } from '../keys/app-actions.ts';
import type { Panel } from '../stage/stage.ts';
import type { AppStyle } from '../theme/app-tokens.ts';
import type { AnswerGuard, KeyReceiver } from './answer-guard.ts';
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
  /** Cancels this question and those queued after it. */
  giveUp(): void;
}

/** In so few rows the question has all of them. */
const lowRows = 8;

/** A question in the place of the editor: its text, and below it what answers it. */
export abstract class QuestionPanel<Asked extends Question = Question> implements Panel {
  rows = 24;
  protected readonly question: Asked;
  protected readonly desk: QuestionServices;
  readonly #text: QuestionText;
  #receiver: KeyReceiver = 'question';

  constructor(question: Asked, desk: QuestionServices) {
    this.question = question;
    this.desk = desk;
    this.#text = new QuestionText(question, desk);
  }

  get draft(): 'typed' | 'kept' | undefined {
    const { isDrafting, isInterrupting } = this.desk.guard;
    if (isDrafting) return 'typed';
    return isInterrupting ? 'kept' : undefined;
  }

  render(width: number): readonly string[] {
    const hints = this.#foot(width);
    const blank = this.rows >= 12 ? [''] : [];
    const rows = Math.max(4, this.rows - hints.length - blank.length);
    const least = Math.min(this.#text.wantedRows(width), Math.max(2, Math.floor(rows / 2)));
    const answers = this.renderAnswers(width, Math.max(1, rows - least));
    this.#text.rows = rows - answers.length;
    // Drawing the text shows whether there is more of it, which the hints say.
    const lines = [...this.#text.render(width), ...blank, ...answers, ...this.#foot(width)];
    return lines.slice(0, Math.max(1, this.rows));
  }

  /** False for keys that are not for the question: those of the draft that it interrupted, and those without an effect. */
  handleInput(event: InputEvent): boolean {
    if (event.type !== 'key' && event.type !== 'paste') return false;
    if (event.type === 'key' && event.action === 'release') return false;
    this.#receiver = this.desk.guard.receiverOf(event, this.isWriting);
    this.desk.refresh();
    if (this.#receiver !== 'question') return false;
    const isTaken = this.handleKey(event) || this.#text.handleInput(event);
    return isTaken || event.type === 'paste' || event.text !== '';
  }

  isForDraft(): boolean {
    return this.#receiver === 'draft';
  }

  cancel(): void {
    this.desk.giveUp();
  }

  invalidate(): void {
    this.#text.invalidate();
  }

  /** The user declines to answer. */
  protected dismiss(): void {
    this.desk.answer({ kind: 'dismissed' });
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
    this.desk.refresh();
    return true;
  }

  #foot(width: number): readonly string[] {
    const { look, guard } = this.desk;
    if (guard.isDrafting)
      return [look.paint('warning', truncateText(typingHint(look), width, look.glyphs.ellipsis))];
    return this.rows > lowRows ? [this.hints(width)] : [];
  }

  /** Text that is typed now belongs to the question. */
  protected abstract get isWriting(): boolean;
  /** The answers in at most so many rows. */
  protected abstract renderAnswers(width: number, rows: number): readonly string[];
  protected abstract handleKey(event: InputEvent): boolean;
  protected abstract hints(width: number): string;
}

function typingHint({ glyphs: { up, down } }: AppStyle): string {
  return ` You were typing; your text is kept. ${up}${down} to choose, then enter`;
}
