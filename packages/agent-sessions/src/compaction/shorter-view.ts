import { randomUUID } from 'node:crypto';
import type { Message, ToolMessage } from '@robota-sdk/agent-core';
import { givenFields } from '@robota-sdk/agent-core';
import type { EntryDraft } from '../entry/entry.ts';
import { type Pruning, pruningDraft } from '../entry/prune.ts';
import type { SessionTotals } from '../entry/session-totals.ts';
import { summaryMessage, summaryOf } from '../entry/summary-message.ts';
import { withoutHeading } from '../entry/without-heading.ts';
import { contextTokens, estimateAll } from '../window/context-window.ts';
import type { CompactionRequest, CompactionResult } from './compact.ts';
import type { Pin } from './pins.ts';
import type { CompactionPlan } from './plan.ts';
import { type PruneOptions, pruneOutputs, type ShortenOptions, shortenMessages } from './prune-outputs.ts';
import { type CompactionReceipt, type Fate, receiptItems, receiptToJson } from './receipt.ts';
import { timeAfter } from './time-after.ts';
import { type TouchedFiles, touchedFiles, withFileLists, withoutFileLists } from './touched-files.ts';
import { withoutVerbatim, withVerbatim } from './verbatim.ts';

/** The replacement of the older part of a conversation. */
interface Replacement {
  /** A model's summary; without one, omissions are only mentioned. */
  readonly notes: string | undefined;
  readonly fate: 'summarised' | 'dropped';
  readonly model?: string;
  /** The current request, if it cannot be kept as a message. */
  readonly request?: string;
}

interface Replaced {
  readonly kind: 'replaced';
  readonly summary: string;
  readonly identity: { readonly id: string; readonly timestamp: number };
  readonly plan: CompactionPlan;
  readonly files: TouchedFiles;
  readonly replacement: Replacement;
}

type Step = Replaced | { readonly kind: 'pruned'; readonly pruning: Pruning };

/** A conversation being shortened: each step returns another view, and the last one the result. */
export class ShorterView {
  readonly messages: readonly Message[];
  readonly #request: CompactionRequest;
  readonly #steps: readonly Step[];

  constructor(request: CompactionRequest, messages = request.messages, steps: readonly Step[] = []) {
    this.#request = request;
    this.messages = messages;
    this.#steps = steps;
  }

  get tokensBefore(): number {
    const { messages, assessed } = this.#request;
    return contextTokens(messages, { fixed: () => this.#fixed, assessed });
  }

  /** The tokens of this view: the vendor's count, scaled to what is left. */
  get tokens(): number {
    return Math.round((this.#fixed + estimateAll(this.messages)) * this.#countedPerEstimated);
  }

  /** How many estimated tokens of messages make as many counted ones as are wanted. */
  roomIn(tokens: number): number {
    return Math.max(1, Math.floor(tokens / this.#countedPerEstimated - this.#fixed));
  }

  get isChanged(): boolean {
    return this.#steps.length > 0;
  }

  get hasDropped(): boolean {
    return this.#replaced.some(({ replacement }) => replacement.fate === 'dropped');
  }

  /** How many results the calls of the last answer have. */
  get lastResults(): number {
    const lastAnswer = this.messages.findLastIndex(({ role }) => role === 'assistant');
    return this.messages.slice(lastAnswer + 1).filter(({ role }) => role === 'tool').length;
  }

  /** Without old, large tool outputs; undefined if there are none left. */
  prune(options: PruneOptions): ShorterView | undefined {
    const pruned = pruneOutputs(this.messages, { ...options, pinned: this.#pinned });
    if (!pruned) return undefined;
    const { messages, pruning } = pruned;
    return new ShorterView(this.#request, messages, [...this.#steps, { kind: 'pruned', pruning }]);
  }

  /** With the middle removed from messages that are too large; undefined if there are none. */
  shorten(options: Pick<ShortenOptions, 'largerThan' | 'characters' | 'among'>): ShorterView | undefined {
    const { saveText } = this.#request;
    const shortened = shortenMessages(this.messages, { ...options, pinned: this.#pinned, saveText });
    if (!shortened) return undefined;
    const { messages, pruning } = shortened;
    return new ShorterView(this.#request, messages, [...this.#steps, { kind: 'pruned', pruning }]);
  }

  /** With a summary, or a note about the omission, instead of earlier messages. */
  replace(plan: CompactionPlan, replacement: Replacement): ShorterView {
    const files = touchedFiles(plan.summarise);
    const { pins = [], todos = '' } = this.#request;
    const { request } = replacement;
    const notes = withFileLists(replacement.notes ?? leftOutNotes(plan.summarise), files);
    const kept = plan.request ? [plan.request, ...plan.keep] : plan.keep;
    // Pins among the kept messages are not repeated.
    const hidden = pins.filter((pin) => !kept.some((message) => isPinned(message, [pin])));
    const summary = withVerbatim(notes, {
      pins: hidden,
      todos,
      ...(request === undefined ? {} : { request }),
    });
    const identity = { id: randomUUID(), timestamp: timeAfter(this.messages) };
    const step: Replaced = { kind: 'replaced', summary, identity, plan, files, replacement };
    return new ShorterView(
      this.#request,
      [summaryMessage(summary, identity), ...kept],
      [...this.#steps, step],
    );
  }

  /** The result for the session's file and the user. */
  result(spent: SessionTotals, notice?: string): CompactionResult {
    const { tokensBefore, tokens: tokensAfter, messages } = this;
    const receipt = this.#receipt(spent, notice);
    const said = notice === undefined ? {} : { notice };
    const entries = this.#entries(receipt, spent);
    const common = { messages, entries, tokensBefore, tokensAfter, receipt, ...spent, ...said };
    const last = this.#replaced.at(-1);
    if (!last) return { ...common, kind: 'pruned', prunedResults: countOf(receipt, 'pruned') };
    if (this.hasDropped) return { ...common, kind: 'dropped', droppedMessages: countOf(receipt, 'dropped') };
    return { ...common, kind: 'summarised', summary: last.summary };
  }

  get #pinned(): ReadonlySet<string> {
    return new Set((this.#request.pins ?? []).flatMap(({ messageId }) => messageId ?? []));
  }

  get #fixed(): number {
    return this.#request.fixedTokens ?? 0;
  }

  /** Four characters per token is wrong for some languages; the vendor's count corrects it. */
  get #countedPerEstimated(): number {
    const estimated = this.#fixed + estimateAll(this.#request.messages);
    return estimated === 0 ? 1 : this.tokensBefore / estimated;
  }

  get #replaced(): readonly Replaced[] {
    return this.#steps.filter((step) => step.kind === 'replaced');
  }

  #receipt(spent: SessionTotals, notice: string | undefined): CompactionReceipt {
    const { messages, reason, choice, pins = [] } = this.#request;
    const fates = new Map<string, Fate>();
    for (const step of this.#steps) {
      if (step.kind === 'pruned') for (const id of step.pruning.messageIds) fates.set(id, 'pruned');
      else for (const { id } of step.plan.summarise) fates.set(id, step.replacement.fate);
    }
    // Pinned messages follow the summary verbatim.
    for (const message of messages) if (isPinned(message, pins)) fates.delete(message.id);
    const model = this.#replaced.find(({ replacement }) => replacement.model)?.replacement.model;
    return {
      reason,
      tokensBefore: this.tokensBefore,
      tokensAfter: this.tokens,
      contextWindow: choice.model.contextWindow,
      ...givenFields({ model, notice }),
      cost: spent.cost,
      pins: pins.length,
      items: receiptItems(messages, fates),
    };
  }

  /** The last entry carries the receipt and the cost; it may be a pruning. */
  #entries(receipt: CompactionReceipt, { usage, cost, modelCalls }: SessionTotals): EntryDraft[] {
    const about = { receipt: receiptToJson(receipt), cost, modelCalls };
    const bearer = this.#replaced.at(-1) ?? this.#steps.at(-1);
    return this.#steps.map((step) => {
      const own = step === bearer;
      if (step.kind === 'pruned')
        return pruningDraft(step.pruning, own ? { ...about, usage: { ...usage } } : {});
      const { summary, plan, identity, files } = step;
      return {
        type: 'compaction',
        summary,
        firstKeptMessageId: plan.keep[0].id,
        keptMessageIds: plan.request ? [plan.request.id] : [],
        tokensBefore: receipt.tokensBefore,
        tokensAfter: receipt.tokensAfter,
        message: identity,
        details: { readFiles: files.read, modifiedFiles: files.modified, ...(own ? about : {}) },
        ...(own ? { usage } : {}),
      };
    });
  }
}

function isPinned(message: Message, pins: readonly Pin[]): boolean {
  const isPin = message.role === 'user' && message.origin === 'pin';
  return pins.some(
    ({ messageId, text }) =>
      messageId === message.id || (isPin && withoutHeading(message).trim() === text.trim()),
  );
}

function countOf({ items }: CompactionReceipt, fate: Fate): number {
  return items.filter((item) => item.fate === fate).length;
}

/** Earlier summaries are kept; other omissions are only mentioned. */
function leftOutNotes(messages: readonly Message[]): string {
  const earlier = messages.map(summaryOf).findLast((summary) => summary !== undefined);
  const results = messages.filter((message): message is ToolMessage => message.role === 'tool').length;
  const count = messages.filter((message) => summaryOf(message) === undefined).length - results;
  const note = `${count} messages and ${results} tool results that came before were left out without a summary, because there was no room for them. If something seems to be missing, look it up again or ask the user.`;
  return earlier === undefined ? note : `${withoutFileLists(withoutVerbatim(earlier))}\n\n${note}`;
}
