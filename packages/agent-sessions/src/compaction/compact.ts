import { randomUUID } from 'node:crypto';
import type { Message, ModelChoice, RetryPolicy, Usage } from '@robota-sdk/agent-core';
import {
  compactionThreshold,
  contextTokens,
  estimateTokens,
  type ThresholdOptions,
} from '../context-window.ts';
import type { EntryDraft } from '../entry/entry.ts';
import { summaryMessage } from '../entry/summary-message.ts';
import { type CompactionPlan, planCompaction } from './plan.ts';
import { type PrunedConversation, pruneOutputs } from './prune-outputs.ts';
import { type Summary, summarize } from './summarize.ts';
import { timeAfter } from './time-after.ts';
import { touchedFiles, withFileLists } from './touched-files.ts';

/** What to make shorter, and how. */
export interface CompactionRequest {
  readonly messages: readonly Message[];
  /** The model that writes the summary. */
  readonly choice: ModelChoice;
  readonly reason: 'manual' | 'threshold' | 'overflow';
  /** What the person wants the summary to dwell on. */
  readonly focus?: string;
  /** Standing wishes, such as the "Compact Instructions" of a project. */
  readonly instructions?: string;
  /** The window to fit into, where another model than `choice` goes on with the conversation. */
  readonly contextWindow?: number;
  readonly threshold?: ThresholdOptions;
  /** Tokens at the end that stay word for word. */
  readonly keepRecentTokens?: number;
  /** Tool results that are never pruned, counted from the newest. */
  readonly keepResults?: number;
  readonly retry?: RetryPolicy;
  readonly signal: AbortSignal;
}

interface Shortened {
  /** The new view of the conversation. */
  readonly messages: readonly Message[];
  /** What the session's file has to keep, so that the view is the same when it is read again. */
  readonly entry: EntryDraft;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Something a person should know. */
  readonly notice?: string;
}

/** What became of it. Whatever happens, the original messages stay where they are kept. */
export type CompactionResult =
  | (Shortened & {
      readonly kind: 'summarised';
      readonly summary: string;
      readonly usage: Usage;
      readonly cost: number;
    })
  | (Shortened & { readonly kind: 'pruned'; readonly prunedResults: number })
  | { readonly kind: 'unchanged'; readonly messages: readonly Message[]; readonly notice: string };

const defaultKeepRecentTokens = 20_000;
const defaultKeepResults = 5;
const minimumPrunedTokens = 500;

/**
 * Makes a conversation shorter. Old tool output goes first; where that is not enough, or a person asked, a model
 * sums up the older part. If that fails the pruned conversation is the answer.
 */
export async function compact(request: CompactionRequest): Promise<CompactionResult> {
  const { messages } = request;
  const limit = compactionThreshold(
    request.contextWindow ?? request.choice.model.contextWindow,
    request.threshold,
  );
  const prunedView = pruneOutputs(messages, {
    keepResults: request.keepResults ?? defaultKeepResults,
    minimumTokens: minimumPrunedTokens,
  });
  if (prunedView && request.reason === 'threshold' && isShortEnough(messages, prunedView, limit)) {
    return prunedResult(messages, prunedView);
  }
  const plan = planCompaction(messages, keepTokens(request, limit));
  if (!plan) return prunedView ? prunedResult(messages, prunedView) : unchanged(messages, nothingToDo);
  const summary = await summarize({ ...request, messages: plan.summarise });
  if (summary.ok) return summarisedResult(messages, plan, summary);
  if (request.signal.aborted) return unchanged(messages, 'Interrupted: the conversation stays as it is.');
  const why = `The conversation could not be summed up: ${summary.failure.message}`;
  if (!prunedView) return unchanged(messages, `${why} It stays as it is.`);
  return prunedResult(messages, prunedView, `${why} Old tool output was left out instead.`);
}

const nothingToDo = 'There is nothing to compact yet: the conversation is short.';

/** Pruning alone has to win enough room that the next turns don't ask again. */
function isShortEnough(
  messages: readonly Message[],
  { messages: view }: PrunedConversation,
  limit: number,
): boolean {
  return contextTokens(messages) - saving(messages, view) <= limit * 0.6;
}

/** A person who asks wants something done, also where everything would fit into what is kept. */
function keepTokens({ messages, reason, keepRecentTokens }: CompactionRequest, limit: number): number {
  const keep = Math.min(keepRecentTokens ?? defaultKeepRecentTokens, Math.floor(limit / 2));
  if (reason === 'threshold') return keep;
  return Math.min(keep, Math.floor(sizeOf(messages) / 4));
}

function summarisedResult(
  messages: readonly Message[],
  plan: CompactionPlan,
  summary: Extract<Summary, { ok: true }>,
): CompactionResult {
  const files = touchedFiles(plan.summarise);
  const text = withFileLists(summary.text, files);
  const identity = { id: randomUUID(), timestamp: timeAfter(messages) };
  const message = summaryMessage(text, identity);
  const view = [message, ...(plan.request ? [plan.request] : []), ...plan.keep];
  const tokensBefore = contextTokens(messages);
  const tokensAfter = Math.max(sizeOf(view), tokensBefore - saving(messages, view));
  const entry: EntryDraft = {
    type: 'compaction',
    summary: text,
    firstKeptMessageId: plan.keep[0].id,
    keptMessageIds: plan.request ? [plan.request.id] : [],
    tokensBefore,
    tokensAfter,
    message: identity,
    details: { readFiles: files.read, modifiedFiles: files.modified, cost: summary.cost },
    usage: summary.usage,
  };
  const { usage, cost } = summary;
  return { kind: 'summarised', messages: view, entry, tokensBefore, tokensAfter, summary: text, usage, cost };
}

function prunedResult(
  messages: readonly Message[],
  { messages: view, entry, count }: PrunedConversation,
  notice?: string,
): CompactionResult {
  const tokensBefore = contextTokens(messages);
  const tokensAfter = Math.max(0, tokensBefore - saving(messages, view));
  const extra = notice === undefined ? {} : { notice };
  return { kind: 'pruned', messages: view, entry, tokensBefore, tokensAfter, prunedResults: count, ...extra };
}

function unchanged(messages: readonly Message[], notice: string): CompactionResult {
  return { kind: 'unchanged', messages, notice };
}

function saving(before: readonly Message[], after: readonly Message[]): number {
  return sizeOf(before) - sizeOf(after);
}

function sizeOf(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + estimateTokens(message), 0);
}
