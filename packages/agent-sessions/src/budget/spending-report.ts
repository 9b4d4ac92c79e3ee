import { type Message, type ModelRef, textOf } from '@robota-sdk/agent-core';
import type { Entry } from '../entry/entry.ts';
import { addTotals, entryTotals, isAgentEntry, noTotals, type SessionTotals } from '../session-totals.ts';

/** What one prompt and all that came of it have cost. */
export interface TurnSpending extends SessionTotals {
  /** Counted from 1, over all branches. */
  readonly turn: number;
  readonly prompt: string;
  /** Unix milliseconds. */
  readonly startedAt: number;
}

/** What one model has cost, or what summaries or agents have, whose entries do not name their model. */
export interface ModelSpending extends SessionTotals {
  readonly model?: ModelRef;
  readonly purpose?: 'summaries' | 'agents';
}

/** Where the money of a session went. */
export interface SpendingReport {
  readonly turns: readonly TurnSpending[];
  readonly models: readonly ModelSpending[];
}

/** Adds up every branch of a session by prompt and by model. */
export function spendingReport(entries: readonly Entry[]): SpendingReport {
  const turns: TurnSpending[] = [];
  const models = new Map<string, ModelSpending>();
  for (const entry of entries) {
    if (entry.type === 'message' && isPrompt(entry.message)) {
      const prompt = textOf(entry.message.content).trim().split('\n', 1)[0] ?? '';
      turns.push({ ...noTotals, turn: turns.length + 1, prompt, startedAt: entry.message.timestamp });
    }
    const used = entryTotals(entry);
    if (used.modelCalls === 0) continue;
    const turn = turns.pop();
    if (turn) turns.push({ ...turn, ...addTotals(turn, used) });
    const model = modelOf(entry);
    const purpose = isAgentEntry(entry) ? 'agents' : 'summaries';
    const key = model ? `${model.vendor}/${model.id}` : purpose;
    const known = models.get(key) ?? { ...noTotals, ...(model ? { model } : { purpose }) };
    models.set(key, { ...known, ...addTotals(known, used) });
  }
  return { turns, models: [...models.values()] };
}

function isPrompt(message: Message): boolean {
  return message.role === 'user' && (message.origin === undefined || message.origin === 'command');
}

function modelOf(entry: Entry): ModelRef | undefined {
  return entry.type === 'message' && entry.message.role === 'assistant' ? entry.message.model : undefined;
}
