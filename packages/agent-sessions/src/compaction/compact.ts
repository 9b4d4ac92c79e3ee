import { endSentence, type Message, type Usage } from '@robota-sdk/agent-core';
import type { EntryDraft } from '../entry/entry.ts';
import { noTotals, type SessionTotals } from '../entry/session-totals.ts';
import { summaryOf } from '../entry/summary-message.ts';
import {
  compactionThreshold,
  defaultCompaction,
  estimateAll,
  type KnownTokens,
  type ThresholdOptions,
} from '../window/context-window.ts';
import { cutMiddle } from '../window/cut-middle.ts';
import type { Pin } from './pins.ts';
import { type CompactionPlan, planCompaction } from './plan.ts';
import type { CompactionReceipt } from './receipt.ts';
import { userText } from './serialize.ts';
import { ShorterView } from './shorter-view.ts';
import { type Summary, type SummaryRequest, summarize } from './summarize.ts';

/** The input of a compaction. */
export interface CompactionRequest extends Omit<SummaryRequest, 'turn'> {
  readonly reason: CompactionReceipt['reason'];
  readonly threshold?: ThresholdOptions;
  /** Estimated tokens of every request besides the messages: prompt and tools. */
  readonly fixedTokens?: number;
  /** The size after the last compaction. */
  readonly assessed?: KnownTokens['assessed'];
  /** Tokens at the end that are kept verbatim. */
  readonly keepRecentTokens?: number;
  /** Tool results that are not pruned at first, counted from the newest. */
  readonly keepResults?: number;
  /** Texts that are kept verbatim. */
  readonly pins?: readonly Pin[];
  /** The todo list, which is kept verbatim. */
  readonly todos?: string;
  /** Keeps the whole text of a request that has to be cut in a file and says where. */
  readonly saveText?: (message: Message) => string | undefined;
}

interface Shortened {
  /** The new view of the conversation. */
  readonly messages: readonly Message[];
  /** Entries for the session's file, which restore the same view when it is read again. */
  readonly entries: readonly EntryDraft[];
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** The outcome for each message. */
  readonly receipt: CompactionReceipt;
  readonly usage: Usage;
  readonly cost: number;
  readonly modelCalls: number;
  /** A notice for the user. */
  readonly notice?: string;
}

/** The outcome. The original messages are always kept. */
export type CompactionResult =
  | (Shortened & { readonly kind: 'summarised'; readonly summary: string })
  | (Shortened & { readonly kind: 'pruned'; readonly prunedResults: number })
  | (Shortened & { readonly kind: 'dropped'; readonly droppedMessages: number })
  | ({
      readonly kind: 'unchanged';
      /** True for a failure; otherwise there was nothing to do. */
      readonly hasFailed: boolean;
      readonly messages: readonly Message[];
      readonly notice: string;
    } & SessionTotals);

const defaultKeepResults = 5;
const minimumPrunedTokens = 500;
/** Characters that stay of a text that is cut, at most and at least. */
const largestRequest = 8_000;
const smallestCut = 1_000;
/** Minimum tokens for messages; with less, no summary makes the conversation fit. */
const leastRoom = 500;
/** A summary of less would hardly be shorter than the original, but still cost money. */
const minimumSummarisedTokens = 300;

/**
 * Shortens a conversation. Removes old tool output first, then the middle of messages too large for any
 * window. If that is not enough, or on request, a model summarizes the older part. If that fails, returns the
 * pruned conversation. After a refusal by the vendor, removes as much as necessary.
 */
export async function compact(request: CompactionRequest): Promise<CompactionResult> {
  const limit = compactionThreshold(request.choice.model.contextWindow, request.threshold);
  const whole = new ShorterView(request);
  const softly = {
    keepResults: request.keepResults ?? defaultKeepResults,
    minimumTokens: minimumPrunedTokens,
  };
  const pruned = whole.prune(softly);
  // Pruning alone must free enough room for several turns.
  if (pruned && request.reason === 'threshold' && pruned.tokens <= limit * 0.6)
    return pruned.result(noTotals);
  const target = targetOf(whole, request, limit);
  const first = choosePlan(whole, request, limit);
  const view = withoutOversized(whole, first, target);
  const enough = request.reason === 'threshold' ? limit * 0.6 : target;
  if (request.reason !== 'manual' && view.isChanged && view.tokens <= enough) return view.result(noTotals);
  const plan = view.isChanged ? choosePlan(view, request, limit) : first;
  const rest = { view: view.prune(softly) ?? view, target };
  if (!plan) return withoutSummary(request, { ...rest, why: undefined, spent: noTotals });
  const summary = await summarize({ ...request, messages: plan.summarise, turn: plan.turn });
  if (summary.ok) return summarisedResult(view, { plan, summary, target });
  const { usage, cost, modelCalls, failure } = summary;
  const spent = { usage, cost, modelCalls };
  if (request.signal.aborted) return failed(request, 'Interrupted: the conversation stays as it is.', spent);
  const why = endSentence(`The conversation could not be summarized: ${failure.message}`);
  return withoutSummary(request, { ...rest, why, spent });
}

/** The target size. If a vendor refuses less than its stated window, the target is clearly below that. */
function targetOf(view: ShorterView, { reason }: CompactionRequest, limit: number): number {
  if (reason === 'threshold') return limit;
  if (reason === 'manual') return Math.min(limit, view.tokensBefore * 0.75);
  return Math.min(limit * 0.6, view.tokensBefore / 2);
}

/** A kept message that fills nearly the whole window would leave no space for others. */
function withoutOversized(view: ShorterView, plan: CompactionPlan | undefined, target: number): ShorterView {
  const room = view.roomIn(target);
  const among = plan && (plan.request ? [plan.request, ...plan.keep] : plan.keep);
  return view.shorten({ largerThan: room * 0.75, characters: charactersIn(room), among }) ?? view;
}

/** The kept length of a text that is cut. */
function charactersIn(room: number): number {
  return Math.max(smallestCut, Math.min(largestRequest, Math.floor(room / 2)));
}

/** The largest part to keep for which a summary of the rest is worth its price; undefined if there is none. */
function choosePlan(
  view: ShorterView,
  request: CompactionRequest,
  limit: number,
): CompactionPlan | undefined {
  if (view.roomIn(limit) < leastRoom) return undefined;
  const most = keepTokens(view.messages, request, limit);
  for (const part of [1, 2, 4, 8]) {
    const plan = planCompaction(view.messages, most / part);
    if (plan && isWorthSumming(plan)) return plan;
  }
  return undefined;
}

/** False if a summary would hardly be shorter than the original. */
function isWorthSumming({ summarise }: CompactionPlan): boolean {
  const isNew = summarise.some((message) => summaryOf(message) === undefined);
  return isNew && estimateAll(summarise) >= minimumSummarisedTokens;
}

/** A manual compaction does something even if everything fits. */
function keepTokens(
  messages: readonly Message[],
  { reason, keepRecentTokens }: CompactionRequest,
  limit: number,
): number {
  const keep = Math.min(keepRecentTokens ?? defaultCompaction.keepRecentTokens, Math.floor(limit / 2));
  if (reason === 'threshold') return keep;
  return Math.min(keep, Math.floor(estimateAll(messages) / 4));
}

function summarisedResult(
  view: ShorterView,
  {
    plan,
    summary,
    target,
  }: { plan: CompactionPlan; summary: Extract<Summary, { ok: true }>; target: number },
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
  return harder(shorter, target, 'drop').result({ usage, cost, modelCalls });
}

interface Rest {
  /** The shortest view so far. */
  readonly view: ShorterView;
  readonly target: number;
  /** Why a wanted summary is missing. */
  readonly why: string | undefined;
  readonly spent: SessionTotals;
}

/** After a refusal for length, a run can continue only if something is removed. */
function withoutSummary(request: CompactionRequest, { view, target, why, spent }: Rest): CompactionResult {
  const isRefused = request.reason === 'overflow';
  // A failed summary may succeed later.
  const shorter =
    isRefused || why === undefined ? harder(view, target, isRefused ? 'drop' : 'shorten') : view;
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
    : 'Old tool output and the middle of large messages were left out instead.';
  return shorter.result(spent, `${why} ${instead} /recall brings back what you need.`);
}

function nothingIn({ reason }: CompactionRequest): string {
  return reason === 'manual'
    ? 'Nothing to compact yet: the conversation is short.'
    : 'The conversation contains nothing to summarize.';
}

/**
 * All output but that of the last calls, then all output, then the middle of large messages, then the oldest turns where
 * they may go: until it is short enough.
 */
function harder(view: ShorterView, target: number, last: 'shorten' | 'drop'): ShorterView {
  let shorter = view;
  for (const keepResults of [view.lastResults, 0]) {
    if (shorter.tokens <= target) return shorter;
    shorter = shorter.prune({ keepResults, minimumTokens: minimumPrunedTokens }) ?? shorter;
  }
  const room = shorter.roomIn(target);
  for (const largerThan of [room / 2, largestRequest / 2]) {
    if (shorter.tokens <= target) return shorter;
    shorter = shorter.shorten({ largerThan, characters: charactersIn(room) }) ?? shorter;
  }
  if (shorter.tokens <= target || last === 'shorten') return shorter;
  const plan = planCompaction(shorter.messages, shorter.roomIn(target));
  if (!plan?.summarise.some((message) => summaryOf(message) === undefined)) return shorter;
  return shorter.replace(plan, { notes: undefined, fate: 'dropped' });
}

function failed({ messages }: CompactionRequest, notice: string, spent: SessionTotals): CompactionResult {
  return { kind: 'unchanged', hasFailed: true, messages, notice, ...spent };
}
