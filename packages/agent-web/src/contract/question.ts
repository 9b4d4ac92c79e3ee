import type { FileDiff, JsonValue } from '@robota-sdk/agent-core';
import type { WebFailure } from './route.ts';

/**
 * A question that waits, with everything a reader needs for the answer. An answer names the id and the digest; it is
 * refused with 409 if the question was answered elsewhere or is another one by now.
 */
export interface WebQuestion {
  readonly id: string;
  readonly digest: string;
  readonly kind: 'permission' | 'select' | 'confirm' | 'text';
  readonly title: string;
  readonly detail?: string;
  /** Unix milliseconds. */
  readonly asked: number;
  readonly call?: AskedToolCall;
  /** Labelled sentences, such as why it is asked and what it can touch. */
  readonly reasons: readonly { readonly label: string; readonly text: string }[];
  /** Reasons to be careful, one phrase each. A yes is then not selected first. */
  readonly dangers: readonly string[];
  readonly choices: readonly WebChoice[];
  /** Several choices may be given. */
  readonly multiple?: boolean;
  /** The label of a typed answer; without it only choices are answers. */
  readonly textLabel?: string;
  /** The typed answer is a secret. */
  readonly masked?: boolean;
}

/** The call of a tool that a permission question is about. */
export interface AskedToolCall {
  readonly tool: string;
  readonly input: JsonValue;
  /** The whole command, if it is one. */
  readonly command?: string;
  /** The single commands of the line, in order, with what the rules say about each. */
  readonly commands?: readonly {
    readonly text: string;
    readonly outcome: 'allowed' | 'asks' | 'denied';
    readonly rule?: string;
    /** The rules that would allow it, which an answer for longer adds. */
    readonly needs?: readonly string[];
  }[];
  /** The whole change, if it edits a file. */
  readonly diff?: FileDiff;
}

/** One answer; those of a permission question are `once`, `session`, `project` and `deny`. */
export interface WebChoice {
  readonly id: string;
  readonly label: string;
  readonly description?: string;
  /** The rules that this answer would save, and the file that would get them. */
  readonly saves?: { readonly file: string; readonly rules: readonly string[] };
  /** It takes a text besides, such as the reason of a refusal; this is its placeholder. */
  readonly text?: string;
}

/** Body of `POST /api/sessions/:id/answers`. */
export interface AnswerRequest {
  readonly questionId: string;
  readonly digest: string;
  readonly answer:
    | { readonly choice: string | readonly string[]; readonly text?: string }
    | { readonly text: string }
    /** Denies a call and stops the run. */
    | { readonly dismissed: true };
}

/** The reply with status 409 to an answer that came late. */
export interface StaleAnswer extends WebFailure {
  readonly code: 'question-settled';
  readonly settled: SettledQuestion;
  /** The questions that wait now. */
  readonly questions: readonly WebQuestion[];
}

/** How a question was settled before an answer arrived. */
export interface SettledQuestion {
  /** `gone`: withdrawn, for example since the run was stopped; `changed`: it is another question by now. */
  readonly by: 'terminal' | 'browser' | 'gone' | 'changed';
  /** A sentence, such as "Already answered in the terminal: Yes." */
  readonly text: string;
}
