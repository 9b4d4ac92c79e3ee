import { randomBytes } from 'node:crypto';
import type { Answer, Notice, Question, UserInterface } from '@robota-sdk/agent-core';
import { Listeners } from '@robota-sdk/agent-core';
import type { AskedQuestion, QuestionChange, QuestionSource } from '@robota-sdk/agent-sdk/front-end';

interface Waiting extends AskedQuestion {
  settle(answer: Answer, by: 'elsewhere' | 'withdrawn'): void;
}

/** The user of a session that this server holds: questions wait until a page or another process answers them. */
export class WebQuestions implements UserInterface, QuestionSource {
  readonly #waiting = new Map<string, Waiting>();
  readonly #listeners = new Listeners<QuestionChange>();
  readonly subscribe = this.#listeners.add;
  #notify: ((notice: Notice) => void) | undefined;
  #isClosed = false;

  /** Questions and notices reach pages from now on: they can see the session. */
  open(notify: (notice: Notice) => void): void {
    this.#notify = notify;
  }

  ask(question: Question, signal?: AbortSignal): Promise<Answer> {
    if (signal?.aborted || this.#isClosed) return Promise.resolve({ kind: 'dismissed' });
    if (!this.#notify)
      return Promise.resolve({ kind: 'unavailable', reason: 'No page can show a question yet.' });
    return new Promise((resolve) => {
      const id = randomBytes(8).toString('hex');
      const withdraw = () => settle({ kind: 'dismissed' }, 'withdrawn');
      const settle: Waiting['settle'] = (answer, by) => {
        this.#waiting.delete(id);
        signal?.removeEventListener('abort', withdraw);
        this.#listeners.tell({ type: 'settled', id, answer, by });
        resolve(answer);
      };
      signal?.addEventListener('abort', withdraw, { once: true });
      this.#waiting.set(id, { id, question, since: Date.now(), settle });
      this.#listeners.tell({ type: 'asked', id });
    });
  }

  notify(notice: Notice): void {
    this.#notify?.(notice);
  }

  waiting(): readonly AskedQuestion[] {
    return [...this.#waiting.values()];
  }

  answer(id: string, answer: Answer): boolean {
    const waiting = this.#waiting.get(id);
    waiting?.settle(answer, 'elsewhere');
    return waiting !== undefined;
  }

  /** Withdraws all questions; later ones are dismissed. */
  close(): void {
    this.#isClosed = true;
    for (const { settle } of [...this.#waiting.values()]) settle({ kind: 'dismissed' }, 'withdrawn');
  }
}
