import {
  AgentError,
  type Denial,
  type JsonValue,
  noUsage,
  type RunOutcome,
  type Usage,
} from '@robota-sdk/agent-core';
import type { ContextState } from '@robota-sdk/agent-sessions';
import type { GoalReport } from './goal-report.ts';

/** A call that was not allowed, and the rules that would have allowed it. */
interface RunDenial {
  readonly tool: string;
  readonly callId: string;
  readonly input: JsonValue;
  readonly reason: string;
  readonly wouldAllow: readonly string[];
}

/** Calls, tokens and US dollars of one model. */
export interface ModelUse {
  readonly calls: number;
  readonly usage: Usage;
  readonly cost: number;
}

interface RunFacts {
  /** The text of the last answer; partial if the run ended early. */
  readonly text: string;
  readonly sessionId: string;
  readonly turns: number;
  /** Tokens and US dollars, those of subagents and summaries included. */
  readonly usage: Usage;
  readonly cost: number;
  /** By `vendor/model`. */
  readonly models: Readonly<Record<string, ModelUse>>;
  readonly denials: readonly RunDenial[];
  /** How full the window is; absent if no session could be opened. */
  readonly context?: ContextState;
  readonly durationMs: number;
  /** The evidence for the goal of the session, if it has one. */
  readonly goal?: GoalReport;
}

/** How a prompt of an `InteractiveSession` ended. */
export interface IExecutionResult extends RunOutcome {
  /** The answer. */
  readonly response: string;
  readonly contextState: ContextState;
  /** The parsed answer, if a schema was given. */
  readonly structured?: JsonValue;
  /** By `vendor/model`, subagents included. */
  readonly models: Readonly<Record<string, ModelUse>>;
  /** The evidence for the goal of the session, if it has one. */
  readonly goal?: GoalReport;
}

/** How a run ended. Check `status` before `output` or `error`. */
export type RunResult<T = string> =
  | (RunFacts & { readonly status: 'completed'; readonly output: T })
  | (RunFacts & { readonly status: 'failed' | 'limit' | 'aborted'; readonly error: AgentError });

/** Input for a result, besides the outcome of the loop. */
export interface ResultContext<T> {
  readonly sessionId: string;
  readonly durationMs: number;
  readonly models: Readonly<Record<string, ModelUse>>;
  readonly context?: ContextState | undefined;
  readonly goal?: GoalReport | undefined;
  /** The value of a completed run. */
  output(): T;
  /** Why an aborted run was aborted. */
  readonly reason?: unknown;
}

/** The result of a run whose loop has ended. */
export function resultOf<T>(outcome: RunOutcome, context: ResultContext<T>): RunResult<T> {
  const { sessionId, durationMs, models } = context;
  const facts: RunFacts = {
    text: outcome.text,
    sessionId,
    turns: outcome.turns,
    usage: outcome.usage,
    cost: outcome.cost,
    models,
    denials: outcome.denials.map(denialOf),
    durationMs,
    ...(context.context ? { context: context.context } : {}),
    ...(context.goal ? { goal: context.goal } : {}),
  };
  if (outcome.status === 'completed') return { ...facts, status: 'completed', output: context.output() };
  const { status } = outcome;
  return { ...facts, status, error: errorOf(outcome, context) };
}

/** The result of a run that never reached the loop. */
export function failedResult(
  error: AgentError,
  facts: Pick<RunFacts, 'sessionId' | 'durationMs'>,
): RunResult<never> {
  const status = error.kind === 'aborted' ? 'aborted' : error.kind === 'limit' ? 'limit' : 'failed';
  const nothing = { text: '', turns: 0, usage: noUsage, cost: 0, models: {}, denials: [] };
  return { ...nothing, ...facts, status, error };
}

/** The outcome that a result describes. */
export function outcomeOf(result: RunResult<unknown>): RunOutcome {
  const { status, text, turns, usage, cost, denials } = result;
  const error =
    result.status === 'completed' || result.status === 'aborted'
      ? {}
      : { error: { code: result.error.code, message: result.error.message } };
  return {
    status,
    text,
    turns,
    usage,
    cost,
    denials: denials.map(({ tool, callId, ...denial }) => ({
      ...denial,
      toolName: tool,
      toolCallId: callId,
    })),
    ...error,
  };
}

function errorOf<T>(outcome: RunOutcome, { sessionId, reason }: ResultContext<T>): AgentError {
  const { status, text, turns, usage, cost } = outcome;
  const result = { status, text, turns, usage, cost, sessionId };
  if (status === 'aborted') return abortError(reason, result);
  const { code, message } = outcome.error ?? { code: 'internal' as const, message: 'The run failed.' };
  return new AgentError(code, message, { result });
}

/** The error of an interrupted run; its cause is the reason of the signal. */
export function abortError(reason: unknown, result?: AgentError['result']): AgentError {
  return new AgentError('aborted', 'The run was aborted.', { cause: reason, result });
}

function denialOf({ toolCallId, toolName, input, reason, wouldAllow = [] }: Denial): RunDenial {
  return { tool: toolName, callId: toolCallId, input, reason, wouldAllow };
}
