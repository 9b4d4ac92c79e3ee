import type { AgentErrorCode } from '../problem/agent-error.ts';
import type { JsonValue } from '../shape/json.ts';
import type { ServerToolContent } from './content.ts';
import type { StopReason } from './model-ref.ts';
import type { Usage } from './usage.ts';

/** Why a model call failed, and whether the same call may succeed later. */
export interface ModelFailure {
  readonly code: AgentErrorCode;
  /** For the user: the cause and the fix. */
  readonly message: string;
  readonly retryable: boolean;
  /** The delay the server asked for, or the time until its limit resets. */
  readonly retryAfterMs?: number;
  /** ISO time of a limit reset that the run did not wait for. */
  readonly resetsAt?: string;
  /** HTTP status, if there was a response. */
  readonly status?: number;
  /** The cloud's own name of the error, such as `AccessDeniedException`. */
  readonly reason?: string;
}

/**
 * An event of a provider's stream. Blocks are numbered from 0 in the order they start; every block ends
 * before the stream does. The last event is exactly one `end` or `error`.
 */
export type ModelEvent =
  | { readonly type: 'text-start'; readonly index: number }
  | { readonly type: 'text-delta'; readonly index: number; readonly text: string }
  | { readonly type: 'text-end'; readonly index: number; readonly vendorData?: JsonValue }
  /** The open block of text turned out to be thinking, and ends as such. */
  | { readonly type: 'text-was-thinking'; readonly index: number }
  | { readonly type: 'thinking-start'; readonly index: number }
  | { readonly type: 'thinking-delta'; readonly index: number; readonly text: string }
  | {
      readonly type: 'thinking-end';
      readonly index: number;
      readonly redacted?: boolean;
      readonly vendorData?: JsonValue;
    }
  | { readonly type: 'tool-call-start'; readonly index: number; readonly id: string; readonly name: string }
  | { readonly type: 'tool-call-delta'; readonly index: number; readonly json: string }
  | {
      readonly type: 'tool-call-end';
      readonly index: number;
      readonly input: JsonValue;
      readonly invalid?: string;
      readonly raw?: string;
      readonly vendorData?: JsonValue;
    }
  | { readonly type: 'server-tool'; readonly index: number; readonly content: ServerToolContent }
  /** The server is still reading the prompt; both are tokens. */
  | { readonly type: 'prompt-progress'; readonly processed: number; readonly total: number }
  | {
      readonly type: 'end';
      readonly stopReason: StopReason;
      readonly usage: Usage;
      /** A note for the user, such as an unknown stop reason. */
      readonly note?: string;
    }
  | { readonly type: 'error'; readonly failure: ModelFailure; readonly usage?: Usage };
