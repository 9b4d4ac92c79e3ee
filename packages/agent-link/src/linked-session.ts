import type { Answer, Question } from '@robota-sdk/agent-core';
import type { SessionEvent } from '@robota-sdk/agent-sdk/front-end';

/** A question that waits, with what an answer has to name: the digest changes with every word of the question. */
export interface WaitingQuestion {
  readonly id: string;
  readonly digest: string;
  readonly question: Question;
}

/** A live session, whether this process holds it or another one. */
export interface LinkedSession {
  readonly sessionId: string;
  /** Hears every event from now on, after those that repeat what is under way. */
  subscribe(listener: (event: SessionEvent) => void): () => void;
  questions(): readonly WaitingQuestion[];
  /** False if the question was answered elsewhere, or is another one by now. */
  answer(id: string, digest: string, answer: Answer): Promise<boolean>;
  /** Asks the holder to let go of the session; its person is told. Resolves when the session is free. */
  handOver(): Promise<void>;
}
