import {
  AgentError,
  addUsage,
  type Denial,
  type JsonValue,
  type AgentEvent as LoopEvent,
  type ModelRef,
  noUsage,
  type RunOutcome,
  type Usage,
} from '@robota-sdk/agent-core';
import type { ContextState } from '@robota-sdk/agent-sessions';

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
  /** The text of the last answer; what there is of it where the run ended early. */
  readonly text: string;
  readonly sessionId: string;
  readonly turns: number;
  /** Tokens and US dollars, those of subagents and summaries included. */
  readonly usage: Usage;
  readonly cost: number;
  /** By `vendor/model`. */
  readonly models: Readonly<Record<string, ModelUse>>;
  readonly denials: readonly RunDenial[];
  /** How full the window is; absent where no session could be opened. */
  readonly context?: ContextState;
  readonly durationMs: number;
}

/** How a run ended. Ask for `status` before `output` or `error`. */
export type RunResult<T = string> =
  | (RunFacts & { readonly status: 'completed'; readonly output: T })
  | (RunFacts & { readonly status: 'failed' | 'limit' | 'aborted'; readonly error: AgentError });

/** Adds up what models did in a run, from its events. */
export class ModelMeter {
  readonly models: Record<string, ModelUse> = {};
  readonly #current = new Map<string, ModelRef>();

  /** `agentId` tells the turns of subagents apart. */
  count(event: LoopEvent, agentId = ''): void {
    if (event.type === 'turn-start') this.#current.set(agentId, event.model);
    if (event.type === 'model-switch') this.#current.set(agentId, event.to);
    const model = this.#current.get(agentId);
    if (event.type !== 'turn-end' || !model) return;
    const name = `${model.vendor}/${model.id}`;
    const { calls, usage, cost } = this.models[name] ?? { calls: 0, usage: noUsage, cost: 0 };
    this.models[name] = { calls: calls + 1, usage: addUsage(usage, event.usage), cost: cost + event.cost };
  }
}

/** Input for a result, beside the outcome of the loop. */
export interface ResultContext<T> {
  readonly sessionId: string;
  readonly durationMs: number;
  readonly models: Readonly<Record<string, ModelUse>>;
  readonly context?: ContextState | undefined;
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
