import type { AgentErrorCode } from '../problem/agent-error.ts';
import type { ToolCallContent } from './content.ts';
import type { ModelRef, StopReason } from './model-ref.ts';
import type { Usage } from './usage.ts';
/** A call that was denied, and what would have allowed it. */
export interface Denial {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: ToolCallContent['input'];
  readonly reason: string;
  readonly wouldAllow?: readonly string[];
}

/** How a run ended, with its usage. */
export interface RunOutcome {
  readonly status: 'completed' | 'aborted' | 'failed' | 'limit';
  /** The text of the last assistant message; partial if the run ended early. */
  readonly text: string;
  /** Why the last answer ended, and which model gave it; absent if no model was called. */
  readonly stopReason?: StopReason;
  readonly model?: ModelRef;
  readonly turns: number;
  readonly usage: Usage;
  readonly cost: number;
  readonly denials: readonly Denial[];
  readonly error?: {
    readonly code: AgentErrorCode;
    readonly message: string;
    /** The HTTP status of the vendor's refusal. */
    readonly status?: number;
    /** The time when the vendor's limit resets, ISO. */
    readonly resetsAt?: string;
  };
}
