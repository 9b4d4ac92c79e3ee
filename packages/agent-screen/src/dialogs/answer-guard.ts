import { type InputEvent, type KeyEvent, matchesKey } from '@robota-sdk/agent-tui';
import type { AppKeybindings } from '../keys/app-actions.ts';

/** The editor below a question. */
export interface DraftState {
  readonly isEmpty: boolean;
  /** When the user last pressed a key in it, in milliseconds; nothing once the text was sent. */
  readonly typedAt: number | undefined;
  /** When a text was last sent while a run was at work, in milliseconds: the next one may follow. */
  readonly queuedAt?: number | undefined;
  /** How many texts were sent so far. */
  readonly sent: number;
  /** Escape has a meaning in the editor: it closes a menu, or changes the mode of vim. */
  readonly ownsEscape: boolean;
  /** Tab completes from a menu. */
  readonly ownsTab: boolean;
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

/** Keys that a question needs for itself. */
export interface QuestionNeeds {
  readonly keepsTab: boolean;
  /** The first arrow selects the row that the question begins at, such as the denial of something dangerous. */
  readonly keepsRow?: boolean;
}

/** The receiver of a key: the question, the editor below it, or none. */
export type KeyReceiver = 'question' | 'draft' | 'none';

/** Enter is ignored this long after a question appeared: it was read by no one. */
const noticeMs = 500;
/** A key this short ago means that the user is typing. */
const typingMs = 1_000;
/** A little more than the longest pause of a slow typist: until then, a text after one that was sent is still typing. */
const longestPauseMs = 3_500;
/** A question this soon after an answer follows it; the user is not typing but answering. */
const followingMs = 1_000;

/** `sent`: the text was sent from below the question, so that the next words begin another text. */
type Focus = 'editor' | 'sent' | 'question';

/**
 * Decides where each key goes. A question that interrupts typing leaves all keys to the editor until tab, escape or
 * sending the text moves to the question. From there on enter answers only after an arrow or a digit chose a row.
 */
export class AnswerGuard {
  readonly #now: () => number;
  readonly #options: AnswerGuardOptions;
  #closedUntil: number;
  #focus: Focus;
  /** A row is selected, so enter may answer. */
  #hasChosen: boolean;
  /** How many texts had been sent, and when the last one was noticed. */
  #sent: number;
  #sentAt = Number.NEGATIVE_INFINITY;
  /** Digits that chose a row; more text makes them the beginning of a sentence. */
  #digits: InputEvent[] = [];
  #takenBack: readonly InputEvent[] = [];
  #keepsRow = false;
  readonly #openedAt: number;
  /** Until then, keys are taken for the last of those that went elsewhere. */
  #elsewhereUntil = Number.NEGATIVE_INFINITY;

  constructor(options: AnswerGuardOptions) {
    const { now = () => performance.now() } = options;
    this.#now = now;
    this.#options = options;
    this.#openedAt = now();
    this.#closedUntil = this.#openedAt + noticeMs;
    const isTyping = isTypingNow(options, now());
    const isFollowing = isFollowingNow(options, now());
    this.#focus = isTyping && !isFollowing ? 'editor' : 'question';
    this.#hasChosen = !isTyping;
    this.#sent = options.draft?.().sent ?? 0;
    const queuedAt = queuedJustNow(options, now());
    if (queuedAt !== undefined && this.#focus === 'question') this.#noteSent(queuedAt);
  }

  /** Keys belong to the editor. */
  get isDrafting(): boolean {
    this.#noticeSent();
    return this.#focus === 'editor';
  }

  /** Enter would take the selected row. */
  get hasChosen(): boolean {
    return !this.isDrafting && this.#hasChosen;
  }

  /** Keys that the question took before it was clear that they begin a text for the editor. */
  takeBack(): readonly InputEvent[] {
    const events = this.#takenBack;
    this.#takenBack = [];
    return events;
  }

  /** Leaves all keys to the editor until tab or escape moves to the question. */
  turnToDraft(): void {
    this.#turnTo('editor');
  }

  /**
   * Keys went to a screen, a picker or another program until then: those that follow without a pause are no answers. A
   * question that interrupted them has no row selected; one that is back in sight is as it was.
   */
  keysElsewhere(until: number): void {
    const isInterrupting = until <= this.#openedAt;
    if (isInterrupting && this.#openedAt - until >= typingMs) return;
    this.#elsewhereUntil = until + (isInterrupting ? typingMs : noticeMs);
    if (isInterrupting) this.#hasChosen = false;
  }

  /** A text was sent just now: a digit may begin the next one. */
  get isAfterSending(): boolean {
    return this.#focus === 'sent';
  }

  /** Decides where a key or a paste goes. */
  receiverOf(event: InputEvent, { keepsTab, keepsRow = false }: QuestionNeeds): KeyReceiver {
    if (event.type !== 'key' && event.type !== 'paste') return 'question';
    this.#keepsRow = keepsRow;
    this.#noticeSent();
    if (this.#isForElsewhere()) return 'none';
    if (this.#focus === 'editor') return this.#inEditor(event);
    if (event.type === 'key' && matchesKey(event, 'tab') && !keepsTab && this.#options.draft)
      return this.#turnTo('editor');
    if (this.#focus === 'sent') return this.#afterSending(event);
    return this.#inQuestion(event);
  }

  #isForElsewhere(): boolean {
    const now = this.#now();
    if (this.#focus !== 'question' || now >= this.#elsewhereUntil) return false;
    this.#elsewhereUntil = now + noticeMs;
    this.#hasChosen = false;
    return true;
  }

  #inEditor(event: InputEvent): KeyReceiver {
    const { keys, draft } = this.#options;
    if (event.type !== 'key') return 'draft';
    if (matchesKey(event, 'tab') && draft?.().ownsTab !== true) return this.#turnTo('question');
    if (matchesKey(event, 'escape') && draft?.().ownsEscape !== true) return this.#turnTo('question');
    return keys.find(event, ['tui.select.pageUp', 'tui.select.pageDown']) ? 'question' : 'draft';
  }

  /** Words begin another text; a digit after a pause, an arrow or escape is for the question. */
  #afterSending(event: InputEvent): KeyReceiver {
    const isPaused = this.#now() - this.#sentAt > longestPauseMs;
    if (!isTextEvent(event)) {
      if (event.type === 'key' && this.#isEscape(event) && !isPaused) return this.#turnTo('question');
      return this.#inQuestion(event);
    }
    const isDigit = event.type === 'key' && /^[1-9]$/.test(event.text);
    if (isDigit && isPaused) {
      this.#digits.push(event);
      this.#hasChosen = true;
      return 'question';
    }
    this.#takenBack = this.#digits.splice(0);
    this.#turnTo('editor');
    return 'draft';
  }

  #inQuestion(event: InputEvent): KeyReceiver {
    const { keys, draft } = this.#options;
    const now = this.#now();
    const isHasty = now < this.#closedUntil;
    if (isTextEvent(event)) {
      if (isHasty && draft) this.#turnTo('editor');
      if (isHasty) return draft ? 'draft' : 'none';
      this.#hasChosen = true;
      return 'question';
    }
    if (event.type !== 'key') return 'question';
    const isEnter = keys.matches(event, 'tui.select.confirm');
    if (isHasty && (isEnter || this.#isEscape(event))) {
      this.#closedUntil = now + noticeMs;
      return 'none';
    }
    if (isEnter) return this.#hasChosen ? 'question' : 'none';
    return this.#choosing(event);
  }

  /** The first arrow selects a row: the one where the list begins, or with up the last. */
  #choosing(event: KeyEvent): KeyReceiver {
    const { keys } = this.#options;
    const arrow = keys.find(event, ['tui.select.up', 'tui.select.down']);
    if (this.#focus === 'sent' && arrow) this.#focus = 'question';
    if (this.#hasChosen || !arrow) return 'question';
    this.#hasChosen = true;
    return arrow === 'tui.select.up' && !this.#keepsRow ? 'question' : 'none';
  }

  #isEscape(event: KeyEvent): boolean {
    return this.#options.keys.matches(event, 'tui.select.cancel');
  }

  #turnTo(focus: 'editor' | 'question'): KeyReceiver {
    this.#focus = focus;
    this.#hasChosen = false;
    this.#digits = [];
    return 'none';
  }

  /** Sending the text moves to the question. */
  #noticeSent(): void {
    const sent = this.#options.draft?.().sent ?? 0;
    if (sent === this.#sent) return;
    this.#sent = sent;
    if (this.#focus === 'editor') this.#noteSent(this.#now());
  }

  #noteSent(time: number): void {
    this.#focus = 'sent';
    this.#hasChosen = false;
    this.#sentAt = time;
  }
}

function isTextEvent(event: InputEvent): boolean {
  return event.type === 'paste' || (event.type === 'key' && event.text !== '');
}

function isTypingNow({ draft }: AnswerGuardOptions, now: number): boolean {
  if (!draft) return false;
  const { isEmpty, typedAt = Number.NEGATIVE_INFINITY } = draft();
  return !isEmpty || now - typedAt < typingMs;
}

/** When the user sent a text to the run, if the next one may still follow it. */
function queuedJustNow(
  { draft, answeredAt = Number.NEGATIVE_INFINITY }: AnswerGuardOptions,
  now: number,
): number | undefined {
  const { queuedAt } = draft?.() ?? {};
  if (queuedAt === undefined || queuedAt < answeredAt) return undefined;
  return now - queuedAt <= longestPauseMs ? queuedAt : undefined;
}

function isFollowingNow(
  { draft, answeredAt = Number.NEGATIVE_INFINITY }: AnswerGuardOptions,
  now: number,
): boolean {
  const { typedAt = Number.NEGATIVE_INFINITY } = draft?.() ?? {};
  return answeredAt > typedAt && now - answeredAt < followingMs;
}
