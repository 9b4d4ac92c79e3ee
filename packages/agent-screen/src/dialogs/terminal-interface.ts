import {
  type Answer,
  type AskedQuestion,
  Listeners,
  type Question,
  type QuestionChange,
  type QuestionSource,
  randomUuid,
  type UserInterface,
} from '@robota-sdk/agent-sdk/front-end';
import { redacted } from '../items/redacted.ts';
import type { OpenPanel, Panel, Stage } from '../stage/stage.ts';
import { AnswerGuard, type KeyClock } from './answer-guard.ts';
import { describeAnswer } from './describe-answer.ts';
import { PlanPanel } from './plan-panel.ts';
import type { QuestionServices } from './question-panel.ts';
import { SelectPanel } from './select-panel.ts';
import { TextPanel } from './text-panel.ts';

/** Callbacks and key timing of questions. */
export interface TerminalInterfaceOptions extends KeyClock {
  /** A question is shown now; what it returns is called when that is over. */
  onQuestion?(question: Question): () => void;
  /** The user dismissed a question about a call, which stops the run. */
  stop?(): void;
}

/** Asks questions above the editor, one at a time in the order they came; notices go into the scrollback. */
export function terminalInterface(
  stage: Stage,
  options: TerminalInterfaceOptions = {},
): UserInterface & { readonly questions: QuestionSource } {
  const questions = new QuestionQueue(stage, options);
  return {
    ask: (question, signal) => questions.ask(question, signal),
    notify: ({ level, text }) => stage.print({ kind: 'notice', level, text }),
    questions,
  };
}

interface QueuedQuestion extends AskedQuestion {
  readonly signal: AbortSignal | undefined;
  resolve(answer: Answer): void;
  /** Takes it away, shown or not. */
  withdraw(): void;
}

const dismissed: Answer = { kind: 'dismissed' };

class QuestionQueue implements QuestionSource {
  readonly #stage: Stage;
  readonly #options: TerminalInterfaceOptions;
  #waiting: QueuedQuestion[] = [];
  #shown: { readonly asked: QueuedQuestion; close(): void } | undefined;
  readonly #listeners = new Listeners<QuestionChange>();
  readonly subscribe = this.#listeners.add;
  /** When the last question was answered by a key. */
  #answeredAt = Number.NEGATIVE_INFINITY;

  constructor(stage: Stage, options: TerminalInterfaceOptions) {
    this.#stage = stage;
    this.#options = options;
  }

  ask(question: Question, signal?: AbortSignal): Promise<Answer> {
    if (signal?.aborted) return Promise.resolve(dismissed);
    return new Promise((resolve) => {
      const asked: QueuedQuestion = {
        id: randomUuid(),
        since: Date.now(),
        question,
        signal,
        resolve,
        withdraw: () => this.#settle(asked, dismissed, 'withdrawn'),
      };
      signal?.addEventListener('abort', asked.withdraw, { once: true });
      this.#waiting.push(asked);
      this.#next();
      this.#listeners.tell({ type: 'asked', id: asked.id });
    });
  }

  waiting(): readonly QueuedQuestion[] {
    return [...(this.#shown ? [this.#shown.asked] : []), ...this.#waiting];
  }

  answer(id: string, answer: Answer): boolean {
    const asked = this.waiting().find((each) => each.id === id);
    if (!asked) return false;
    const text = describeAnswer(asked.question, answer, this.#stage.look);
    this.#tell(asked, `Answered in the browser${text === undefined ? '' : `: ${text}`}`);
    this.#settle(asked, answer, 'elsewhere');
    this.#stopAfter(asked, answer);
    return true;
  }

  /** Below the line of its call, or at once where that is not shown. */
  #tell({ question }: QueuedQuestion, text: string): void {
    const { session, pending = [] } = this.#stage;
    const id = question.kind === 'select' ? question.about?.call.id : undefined;
    const calls = pending.filter((item) => item.kind === 'tool');
    // A tool that asks by itself runs alone.
    const asker = calls.find((item) =>
      question.isShownByCall ? item.state === 'running' : item.callId === id,
    );
    const after = asker?.callId;
    this.#stage.print({ kind: 'notice', level: 'info', text: session?.redact(text) ?? text, after });
  }

  #next(): void {
    if (this.#shown) return;
    const asked = this.#waiting.shift();
    if (!asked) return;
    const { look, keys, session } = this.#stage;
    const question = redacted(asked.question, (text) => session?.redact(text) ?? text);
    const panel = panelFor(question, {
      look,
      keys,
      guard: new AnswerGuard({ ...this.#options, keys, answeredAt: this.#answeredAt }),
      refresh: () => this.#stage.refresh(),
      answer: (answer) => this.#answer(asked, answer),
      copy: (text) => void this.#stage.copy(text).then(() => this.#stage.tell('Copied the command.')),
      giveUp: () => this.#giveUp(),
      edit: async (text) => {
        const { editExternally } = await import('../editor/edit-externally.ts');
        return editExternally(text, { stage: this.#stage });
      },
    });
    const over = this.#options.onQuestion?.(asked.question);
    // It may be given up while it is being shown, where the terminal is gone.
    let open: OpenPanel | undefined;
    this.#shown = {
      asked,
      close: () => {
        over?.();
        open?.close();
      },
    };
    open = this.#stage.openPanel(panel);
    if (this.#shown?.asked !== asked) open.close();
  }

  #answer(asked: QueuedQuestion, answer: Answer): void {
    if (this.#shown?.asked !== asked) return;
    this.#answeredAt = this.#options.now?.() ?? performance.now();
    const text = describeAnswer(asked.question, answer, this.#stage.look);
    if (text !== undefined) this.#tell(asked, text);
    this.#settle(asked, answer, 'user');
    this.#stopAfter(asked, answer);
  }

  /** Dismissing the question about a call stops the run. */
  #stopAfter({ question }: QueuedQuestion, answer: Answer): void {
    const isOfCall = question.kind === 'select' && question.about !== undefined;
    if (isOfCall && answer.kind === 'dismissed') this.#options.stop?.();
  }

  #giveUp(): void {
    for (const asked of this.#waiting.splice(0)) this.#settle(asked, dismissed, 'withdrawn');
    if (this.#shown) this.#settle(this.#shown.asked, dismissed, 'withdrawn');
  }

  #settle(asked: QueuedQuestion, answer: Answer, by: 'user' | 'elsewhere' | 'withdrawn'): void {
    asked.signal?.removeEventListener('abort', asked.withdraw);
    this.#waiting = this.#waiting.filter((other) => other !== asked);
    const open = this.#shown?.asked === asked ? this.#shown : undefined;
    if (open) this.#shown = undefined;
    asked.resolve(answer);
    // Listeners ask what waits now, which it does no longer.
    this.#listeners.tell({ type: 'settled', id: asked.id, answer, by });
    if (!open) return;
    open.close();
    this.#next();
  }
}

function panelFor(question: Question, services: QuestionServices): Panel {
  switch (question.kind) {
    case 'text':
      return new TextPanel(question, services);
    case 'select':
      return question.about?.display?.kind === 'plan'
        ? new PlanPanel(question, services)
        : new SelectPanel(question, services);
    case 'confirm': {
      const yes = { label: 'Yes', means: 'yes' } as const;
      const no = { label: 'No', means: 'no' } as const;
      const options = question.prefersNo ? [no, yes] : [yes, no];
      const isYes = ([index = -1]: readonly number[]) => options[index] === yes;
      const answer = (given: Answer) =>
        services.answer(given.kind === 'selected' ? { kind: 'confirmed', yes: isYes(given.indexes) } : given);
      return new SelectPanel({ ...question, kind: 'select', options }, { ...services, answer });
    }
  }
}
