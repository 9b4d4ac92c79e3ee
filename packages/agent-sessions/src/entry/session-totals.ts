import {
  addUsage,
  anyObject,
  given,
  isJsonObject,
  type JsonObject,
  type ModelRef,
  noUsage,
  number,
  object,
  parseUsage,
  type RunOutcome,
  text,
  totalTokens,
  type Usage,
  words,
} from '@robota-sdk/agent-core';
import { customData } from './custom-data.ts';
import type { CustomEntry, Entry, EntryDraft } from './entry.ts';
import { prunings } from './prune.ts';
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
  if (after.status === 'completed' && after.turns === 0) return before;
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

const purposes = ['agents', 'summaries', 'hooks', 'asides', 'titles'] as const;

/** The entries of spending outside of messages: by an agent, a hook, a side question or a failed summary. */
const spending = customData('robota.spent', () =>
  object(
    {},
    {
      usage: anyObject,
      cost: number,
      modelCalls: number,
      purpose: words(...purposes),
      model: object({ vendor: text, id: text }),
      agent: text,
    },
  ),
);

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
  return spending.draft({
    usage: { ...usage },
    cost,
    modelCalls,
    purpose,
    ...on,
    ...given('agent', agent),
    ...(tools.length === 0 ? {} : { tools: encodeShares(tools) }),
  });
}

/** The purpose of an entry's cost; undefined for an answer. */
export function spentFor(entry: Entry): SpentFor | undefined {
  if (entry.type === 'message') return undefined;
  const spent = spending.read(entry);
  if (!spent) return { purpose: 'summaries' };
  const { purpose = 'agents', model, agent } = spent;
  return { purpose, ...given('model', model), ...given('agent', agent) };
}

function agentTotals(entry: CustomEntry): SessionTotals | undefined {
  const { usage, cost = 0, modelCalls = 0 } = spending.read(entry) ?? {};
  return usage && { usage: parseUsage(usage), cost, modelCalls };
}

/** A failed summary was paid for, even if old output was removed instead. */
function failedSummaryTotals(entry: CustomEntry): SessionTotals {
  const about = prunings.read(entry) && isJsonObject(entry.data) ? entry.data : {};
  const { usage, cost } = about;
  if (!isJsonObject(usage)) return noTotals;
  const used = parseUsage(usage);
  return { usage: used, cost: Number(cost) || 0, modelCalls: callsOf(about, used) };
}
