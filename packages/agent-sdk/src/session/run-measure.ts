import { type AgentEvent, addUsage, type ModelRef, noUsage, type RunOutcome } from '@robota-sdk/agent-core';
import type { Conversation } from '@robota-sdk/agent-sessions';
import type { GoalReport } from '../contract/goal-report.ts';
import { type ModelUse, type RunResult, resultOf } from '../contract/run-result.ts';
import { totalsSince } from '../state/totals-since.ts';

/** Measures a run by its events: calls of each model, and the session's spending. */
export class RunMeasure {
  readonly models: Record<string, ModelUse> = {};
  readonly #session: Conversation;
  readonly #before: Conversation['totals'];
  readonly #begun = performance.now();
  readonly #current = new Map<string, ModelRef>();

  constructor(session: Conversation) {
    this.#session = session;
    this.#before = session.totals;
  }

  /** Tokens and cost since the start; agents, summaries and hooks included. */
  get spent(): ReturnType<typeof totalsSince> {
    return totalsSince(this.#session.totals, this.#before);
  }

  /** `agentId` separates the turns of subagents. */
  count(event: AgentEvent, agentId = ''): void {
    if (event.type === 'turn-start') this.#current.set(agentId, event.model);
    if (event.type === 'model-switch') this.#current.set(agentId, event.to);
    const model = this.#current.get(agentId);
    if (event.type !== 'turn-end' || !model) return;
    const name = `${model.vendor}/${model.id}`;
    const { calls, usage, cost } = this.models[name] ?? { calls: 0, usage: noUsage, cost: 0 };
    this.models[name] = { calls: calls + 1, usage: addUsage(usage, event.usage), cost: cost + event.cost };
  }

  resultOf(outcome: RunOutcome, goal?: GoalReport): RunResult {
    const { usage, cost } = this.spent;
    return resultOf<string>(
      { ...outcome, usage, cost },
      {
        sessionId: this.#session.id,
        durationMs: performance.now() - this.#begun,
        models: { ...this.models },
        context: this.#session.getContextState(),
        output: () => outcome.text,
        goal,
      },
    );
  }
}
