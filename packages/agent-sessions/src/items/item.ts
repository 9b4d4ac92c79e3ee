import type { Display, JsonValue, RunOutcome, ShellRun } from '@robota-sdk/agent-core';

/** A call as the transcript shows it, running or finished. */
export interface ToolItem {
  readonly kind: 'tool';
  readonly callId: string;
  readonly name: string;
  readonly input: JsonValue;
  readonly status: 'running' | 'success' | 'error' | 'denied' | 'aborted';
  /** What the model is told. */
  readonly output: string;
  readonly display?: Display | undefined;
  readonly durationMs?: number | undefined;
}

/** What a person sees of a conversation, one after the other; live and looked back at alike. */
export type Item =
  | { readonly kind: 'user'; readonly text: string }
  | { readonly kind: 'answer'; readonly text: string }
  | { readonly kind: 'thinking'; readonly text: string }
  | ToolItem
  | { readonly kind: 'notice'; readonly level: 'info' | 'warning' | 'error'; readonly text: string }
  /** What a command of the person printed, `!cmd`. */
  | ({ readonly kind: 'shell' } & ShellRun)
  /** The end of a run. */
  | {
      readonly kind: 'run-end';
      readonly outcome: RunOutcome;
      readonly toolCount: number;
      readonly durationMs: number;
    };
