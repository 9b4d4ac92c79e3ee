import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type AgentEvent,
  type AgentRun,
  endSentence,
  givenFields,
  type HookRegistry,
  type Message,
  type ModelChoice,
  makeDirectories,
  noUsage,
  textOf,
  type Usage,
  type WindowReason,
} from '@robota-sdk/agent-core';
import { type SessionTotals, spentDraft } from '../entry/session-totals.ts';
import type { SessionHandle } from '../store/session-handle.ts';
import {
  type ContextState,
  contextState,
  estimateAll,
  type KnownTokens,
  needsCompaction,
} from '../window/context-window.ts';
import type { CompactionResult } from './compact.ts';
import { afterCompaction, beforeCompaction } from './compaction-hooks.ts';
import { compactionText } from './compaction-text.ts';
import {
  type ContextReport,
  type ContextSource,
  contextReport,
  fixedTokens,
  largestParts,
} from './context-report.ts';
import { pinsOf } from './pins.ts';
import { PrefixWatch } from './prefix-watch.ts';
import type { Compaction, ConversationOptions, ModelDependentOptions } from './session-options.ts';
import type { SessionRecorder } from './session-recorder.ts';

/** Services a compaction needs from its session. */
export interface CompactionServices {
  readonly handle: SessionHandle;
  readonly hooks: HookRegistry;
  readonly recorder: SessionRecorder;
  /** The folder for the full text of cut output. */
  readonly outputDir: string;
  /** As they are now: models, tools and prompt may change between two compactions. */
  options(): ConversationOptions;
  messages(): readonly Message[];
  /** Continues the conversation from this view. */
  adopt(compaction: Compaction): void;
  /** Called when the instruction files have changed. */
  refresh(surroundings: ModelDependentOptions): void;
  charge(used: SessionTotals): void;
  publish(event: AgentEvent): void | Promise<void>;
}

interface Occasion {
  readonly reason: 'manual' | WindowReason;
  readonly signal: AbortSignal;
  readonly focus?: string | undefined;
}

/** The share of the window that has to be filled again before another automatic compaction makes sense. */
const leastGrowth = 0.05;

/** Keeps the conversation within its model's window: the only code that shortens it. */
export class SessionCompaction {
  readonly #parts: CompactionServices;
  readonly #prefix: PrefixWatch;
  /** The estimated size after the last attempt to shorten the conversation, until it changes. */
  #sizeAfter: number | undefined;
  #assessed: KnownTokens['assessed'];
  #hasWarned = false;

  constructor(parts: CompactionServices) {
    this.#parts = parts;
    this.#prefix = new PrefixWatch((found) => parts.recorder.keepPrefixBreak(found));
  }

  /** The hooks of a run into compaction. */
  partsOf(signal: AbortSignal): Pick<AgentRun, 'fitWindow' | 'explainOverflow'> {
    return {
      fitWindow: (_, reason) => this.#fit(reason, signal),
      explainOverflow: () => `What fills the window: ${largestParts(this.report(), 4)}.`,
    };
  }

  /** The models of a run; their requests are compared on their way. */
  watch(models: readonly [ModelChoice, ...ModelChoice[]]): readonly [ModelChoice, ...ModelChoice[]] {
    return this.#prefix.watch(models);
  }

  /** Records the token usage of a turn. */
  settle(usage: Usage): void {
    this.#prefix.settle(usage);
  }

  /** How full the window is. */
  contextState(): ContextState {
    const { models, systemMessage, tools } = this.#parts.options();
    return contextState(this.#parts.messages(), models[0].model, {
      fixed: () => fixedTokens({ systemMessage, tools, instructions: [] }),
      assessed: this.#assessed,
    });
  }

  /** The contents of the window, part by part. */
  report(): ContextReport {
    return contextReport(this.source());
  }

  /** The parts of requests as they are now. */
  source(): ContextSource {
    const { models, systemMessage, tools, instructions = [], compaction } = this.#parts.options();
    const { model } = models[0];
    return {
      messages: this.#parts.messages(),
      model,
      systemMessage,
      tools,
      instructions,
      pins: pinsOf(this.#parts.handle.notes()),
      threshold: compaction?.(model) ?? {},
      prefixBreak: this.#prefix.lastBreak,
      assessed: this.#assessed,
    };
  }

  /** Called when the user changed the conversation; its size is known until a vendor counts it. */
  rewritten(messages: readonly Message[], tokens: number): void {
    const last = messages.at(-1);
    this.#prefix.rewrite('edited by the user');
    this.#assessed = last && { last, tokens };
    this.#sizeAfter = undefined;
  }

  async compact({ reason, signal, focus }: Occasion): Promise<CompactionResult> {
    const { hooks, publish, charge, recorder } = this.#parts;
    const occasion = { hooks, reason, signal };
    const hooked = await beforeCompaction(occasion, focus);
    if (hooked.block !== undefined) {
      const notice = endSentence(`A hook stopped the compaction: ${hooked.block}`);
      return {
        kind: 'unchanged',
        hasFailed: true,
        messages: this.#parts.messages(),
        notice,
        usage: noUsage,
        cost: 0,
        modelCalls: 0,
      };
    }
    await publish({ type: 'compaction-start', reason, ...(focus === undefined ? {} : { focus }) });
    const fresh = await this.#reloaded();
    const result = await this.#shorten({ reason, signal, focus: hooked.focus }, fresh);
    const { usage, cost, modelCalls } = result;
    if (modelCalls > 0) charge({ usage, cost, modelCalls });
    // Failed attempts were paid for as well.
    if (modelCalls > 0 && result.kind === 'unchanged')
      await recorder.append(
        spentDraft(
          { usage, cost, modelCalls },
          { purpose: 'summaries', model: this.#parts.options().models[0].model },
        ),
      );
    if (!signal.aborted) this.#sizeAfter = estimateAll(result.messages);
    if (result.kind !== 'unchanged') await this.#keep(result, reason, fresh);
    await publish({ type: 'compaction-end', ...summaryOfResult(result, reason) });
    if (result.kind === 'unchanged') return result;
    await afterCompaction(occasion, result);
    // A manual compaction is reported by its command.
    if (reason !== 'manual') {
      const text = compactionText(result, this.#parts.options().models[0].model);
      const level = result.notice === undefined ? 'info' : 'warning';
      await publish({ type: 'notice-show', level, text, about: 'compaction' });
    }
    return result;
  }

  /** The shorter conversation; undefined if it fits or cannot be shortened. */
  async #fit(reason: WindowReason, signal: AbortSignal): Promise<readonly Message[] | undefined> {
    if (reason === 'threshold' && !this.#isWorthIt()) return undefined;
    const result = await this.compact({ reason, signal });
    if (result.kind !== 'unchanged') return result.messages;
    if (reason === 'threshold' && !signal.aborted) await this.#warn(result.notice);
    return undefined;
  }

  /** A window that stays full after a compaction is not made emptier by another one; that would only cost. */
  #isWorthIt(): boolean {
    const messages = this.#parts.messages();
    const { models, compaction } = this.#parts.options();
    const { model } = models[0];
    const policy = compaction?.(model) ?? {};
    if (policy.enabled === false || !needsCompaction(messages, model, policy)) return false;
    const grown = estimateAll(messages) - (this.#sizeAfter ?? Number.NEGATIVE_INFINITY);
    if (grown >= model.contextWindow * leastGrowth) {
      this.#hasWarned = false;
      return true;
    }
    if (!this.#hasWarned) void this.#warn('Compacting the conversation did not help.');
    return false;
  }

  async #warn(why: string): Promise<void> {
    this.#hasWarned = true;
    const text = `The window is nearly full. ${why} It holds: ${largestParts(this.report(), 4)}. Shorten what is large, start over with /clear, or choose a model with a larger window.`;
    await this.#parts.publish({ type: 'notice-show', level: 'warning', text });
  }

  async #shorten(
    { reason, signal, focus }: Occasion,
    fresh: ModelDependentOptions | undefined,
  ): Promise<CompactionResult> {
    const { models, retry, compaction, summaryModel: summaryChoice, todos, ...own } = this.#parts.options();
    const { keepRecentTokens, ...threshold } = compaction?.(models[0].model) ?? {};
    const instructions = fresh?.compactInstructions ?? own.compactInstructions;
    const { compact } = await import('./compact.ts');
    return compact({
      messages: this.#parts.messages(),
      choice: models[0],
      reason,
      signal,
      threshold,
      fixedTokens: fixedTokens({ instructions: [], ...own }),
      assessed: this.#assessed,
      pins: pinsOf(this.#parts.handle.notes()),
      todos: todos?.() ?? '',
      saveText: (message) => saveText(message, this.#parts.outputDir),
      ...givenFields({ keepRecentTokens, summaryChoice, focus: focus || undefined, instructions, retry }),
    });
  }

  async #keep(
    result: Compaction,
    reason: Occasion['reason'],
    fresh: ModelDependentOptions | undefined,
  ): Promise<void> {
    const { recorder, options } = this.#parts;
    this.#prefix.rewrite(result.kind === 'pruned' ? 'pruning' : 'compaction');
    this.#parts.adopt(result);
    const last = result.messages.at(-1);
    this.#assessed = last && { last, tokens: result.tokensAfter };
    await recorder.keepCompaction(result, reason);
    // Pruning leaves the beginning of a request as it was, and so should we.
    if (fresh && result.kind !== 'pruned') this.#parts.refresh(fresh);
    options().onCompact?.(result);
  }

  /** Unreadable files leave the prompt unchanged. */
  async #reloaded(): Promise<ModelDependentOptions | undefined> {
    return this.#parts
      .options()
      .reloadInstructions?.()
      .catch(() => undefined);
  }
}

function summaryOfResult(result: CompactionResult, reason: Occasion['reason']) {
  const { kind, cost } = result;
  const notice = result.notice === undefined ? {} : { notice: result.notice };
  if (result.kind === 'unchanged') return { kind, reason, cost, ...notice };
  const { tokensBefore, tokensAfter, receipt, entries } = result;
  const { contextWindow, items } = receipt;
  const last = entries.findLast((entry) => entry.type === 'compaction');
  const summary = last?.type === 'compaction' ? { summary: last.summary } : {};
  return { kind, reason, cost, tokensBefore, tokensAfter, contextWindow, ...summary, ...notice, items };
}

/** Saves the text of a message in a file of the session and returns its location; undefined on failure. */
function saveText(message: Message, directory: string): string | undefined {
  const file = join(directory, `message-${message.id}.txt`);
  try {
    makeDirectories(directory, 0o700);
    writeFileSync(file, textOf(message.content), { mode: 0o600 });
    return file;
  } catch {
    return undefined;
  }
}
