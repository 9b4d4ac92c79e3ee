import type { Answer, Question } from '@robota-sdk/agent-core';

/** A question of a front end that waits for its user. */
export interface AskedQuestion {
  readonly id: string;
  readonly question: Question;
  /** Unix milliseconds. */
  readonly since: number;
}

/** A question was asked or ended. `by`: its user, or another front end; absent if it was withdrawn. */
export type QuestionChange =
  | { readonly type: 'asked'; readonly id: string }
  | {
      readonly type: 'settled';
      readonly id: string;
      readonly answer: Answer;
      readonly by: 'user' | 'elsewhere' | 'withdrawn';
    };

/** The questions of a front end, and a way to answer them from elsewhere. */
export interface QuestionSource {
  /** Oldest first. */
  waiting(): readonly AskedQuestion[];
  /** Answers instead of the user; false if the question does not wait any more. */
  answer(id: string, answer: Answer): boolean;
  subscribe(listener: (change: QuestionChange) => void): () => void;
}
