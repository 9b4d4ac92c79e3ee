import type {
  CallPermission,
  CallState,
  CompactionReason,
  Display,
  JsonValue,
  Notice,
  RunOutcome,
  ShellRun,
} from '@robota-sdk/agent-core';

/** A call as the transcript shows it, running or finished. */
export interface ToolItem {
  readonly kind: 'tool';
  readonly callId: string;
  /** The tool that ran, which may be another than the one the model named. */
  readonly name: string;
  readonly input: JsonValue;
  readonly state: CallState;
  /** The model's view of the result; for a running call, the end of its output. */
  readonly output: string;
  readonly display?: Display | undefined;
  readonly durationMs?: number | undefined;
  readonly exitCode?: number | null | undefined;
  readonly permission?: CallPermission | undefined;
  /** When a running call was started, in Unix milliseconds. */
  readonly startedAt?: number | undefined;
}

/** The conversation was shortened for the model. Other programs store only the summary and the tokens before. */
export interface CompactionItem {
  readonly kind: 'compaction';
  readonly reason?: CompactionReason | undefined;
  readonly tokensBefore: number;
  readonly tokensAfter?: number | undefined;
  readonly contextWindow?: number | undefined;
  /** Number of messages kept, summarized and pruned. */
  readonly counts?:
    | { readonly kept: number; readonly summarised: number; readonly dropped: number }
    | undefined;
  readonly notice?: string | undefined;
  readonly summary?: string | undefined;
}

/** An item that is stored with the conversation: a resumed session shows it as it was shown live. */
type StoredItem =
  /** `shown`: the user's input, if it differs from the prompt. */
  | { readonly kind: 'user'; readonly text: string; readonly shown?: string | undefined }
  | { readonly kind: 'answer'; readonly text: string }
  /** `durationMs` is known only while it happens. */
  | { readonly kind: 'thinking'; readonly text: string; readonly durationMs?: number | undefined }
  | ToolItem
  /** A command that the user ran, `!cmd`. */
  | ({ readonly kind: 'shell' } & ShellRun)
  | CompactionItem
  /** A pin, a restored message, a model change, or an abandoned branch. */
  | { readonly kind: 'note'; readonly text: string }
  /** An answer or a run ended early: by the user, or by an error. */
  | { readonly kind: 'cut'; readonly error?: string | undefined };

/** A temporary item: shown when it happens, and not stored. */
type PassingItem =
  /** `isMarkdown`: the lines after the first are Markdown. `isStored`: it is also stored. */
  | ({ readonly kind: 'notice'; readonly isMarkdown?: boolean; readonly isStored?: boolean } & {
      /** The id of an open call, which it is shown after. */
      readonly after?: string | undefined;
    } & Pick<Notice, 'level' | 'text'>)
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
export function isStored(item: Item): boolean {
  return item.kind === 'notice' ? item.isStored === true : item.kind !== 'run-end';
}
