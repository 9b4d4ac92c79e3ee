import type { Answer, PermissionMode } from '@robota-sdk/agent-core';
import type { AskedQuestion, SessionEvent } from '@robota-sdk/agent-sdk/front-end';

/** A question that waits, with what an answer has to name: the digest changes with every word of the question. */
export interface WaitingQuestion extends AskedQuestion {
  readonly digest: string;
}

/** The kind of a process that shows a session: `robota` in a terminal, or `robota web`. */
export type Front = 'terminal' | 'web';

/** The outcome of an answer. Where it came late, `by` and `text` say what happened to the question. */
export type AnswerOutcome =
  | { readonly isTaken: true }
  | {
      readonly isTaken: false;
      /** `gone`: withdrawn, or never asked; `changed`: it is another question by now. */
      readonly by: Front | 'gone' | 'changed';
      /** The answer in words, such as "Yes"; empty where there was none. */
      readonly text: string;
    };

/** The outcome of a request to hand a session over. */
export type HandOverOutcome =
  | { readonly isFree: true }
  /** A run is active, and the request did not ask to stop it; or it cannot be handed over now. */
  | { readonly isFree: false; readonly why: 'run-active' | 'refused'; readonly text: string };

/** A message that waits for the run. */
export interface QueuedMessageText {
  readonly id: string;
  readonly as: 'steer' | 'queue';
  readonly text: string;
}

/** The part of a live session that stands in no entry. */
export interface LinkedFacts {
  /** When the active run began, in Unix milliseconds; null while none is. */
  readonly runningSince: number | null;
  /** Counts the turns of the run. */
  readonly turn: number;
  /** `vendor/id`. */
  readonly model: string;
  readonly models: readonly string[];
  readonly mode: PermissionMode;
  readonly todos: readonly { readonly content: string; readonly status: string }[];
  readonly context: {
    readonly used: number;
    readonly max: number;
    /** 0 to 1. */
    readonly compactsAt: number;
    readonly parts: readonly { readonly name: string; readonly tokens: number }[];
  };
  readonly queue: readonly QueuedMessageText[];
}

/** A change of a live session. */
export type LinkChange =
  | { readonly type: 'event'; readonly event: SessionEvent }
  | { readonly type: 'facts' }
  | { readonly type: 'questions' }
  /** Changes were dropped, since the reader was too slow: `live()`, `facts()` and `questions()` are true again. */
  | { readonly type: 'gap' }
  /** The session is over or released, or its process is gone. */
  | { readonly type: 'end' };

/** A live session, whether this process holds it or another one. */
export interface LinkedSession {
  readonly sessionId: string;
  readonly holder: { readonly front: Front; readonly pid: number };
  facts(): LinkedFacts;
  /** Events that repeat what is under way: the text so far, the calls that run. */
  live(): readonly SessionEvent[];
  questions(): readonly WaitingQuestion[];
  /** Tells every change from now on. */
  subscribe(listener: (change: LinkChange) => void): () => void;
  /** The first answer wins, wherever it is given. */
  answer(answer: {
    readonly id: string;
    readonly digest: string;
    readonly answer: Answer;
  }): Promise<AnswerOutcome>;
  /** Asks the holder to release the session; its user is told. */
  handOver(options: { readonly stop: boolean }): Promise<HandOverOutcome>;
}
