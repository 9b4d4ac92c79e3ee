import { randomUuid } from '../naming/random-id.ts';
import type { AgentErrorCode } from '../problem/agent-error.ts';
import type { JsonValue } from '../shape/json.ts';
import type { AssistantContent, ToolCallContent, UserContent } from './content.ts';
import type { Display } from './display.ts';
import type { ModelRef, StopReason } from './model-ref.ts';
import type { Usage } from './usage.ts';

interface MessageBase {
  /** A UUID. */
  readonly id: string;
  /** The message before it in its branch; null for the first. */
  readonly parentId: string | null;
  /** Unix milliseconds. */
  readonly timestamp: number;
}

export interface UserMessage extends MessageBase {
  readonly role: 'user';
  readonly content: readonly UserContent[];
  /** Its origin; absent means that the user typed it. */
  readonly origin?: 'steering' | 'follow-up' | 'reminder' | 'summary' | 'command' | 'pin' | 'recall';
  /** The user's input if it differs from the content, such as a command's name. */
  readonly shown?: string;
}

export interface AssistantMessage extends MessageBase {
  readonly role: 'assistant';
  readonly content: readonly AssistantContent[];
  readonly model: ModelRef;
  readonly usage: Usage;
  /** US dollars; 0 where no price is known. */
  readonly cost: number;
  readonly stopReason: StopReason;
  /** Why it was cut off or refused, where more is known than `stopReason`. */
  readonly note?: string;
  /** Why it ended early, when `stopReason` is `error`. */
  readonly error?: { readonly code: AgentErrorCode; readonly message: string };
}

/** How a call ended. `denied`: a rule, a hook or the user refused it; `aborted`: the user interrupted it. */
export type ToolStatus = 'success' | 'error' | 'denied' | 'aborted';

/**
 * The decision about a call that was asked about or did not run: how long an approval lasts, the user's refusal, the
 * deny rule, the permission mode that refused it, or an interrupt before the call began.
 */
export type CallPermission =
  | { readonly kind: 'once' | 'session' | 'project' }
  | { readonly kind: 'declined'; readonly said?: string }
  | { readonly kind: 'rule'; readonly rule: string }
  | { readonly kind: 'mode'; readonly mode: 'plan' }
  | { readonly kind: 'skipped' };

export interface ToolMessage extends MessageBase {
  readonly role: 'tool';
  readonly toolCallId: string;
  readonly toolName: string;
  readonly content: readonly UserContent[];
  readonly status: ToolStatus;
  /** True for every status but `success`. */
  readonly isError: boolean;
  /** How long the call took; absent where it is not known, such as in imported sessions. */
  readonly durationMs?: number;
  /** Exit code of a command; null if it was killed. */
  readonly exitCode?: number | null;
  /** Absent where no decision was needed, or none is known. */
  readonly permission?: CallPermission;
  /** The call that ran, where it differs from the one the model made: another tool or other arguments. */
  readonly ran?: { readonly name: string; readonly input: JsonValue };
  /** Shown instead of `content`. */
  readonly display?: Display;
}

/** The two fields that describe how a call ended; they always agree. */
export function toolEnd(status: ToolStatus): Pick<ToolMessage, 'status' | 'isError'> {
  return { status, isError: status !== 'success' };
}

export type Message = UserMessage | AssistantMessage | ToolMessage;

type WithoutBase<M extends MessageBase> = Omit<M, keyof MessageBase>;
export type MessageDraft =
  | WithoutBase<UserMessage>
  | WithoutBase<AssistantMessage>
  | WithoutBase<ToolMessage>;

/** Gives a draft a new id, its parent and the time. */
export function createMessage<D extends MessageDraft>(draft: D, parentId: string | null): D & MessageBase {
  // No spread: V8 of Node 20 would give each object a separate hidden class, which costs memory and slows
  // every reader.
  return Object.assign({}, draft, { id: randomUuid(), parentId, timestamp: Date.now() });
}

/** The calls an assistant message asks for, in source order. */
export function toolCallsOf(message: Message): readonly ToolCallContent[] {
  if (message.role !== 'assistant') return [];
  return message.content.filter((block) => block.type === 'tool-call');
}
