import {
  addUsage,
  isJsonObject,
  type JsonObject,
  type ModelRef,
  noUsage,
  parseUsage,
  type RunOutcome,
  totalTokens,
  type Usage,
} from '@robota-sdk/agent-core';
import type { CustomEntry, Entry, EntryDraft } from './entry.ts';
import { pruningOf } from './prune.ts';
import { encodeShares, type ToolShare } from './tool-shares.ts';

/** Token usage and cost of a session. */
export interface SessionTotals {
  readonly usage: Usage;
  /** US dollars; 0 if no price is known. */
  readonly cost: number;
  readonly modelCalls: number;
}

/** Nothing used yet. */
export const noTotals: SessionTotals = { usage: noUsage, cost: 0, modelCalls: 0 };

/** Adds up the cost of a session's entries: answers of all branches, and summaries. */
export function totalsOf(entries: Iterable<Entry>): SessionTotals {
  let totals = noTotals;
  for (const entry of entries) totals = addTotals(totals, entryTotals(entry));
  return totals;
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

/** Cost of one entry: an answer or a summary. */
export function entryTotals(entry: Entry): SessionTotals {
  if (entry.type === 'message' && entry.message.role === 'assistant') {
    const { usage, cost } = entry.message;
    return { usage, cost, modelCalls: 1 };
  }
  if (entry.type === 'custom') return agentTotals(entry) ?? failedSummaryTotals(entry);
  if ((entry.type !== 'compaction' && entry.type !== 'branch_summary') || !entry.usage) return noTotals;
  const about = isJsonObject(entry.details) ? entry.details : {};
  return { usage: entry.usage, cost: Number(about.cost) || 0, modelCalls: callsOf(about, entry.usage) };
}

/** Earlier versions did not store the calls; without usage there was none. */
function callsOf({ modelCalls }: JsonObject, usage: Usage): number {
  return typeof modelCalls === 'number' ? modelCalls : totalTokens(usage) > 0 ? 1 : 0;
}

/**
 * The custom entry that stores spending outside of messages: by an agent, a hook, a side question or a failed summary.
 */
const spentType = 'robota.spent';

const purposes = ['agents', 'summaries', 'hooks', 'asides', 'titles'] as const;

/** The purpose and model of a cost. */
export interface SpentFor {
  readonly purpose: (typeof purposes)[number];
  readonly model?: Pick<ModelRef, 'vendor' | 'id'>;
  /** The name of the agent that spent it. */
  readonly agent?: string;
}

/** The same with the tools that an agent called. */
export interface SpentOn extends SpentFor {
  readonly tools?: readonly ToolShare[];
}

/** Makes that entry. */
export function spentDraft(
  { usage, cost, modelCalls }: SessionTotals,
  { purpose, model, agent, tools = [] }: SpentOn = { purpose: 'agents' },
): EntryDraft {
  const on = model === undefined ? {} : { model: { vendor: model.vendor, id: model.id } };
  return {
    type: 'custom',
    customType: spentType,
    data: {
      usage: { ...usage },
      cost,
      modelCalls,
      purpose,
      ...on,
      ...(agent === undefined ? {} : { agent }),
      ...(tools.length === 0 ? {} : { tools: encodeShares(tools) }),
    },
  };
}

/** The purpose of an entry's cost; undefined for an answer. */
export function spentFor(entry: Entry): SpentFor | undefined {
  if (entry.type === 'message') return undefined;
  if (entry.type !== 'custom' || entry.customType !== spentType || !isJsonObject(entry.data))
    return { purpose: 'summaries' };
  const { purpose, model, agent } = entry.data;
  const named = isJsonObject(model) ? { model: { vendor: String(model.vendor), id: String(model.id) } } : {};
  const by = typeof agent === 'string' ? { agent } : {};
  return { purpose: purposes.find((known) => known === purpose) ?? 'agents', ...named, ...by };
}

function agentTotals({ customType, data }: CustomEntry): SessionTotals | undefined {
  if (customType !== spentType || !isJsonObject(data) || !isJsonObject(data.usage)) return undefined;
  const { usage, cost, modelCalls } = data;
  return {
    usage: parseUsage(usage),
    cost: Number(cost) || 0,
    modelCalls: Number(modelCalls) || 0,
  };
}

/** A failed summary was paid for, even if old output was removed instead. */
function failedSummaryTotals(entry: CustomEntry): SessionTotals {
  const about = pruningOf(entry) && isJsonObject(entry.data) ? entry.data : {};
  const { usage, cost } = about;
  if (!isJsonObject(usage)) return noTotals;
  const used = parseUsage(usage);
  return { usage: used, cost: Number(cost) || 0, modelCalls: callsOf(about, used) };
}
