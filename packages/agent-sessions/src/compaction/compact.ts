import {
  endSentence,
  type Message,
  type ModelChoice,
  type RetryPolicy,
  type Usage,
} from '@robota-sdk/agent-core';
import { compactionThreshold, estimateAll, type ThresholdOptions } from '../context-window.ts';
import type { EntryDraft } from '../entry/entry.ts';
import { summaryOf } from '../entry/summary-message.ts';
import type { Pin } from './pins.ts';
import { type CompactionPlan, planCompaction } from './plan.ts';
import type { CompactionReceipt } from './receipt.ts';
import { cutMiddle, userText } from './serialize.ts';
import { ShorterView } from './shorter-view.ts';
import { nothingSpent, type Summary, type SummarySpending, summarize } from './summarize.ts';

/** What to make shorter, and how. */
export interface CompactionRequest {
  readonly messages: readonly Message[];
  /** The model of the conversation. */
  readonly choice: ModelChoice;
  /** Another model for the summary, connected when it is needed; throws where it can't be reached. */
  readonly summaryChoice?: () => ModelChoice;
  readonly reason: 'manual' | 'threshold' | 'overflow';
  /** What the person wants the summary to dwell on. */
  readonly focus?: string;
  /** Standing wishes, such as the "Compact Instructions" of a project. */
  readonly instructions?: string;
  readonly threshold?: ThresholdOptions;
  /** An estimate of what every request holds beside the messages: prompt and tools. */
  readonly fixedTokens?: number;
  /** Tokens at the end that stay word for word. */
  readonly keepRecentTokens?: number;
  /** Tool results that are not pruned at first, counted from the newest. */
  readonly keepResults?: number;
  /** Texts that stay word for word. */
  readonly pins?: readonly Pin[];
  /** The list of things to do, which stays word for word. */
  readonly todos?: string;
  readonly retry?: RetryPolicy;
  readonly signal: AbortSignal;
}

interface Shortened {
  /** The new view of the conversation. */
  readonly messages: readonly Message[];
  /** What the session's file has to keep, so that the view is the same when it is read again. */
  readonly entries: readonly EntryDraft[];
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** What became of each message. */
  readonly receipt: CompactionReceipt;
  readonly usage: Usage;
  readonly cost: number;
  readonly modelCalls: number;
  /** Something a person should know. */
  readonly notice?: string;
}

/** What became of it. Whatever happens, the original messages stay where they are kept. */
export type CompactionResult =
  | (Shortened & { readonly kind: 'summarised'; readonly summary: string })
  | (Shortened & { readonly kind: 'pruned'; readonly prunedResults: number })
  | (Shortened & { readonly kind: 'dropped'; readonly droppedMessages: number })
  | ({
      readonly kind: 'unchanged';
      /** Whether something went wrong; otherwise there was nothing to do. */
      readonly hasFailed: boolean;
      readonly messages: readonly Message[];
      readonly notice: string;
    } & SummarySpending);

const defaultKeepRecentTokens = 20_000;
const defaultKeepResults = 5;
const minimumPrunedTokens = 500;
const largestRequest = 8_000;
/** A summary of less would hardly be shorter than what it stands for, and would have to be paid for all the same. */
const minimumSummarisedTokens = 300;

/**
 * Makes a conversation shorter. Old tool output goes first; where that is not enough, or a person asked, a model
 * sums up the older part. If that fails the pruned conversation is the answer; where the vendor has already refused
 * the conversation for its length, as much goes as has to.
 */
export async function compact(request: CompactionRequest): Promise<CompactionResult> {
  const limit = compactionThreshold(request.choice.model.contextWindow, request.threshold);
  const view = new ShorterView(request);
  const softly = {
    keepResults: request.keepResults ?? defaultKeepResults,
    minimumTokens: minimumPrunedTokens,
  };
  const pruned = view.prune(softly);
  // Pruning alone has to win enough room that the next turns don't ask again.
  if (pruned && request.reason === 'threshold' && pruned.tokens <= limit * 0.6)
    return pruned.result(nothingSpent);
  const plan = planCompaction(request.messages, keepTokens(request, limit));
  if (!plan || !isWorthSumming(plan, request))
    return withoutSummary(request, { view: pruned ?? view, limit, why: undefined, spent: nothingSpent });
  const summary = await summarize({ ...request, messages: plan.summarise, turn: plan.turn });
  if (summary.ok) return summarisedResult(view, { plan, summary, limit });
  const { usage, cost, modelCalls, failure } = summary;
  const spent = { usage, cost, modelCalls };
  if (request.signal.aborted) return failed(request, 'Interrupted: the conversation stays as it is.', spent);
  const why = endSentence(`The conversation could not be summed up: ${failure.message}`);
  return withoutSummary(request, { view: pruned ?? view, limit, why, spent });
}

function isWorthSumming({ summarise }: CompactionPlan, { reason }: CompactionRequest): boolean {
  if (reason !== 'manual') return true;
  const isNew = summarise.some((message) => summaryOf(message) === undefined);
  return isNew && estimateAll(summarise) >= minimumSummarisedTokens;
}

/** A person who asks wants something done, also where everything would fit into what is kept. */
function keepTokens({ messages, reason, keepRecentTokens }: CompactionRequest, limit: number): number {
  const keep = Math.min(keepRecentTokens ?? defaultKeepRecentTokens, Math.floor(limit / 2));
  if (reason === 'threshold') return keep;
  return Math.min(keep, Math.floor(estimateAll(messages) / 4));
}

function summarisedResult(
  view: ShorterView,
  { plan, summary, limit }: { plan: CompactionPlan; summary: Extract<Summary, { ok: true }>; limit: number },
): CompactionResult {
  const { usage, cost, modelCalls } = summary;
  const { model } = summary.choice;
  const large = plan.largeRequest && cutMiddle(userText(plan.largeRequest.content), largestRequest);
  const shorter = view.replace(plan, {
    notes: summary.text,
    fate: 'summarised',
    model: `${model.vendor}/${model.id}`,
    ...(large === undefined ? {} : { request: large }),
  });
  return (shorter.tokens > limit ? harder(shorter, limit) : shorter).result({ usage, cost, modelCalls });
}

interface Rest {
  /** What could be done so far. */
  readonly view: ShorterView;
  readonly limit: number;
  /** Why there is no summary, where one was wanted. */
  readonly why: string | undefined;
  readonly spent: SummarySpending;
}

/** A run that the vendor has stopped for its length can go on only if something goes. */
function withoutSummary(request: CompactionRequest, { view, limit, why, spent }: Rest): CompactionResult {
  const target = Math.min(limit * 0.6, view.tokensBefore / 2);
  const shorter = request.reason === 'overflow' ? harder(view, target) : view;
  if (!shorter.isChanged && why !== undefined) return failed(request, `${why} It stays as it is.`, spent);
  if (!shorter.isChanged)
    return {
      kind: 'unchanged',
      hasFailed: false,
      messages: request.messages,
      notice: nothingIn(request),
      ...spent,
    };
  if (why === undefined) return shorter.result(spent);
  const instead = shorter.hasDropped
    ? 'Its oldest part was left out instead.'
    : 'Old tool output was left out instead.';
  return shorter.result(spent, `${why} ${instead} /recall brings back what you need.`);
}

function nothingIn({ reason }: CompactionRequest): string {
  return reason === 'manual'
    ? 'There is nothing to compact yet: the conversation is short.'
    : 'The conversation holds nothing that could be summed up.';
}

/** All output but that of the last calls, then all output, then the oldest turns: until it is short enough. */
function harder(view: ShorterView, target: number): ShorterView {
  let shorter = view;
  for (const keepResults of [view.lastResults, 0]) {
    if (shorter.tokens <= target) return shorter;
    shorter = shorter.prune({ keepResults, minimumTokens: minimumPrunedTokens }) ?? shorter;
  }
  if (shorter.tokens <= target) return shorter;
  const plan = planCompaction(shorter.messages, shorter.roomIn(target));
  if (!plan?.summarise.some((message) => summaryOf(message) === undefined)) return shorter;
  return shorter.replace(plan, { notes: undefined, fate: 'dropped' });
}

function failed({ messages }: CompactionRequest, notice: string, spent: SummarySpending): CompactionResult {
  return { kind: 'unchanged', hasFailed: true, messages, notice, ...spent };
}
