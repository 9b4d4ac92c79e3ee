import type { InputEvent } from '@robota-sdk/agent-tui';

/** What tells when keys were pressed, in milliseconds. */
export interface KeyClock {
  /** The time that is now. */
  now?(): number;
  /** When the last key was pressed that was not for a question. */
  lastKeyAt?(): number;
}

/** Nobody reads a question and answers it in this time: what arrives is of before. */
const noticeMs = 300;
/** Whose last key is younger is still typing. */
const typingMs = 1_000;

/**
 * Keeps keys from a question that were meant for what was there before it: those of somebody who is typing when it appears,
 * until they rest.
 */
export class AnswerGuard {
  readonly #now: () => number;
  #closedUntil: number;

  constructor({ now = () => performance.now(), lastKeyAt }: KeyClock = {}) {
    this.#now = now;
    const isTyping = lastKeyAt === undefined || now() - lastKeyAt() < typingMs;
    this.#closedUntil = isTyping ? now() + noticeMs : 0;
  }

  /** Whether a key or a paste is for the question. */
  admits(event: InputEvent): boolean {
    if (event.type !== 'key' && event.type !== 'paste') return true;
    const now = this.#now();
    if (now >= this.#closedUntil) return true;
    this.#closedUntil = now + noticeMs;
    return false;
  }
}
