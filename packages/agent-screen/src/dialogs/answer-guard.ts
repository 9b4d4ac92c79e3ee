import { type InputEvent, type KeyEvent, matchesKey } from '@robota-sdk/agent-tui';
import type { AppKeybindings } from '../keys/app-actions.ts';

/** The text in the editor that a question may interrupt. */
export interface DraftState {
  readonly isEmpty: boolean;
  /** When the user last changed it, in milliseconds; nothing once it was sent. */
  readonly typedAt: number | undefined;
  /** Escape changes the editor's mode, as in vim. */
  readonly ownsEscape: boolean;
}

/** The clock and the draft that decide whether a key is an answer. */
export interface KeyClock {
  now?(): number;
  draft?(): DraftState;
}

export interface AnswerGuardOptions extends KeyClock {
  readonly keys: AppKeybindings;
  /** When the previous question was answered, in milliseconds. */
  readonly answeredAt?: number;
}

/** The receiver of a key: the question, the draft in the editor, or none. */
export type KeyReceiver = 'question' | 'draft' | 'none';

/** No one reads a question and answers it in this time. */
const noticeMs = 300;
/** The longest pause of a slow typist: a younger key means that they are still typing. */
const typingMs = 3_000;
/** A question this soon after an answer follows it; the user is not typing but answering. */
const followingMs = 1_000;

/**
 * Keeps keys from a question that were meant for the editor. A question that interrupts typing leaves all text to the
 * draft, and enter answers it only directly after a key that chooses: arrows or escape.
 */
export class AnswerGuard {
  readonly #now: () => number;
  readonly #options: AnswerGuardOptions;
  #closedUntil: number;
  #isInterrupting: boolean;
  #isDrafting: boolean;

  constructor(options: AnswerGuardOptions) {
    const { now = () => performance.now() } = options;
    this.#now = now;
    this.#options = options;
    this.#closedUntil = now() + noticeMs;
    this.#isInterrupting = isTyping(options, now());
    this.#isDrafting = this.#isInterrupting;
  }

  /** The user was typing: keys belong to the draft until one of them chooses. */
  get isDrafting(): boolean {
    return this.#isDrafting;
  }

  /** The question appeared while the user was typing. */
  get isInterrupting(): boolean {
    return this.#isInterrupting;
  }

  /** Decides for whom a key or a paste is; `isWriting` where the question itself has a field for text. */
  receiverOf(event: InputEvent, isWriting: boolean): KeyReceiver {
    if (event.type !== 'key' && event.type !== 'paste') return 'question';
    const now = this.#now();
    const isHasty = now < this.#closedUntil;
    if (isHasty) this.#closedUntil = now + noticeMs;
    const isText = event.type === 'paste' || event.text !== '';
    if (isHasty && isText) this.#isInterrupting = true;
    if (!this.#isInterrupting) return isHasty ? 'none' : 'question';
    if (isText) return this.#receiverOfText(isHasty, isWriting);
    return this.#receiverOfKey(event, isHasty);
  }

  #receiverOfText(isHasty: boolean, isWriting: boolean): KeyReceiver {
    if (isWriting && !this.#isDrafting && !isHasty) return 'question';
    this.#isDrafting = true;
    return 'draft';
  }

  #receiverOfKey(event: KeyEvent, isHasty: boolean): KeyReceiver {
    const { keys, draft } = this.#options;
    if (matchesKey(event, 'ctrl+c')) return isHasty ? 'none' : 'question';
    if (keys.find(event, ['tui.select.pageUp', 'tui.select.pageDown'])) return 'question';
    if (!this.#isDrafting) return isHasty ? 'none' : 'question';
    const isEscape = keys.matches(event, 'tui.select.cancel') && draft?.().ownsEscape !== true;
    const isChoosing = isEscape || keys.find(event, ['tui.select.up', 'tui.select.down']) !== undefined;
    if (isChoosing && isHasty) return 'none';
    if (isChoosing) {
      this.#isDrafting = false;
      // The first escape only turns to the question, and the first key down to its first answer.
      return keys.matches(event, 'tui.select.up') ? 'question' : 'none';
    }
    return keys.matches(event, 'tui.select.confirm') ? 'none' : 'draft';
  }
}

function isTyping(
  { draft, answeredAt = Number.NEGATIVE_INFINITY }: AnswerGuardOptions,
  now: number,
): boolean {
  if (!draft) return false;
  const { isEmpty, typedAt = Number.NEGATIVE_INFINITY } = draft();
  const isFollowing = answeredAt > typedAt && now - answeredAt < followingMs;
  return !isFollowing && (!isEmpty || now - typedAt < typingMs);
}
