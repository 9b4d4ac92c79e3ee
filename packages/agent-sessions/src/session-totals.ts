import {
  addUsage,
  isJsonObject,
  noUsage,
  type RunOutcome,
  totalTokens,
  type Usage,
} from '@robota-sdk/agent-core';
import type { CustomEntry, Entry, EntryDraft } from './entry/entry.ts';
import { pruningOf } from './entry/prune.ts';

/** What a session has used so far. */
export interface SessionTotals {
  readonly usage: Usage;
  /** US dollars; 0 where no price is known. */
  readonly cost: number;
  readonly modelCalls: number;
}

/** Nothing used yet. */
export const noTotals: SessionTotals = { usage: noUsage, cost: 0, modelCalls: 0 };

/** Adds up what the entries of a session have cost: answers of every branch, and summaries. */
export function totalsOf(entries: readonly Entry[]): SessionTotals {
  return entries.map(entryTotals).reduce<SessionTotals>(addTotals, noTotals);
}

export function addTotals(a: SessionTotals, b: SessionTotals): SessionTotals {
  return {
    usage: addUsage(a.usage, b.usage),
    cost: a.cost + b.cost,
    modelCalls: a.modelCalls + b.modelCalls,
  };
}

/** Joins the outcomes of runs that belong to one prompt. */
export function joinOutcomes(before: RunOutcome, after: RunOutcome): RunOutcome {
  return {
    ...after,
    turns: before.turns + after.turns,
    usage: addUsage(before.usage, after.usage),
    cost: before.cost + after.cost,
    denials: [...before.denials, ...after.denials],
  };
}

/** What one entry has cost: an answer, or a summary. */
export function entryTotals(entry: Entry): SessionTotals {
  if (entry.type === 'message' && entry.message.role === 'assistant') {
    const { usage, cost } = entry.message;
    return { usage, cost, modelCalls: 1 };
  }
  if (entry.type === 'custom') return agentTotals(entry) ?? failedSummaryTotals(entry);
  if ((entry.type !== 'compaction' && entry.type !== 'branch_summary') || !entry.usage) return noTotals;
  const { details } = entry;
  const cost =
    typeof details === 'object' && details !== null && 'cost' in details ? Number(details.cost) || 0 : 0;
  // Where a model has no need to be asked, a summary uses nothing.
  return { usage: entry.usage, cost, modelCalls: totalTokens(entry.usage) > 0 ? 1 : 0 };
}

/** The custom entry that keeps what an agent has spent for a session. */
const spentType = 'robota.spent';

/** Makes that entry. */
export function spentDraft({ usage, cost, modelCalls }: SessionTotals): EntryDraft {
  return { type: 'custom', customType: spentType, data: { usage: { ...usage }, cost, modelCalls } };
}

/** Whether an entry keeps what an agent has spent. */
export function isAgentEntry(entry: Entry): boolean {
  return entry.type === 'custom' && entry.customType === spentType;
}

function agentTotals({ customType, data }: CustomEntry): SessionTotals | undefined {
  if (customType !== spentType || !isJsonObject(data) || !isJsonObject(data.usage)) return undefined;
  const { usage, cost, modelCalls } = data;
  return {
    usage: { ...noUsage, ...(usage as unknown as Usage) },
    cost: Number(cost) || 0,
    modelCalls: Number(modelCalls) || 0,
  };
}

/** Where a summary failed and old output was left out instead, the attempt was paid for all the same. */
function failedSummaryTotals(entry: CustomEntry): SessionTotals {
  const about = pruningOf(entry) && isJsonObject(entry.data) ? entry.data : {};
  const { usage, cost } = about;
  if (!isJsonObject(usage) || !Object.values(usage).some(Boolean)) return noTotals;
  return { usage: usage as unknown as Usage, cost: Number(cost) || 0, modelCalls: 1 };
}
