import type { AgentEvent, Hooks, Message, WindowReason } from '@robota-sdk/agent-core';
import { needsCompaction } from '../context-window.ts';
import type { Compaction, SessionOptions } from '../session-options.ts';
import type { SessionRecorder } from '../session-recorder.ts';
import { type CompactionResult, compact } from './compact.ts';
import { afterCompaction, beforeCompaction } from './compaction-hooks.ts';
import { compactionText } from './compaction-text.ts';

/** What a compaction needs of the session it belongs to. */
export interface CompactionParts {
  readonly hooks: Hooks;
  readonly recorder: SessionRecorder;
  /** As they are now: models, tools and prompt may change between two compactions. */
  options(): SessionOptions;
  messages(): readonly Message[];
  /** The conversation goes on from this view. */
  adopt(compaction: Compaction): void;
  publish(event: AgentEvent): void | Promise<void>;
}

interface Occasion {
  readonly reason: 'manual' | WindowReason;
  readonly signal: AbortSignal;
  readonly focus?: string | undefined;
}

/** Keeps the conversation of a session within its model's window: the one path for every reason to shorten it. */
export class SessionCompaction {
  readonly #parts: CompactionParts;

  constructor(parts: CompactionParts) {
    this.#parts = parts;
  }

  /** The shorter conversation, or nothing where it may stay as it is or can't be made shorter. */
  async fit(
    messages: readonly Message[],
    reason: WindowReason,
    signal: AbortSignal,
  ): Promise<readonly Message[] | undefined> {
    if (reason === 'threshold' && !this.#isTooLong(messages)) return undefined;
    const result = await this.compact({ reason, signal });
    return result.kind === 'unchanged' ? undefined : result.messages;
  }

  async compact({ reason, signal, focus }: Occasion): Promise<CompactionResult> {
    const { hooks, recorder } = this.#parts;
    const { models, compactInstructions, retry, compaction, onCompact } = this.#parts.options();
    const [choice] = models;
    const occasion = { hooks, reason, signal };
    const hooked = await beforeCompaction(occasion, focus);
    if (hooked.block !== undefined) {
      const notice = `A hook stopped the compaction: ${hooked.block}`;
      return { kind: 'unchanged', messages: this.#parts.messages(), notice };
    }
    const { keepRecentTokens, ...threshold } = compaction?.(choice.model) ?? {};
    const result = await compact({
      messages: this.#parts.messages(),
      choice,
      reason,
      signal,
      threshold,
      ...(keepRecentTokens === undefined ? {} : { keepRecentTokens }),
      ...(hooked.focus ? { focus: hooked.focus } : {}),
      ...(compactInstructions === undefined ? {} : { instructions: compactInstructions }),
      ...(retry === undefined ? {} : { retry }),
    });
    if (result.kind === 'unchanged') return result;
    this.#parts.adopt(result);
    await recorder.keepCompaction(result, reason);
    onCompact?.(result);
    await afterCompaction(occasion, result);
    // Who asked for it is told by the answer to the request.
    if (reason !== 'manual')
      await this.#parts.publish({
        type: 'notice-show',
        level: 'info',
        text: compactionText(result, choice.model),
      });
    return result;
  }

  #isTooLong(messages: readonly Message[]): boolean {
    const { models, compaction } = this.#parts.options();
    const { model } = models[0];
    const policy = compaction?.(model) ?? {};
    return policy.enabled !== false && needsCompaction(messages, model, policy);
  }
}
