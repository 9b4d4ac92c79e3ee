import { AgentError, type UserInterface } from '@robota-sdk/agent-core';
import type { Answer, Question } from '../contract/question.ts';
import type { SessionEvent } from '../contract/session-event.ts';
import { loopAnswer, questionOf } from './question.ts';

/** Answers questions instead of a user; undefined dismisses the question. */
export type Answerer = (
  question: Question,
  options: { readonly signal: AbortSignal },
) => Answer | undefined | Promise<Answer | undefined>;

/**
 * `deny`: calls that need approval are denied; `wait`: questions wait for `session.answer`; or a function answers them.
 */
export type QuestionPolicy = 'deny' | 'wait' | Answerer;

const dismissed: Answer = { dismissed: true };

/** The questions of one session that wait for an answer. */
export class PendingQuestions {
  readonly #policy: 'wait' | Answerer;
  readonly #publish: (event: SessionEvent) => void;
  readonly #waiting = new Map<string, (answer: Answer) => void>();
  #count = 0;

  constructor(policy: 'wait' | Answerer, publish: (event: SessionEvent) => void) {
    this.#policy = policy;
    this.#publish = publish;
  }

  /** The port of the session to its user. */
  readonly ui: UserInterface = {
    ask: async (asked, signal = new AbortController().signal) => {
      const question = questionOf(asked, `question-${++this.#count}`);
      // Registered before it is announced, so that a listener may answer immediately.
      const answered = this.#answerTo(question, signal);
      this.#publish({ type: 'question-start', question });
      const answer = await answered;
      this.#publish({ type: 'question-end', questionId: question.id, answer });
      return loopAnswer(asked, answer);
    },
    notify: ({ level, text }) => this.#publish({ type: 'notice-show', level, text }),
  };

  /** Answers a question that waits. */
  answer(id: string, answer: Answer): void {
    const settle = this.#waiting.get(id);
    if (!settle) throw new AgentError('usage', `No question "${id}" waits for an answer in this session.`);
    settle(answer);
  }

  /** Dismisses everything that waits. */
  dismissAll(): void {
    for (const settle of [...this.#waiting.values()]) settle(dismissed);
  }

  #answerTo(question: Question, signal: AbortSignal): Promise<Answer> {
    const policy = this.#policy;
    return new Promise((resolve) => {
      const settle = (answer: Answer) => {
        this.#waiting.delete(question.id);
        signal.removeEventListener('abort', dismiss);
        resolve(answer);
      };
      const dismiss = () => settle(dismissed);
      if (signal.aborted) return dismiss();
      this.#waiting.set(question.id, settle);
      signal.addEventListener('abort', dismiss, { once: true });
      if (policy === 'wait') return;
      // An answerer that throws has not answered.
      void Promise.resolve()
        .then(() => policy(question, { signal }))
        .then((answer) => settle(answer ?? dismissed), dismiss);
    });
  }
}
