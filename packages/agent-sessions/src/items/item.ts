import type {
  CallPermission,
  CompactionReason,
  Display,
  JsonValue,
  RunOutcome,
  ShellRun,
  ToolStatus,
} from '@robota-sdk/agent-core';

/** A call as the transcript shows it, running or finished. */
export interface ToolItem {
  readonly kind: 'tool';
  readonly callId: string;
  /** The tool that ran, which may be another than the one the model named. */
  readonly name: string;
  readonly input: JsonValue;
  readonly status: 'running' | ToolStatus;
  /** The model's view of the result; for a running call, the end of its output. */
  readonly output: string;
  readonly display?: Display | undefined;
  readonly durationMs?: number | undefined;
  readonly exitCode?: number | null | undefined;
  readonly permission?: CallPermission | undefined;
  /** When a running call was started, in Unix milliseconds. */
  readonly startedAt?: number | undefined;
}

/** The conversation was made shorter for the model. Other programs store only the summary and the tokens before. */
export interface CompactionItem {
  readonly kind: 'compaction';
  readonly reason?: CompactionReason | undefined;
  readonly tokensBefore: number;
  readonly tokensAfter?: number | undefined;
  readonly contextWindow?: number | undefined;
  /** How many messages were kept, summarised, and lost their content. */
  readonly counts?:
    | { readonly kept: number; readonly summarised: number; readonly dropped: number }
    | undefined;
  readonly notice?: string | undefined;
  readonly summary?: string | undefined;
}

/** An item that is stored with the conversation: a resumed session shows it as it was shown live. */
type StoredItem =
  /** `shown`: what the user entered, where the prompt says something else. */
  | { readonly kind: 'user'; readonly text: string; readonly shown?: string | undefined }
  | { readonly kind: 'answer'; readonly text: string }
  /** `durationMs`: how long it took, known while it happens only. */
  | { readonly kind: 'thinking'; readonly text: string; readonly durationMs?: number | undefined }
  | ToolItem
  /** A command that the user ran, `!cmd`. */
  | ({ readonly kind: 'shell' } & ShellRun)
  | CompactionItem
  /** A pin, a message that was brought back, another model, or a branch that was left. */
  | { readonly kind: 'note'; readonly text: string }
  /** An answer ended early: by the user, or by an error. */
  | { readonly kind: 'cut'; readonly error?: string | undefined };

/** An item about the moment: shown when it happens, and not stored. */
type PassingItem =
  | { readonly kind: 'notice'; readonly level: 'info' | 'warning' | 'error'; readonly text: string }
  /** The end of a run. */
  | {
      readonly kind: 'run-end';
      readonly outcome: RunOutcome;
      readonly toolCount: number;
      readonly durationMs: number;
    };

/** A visible element of a conversation, live or resumed. */
export type Item = StoredItem | PassingItem;

/** True if an item is stored with the conversation. */
export function isStored(item: Item): item is StoredItem {
  return item.kind !== 'notice' && item.kind !== 'run-end';
}
