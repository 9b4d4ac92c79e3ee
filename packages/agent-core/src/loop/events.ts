import type { ServerToolContent, ToolCallContent } from '../message/content.ts';
import type { Message, ToolMessage, ToolStatus } from '../message/message.ts';
import type { ModelFailure } from '../message/model-event.ts';
import type { ModelRef } from '../message/model-ref.ts';
import type { RunOutcome } from '../message/run-outcome.ts';
import type { ShellRun } from '../message/shell-run.ts';
import type { Usage } from '../message/usage.ts';
import type { Problem } from '../problem/problem.ts';
import type { Access } from '../tool/access.ts';
import type { LimitWait } from './limit-waits.ts';

/** Why a conversation is made shorter. */
export type CompactionReason = 'manual' | 'threshold' | 'overflow';

/** The outcome of a compaction. */
interface CompactionOutcome {
  readonly kind: 'summarised' | 'pruned' | 'dropped' | 'unchanged';
  readonly tokensBefore?: number;
  readonly tokensAfter?: number;
  /** US dollars for the summary. */
  readonly cost: number;
  readonly notice?: string;
  /** The window that had to be fitted into, in tokens. */
  readonly contextWindow?: number;
  /** The summary that replaces earlier messages. */
  readonly summary?: string;
  /** The outcome of each message. */
  readonly items?: readonly {
    readonly messageId: string;
    readonly fate: 'kept' | 'summarised' | 'pruned' | 'dropped';
    readonly title: string;
    readonly tokens: number;
  }[];
}

/** Everything that happens in a run, in order; each value is serialisable as it stands. */
export type AgentEvent =
  | { readonly type: 'run-start'; readonly model: ModelRef }
  | { readonly type: 'turn-start'; readonly turn: number; readonly model: ModelRef }
  | { readonly type: 'text-delta'; readonly text: string }
  | { readonly type: 'text-end' }
  /** After a lost connection the model restarted its answer: discard the text shown for this turn. */
  | { readonly type: 'text-restart' }
  | { readonly type: 'thinking-delta'; readonly text: string }
  | { readonly type: 'thinking-end' }
  | { readonly type: 'server-tool'; readonly content: ServerToolContent }
  /** A server on this machine is still reading the prompt; both are tokens. */
  | { readonly type: 'prompt-progress'; readonly processed: number; readonly total: number }
  /** A message joined the conversation. The sink makes it durable before it returns. */
  | { readonly type: 'message-append'; readonly message: Message }
  | { readonly type: 'tool-start'; readonly call: ToolCallContent; readonly access: readonly Access[] }
  | { readonly type: 'tool-progress'; readonly toolCallId: string; readonly text: string }
  | {
      readonly type: 'tool-end';
      readonly call: ToolCallContent;
      readonly status: ToolStatus;
      readonly result: ToolMessage;
      readonly durationMs: number;
    }
  /** A command that the user ran has ended, or was refused. */
  | { readonly type: 'shell-end'; readonly run: ShellRun }
  | {
      readonly type: 'retry-wait';
      readonly model: ModelRef;
      readonly failure: ModelFailure;
      /** The attempt that comes next, counted from 1 for the first retry. */
      readonly attempt: number;
      readonly maxAttempts: number;
      readonly delayMs: number;
    }
  /** The run waits for a vendor's limit to reset, and resumes by itself. The sink makes it durable before it returns. */
  | ({ readonly type: 'limit-wait' } & LimitWait)
  /** The limit has reset: the model is asked again. */
  | { readonly type: 'limit-end'; readonly model: ModelRef }
  | {
      readonly type: 'model-switch';
      readonly from: ModelRef;
      readonly to: ModelRef;
      readonly failure: ModelFailure;
    }
  | { readonly type: 'compaction-start'; readonly reason: CompactionReason; readonly focus?: string }
  | ({ readonly type: 'compaction-end'; readonly reason: CompactionReason } & CompactionOutcome)
  | {
      readonly type: 'notice-show';
      readonly level: 'info' | 'warning' | 'error';
      readonly text: string;
      /** The problem that the text describes. */
      readonly problem?: Problem;
      /** `compaction` repeats that event, `answer` is stored, and with `check` the run waits for its goal's check. */
      readonly about?: 'compaction' | 'answer' | 'check';
    }
  | { readonly type: 'queue-change'; readonly steering: number; readonly followUp: number }
  | { readonly type: 'turn-end'; readonly turn: number; readonly usage: Usage; readonly cost: number }
  | { readonly type: 'run-end'; readonly outcome: RunOutcome };
