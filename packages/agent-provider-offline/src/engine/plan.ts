import type { JsonObject } from '@robota-sdk/agent-core';

/** A tool call a plan wants made. */
export interface PlannedCall {
  readonly tool: string;
  readonly input: JsonObject;
}

/** One turn of a plan: text, and the calls whose results the next turn needs. */
export interface Step {
  readonly say?: string;
  readonly calls: readonly PlannedCall[];
}

/** The result of a call. */
export interface CallResult {
  readonly text: string;
  readonly isError: boolean;
  /** The call was not permitted, rather than tried and failed. */
  readonly denied: boolean;
}

/** The last answer of a plan; a failed one stops the steps after it. */
export interface PlanAnswer {
  readonly text: string;
  readonly failed?: boolean;
}

/**
 * A job, written as a generator that yields steps and receives their results. It is run again from its start for
 * every turn, with the results the conversation holds, so it must depend on nothing else.
 */
export type Plan = Generator<Step, PlanAnswer, readonly CallResult[]>;

/** A part of a plan that ends with a value. */
export type Steps<T> = Generator<Step, T, readonly CallResult[]>;

/** Makes one call and gives its result. */
export function* makeCall(tool: string, input: JsonObject): Steps<CallResult> {
  const [result] = yield { calls: [{ tool, input }] };
  return result ?? lostResult;
}

/** Stands for a call whose result the conversation lost. */
export const lostResult: CallResult = { text: 'The result is missing.', isError: true, denied: false };

export function failed(text: string): PlanAnswer {
  return { text, failed: true };
}
