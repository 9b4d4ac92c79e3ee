import type { JsonValue } from '../json.ts';
import type { RunOutcome } from '../loop/events.ts';
import type { ToolCallContent } from '../message/content.ts';
import type { Message } from '../message/message.ts';
import type { Access } from '../tool/access.ts';
import type { ToolOutput } from '../tool/tool.ts';

/** What each hook point hands to its hooks and may get back. A hook that returns nothing changes nothing. */
export interface HookMap {
  'session-start': { input: { readonly cwd: string }; result: { readonly context?: string } };
  /** Before the person's message joins the conversation. */
  input: {
    input: { readonly text: string };
    result: { readonly text?: string; readonly block?: string; readonly context?: string };
  };
  /** Before each model call; may replace the messages that are sent, never those that are kept. */
  'request-before': {
    input: { readonly messages: readonly Message[] };
    result: { readonly messages?: readonly Message[] };
  };
  /** Before a tool call is judged and run. */
  'tool-before': {
    input: { readonly call: ToolCallContent; readonly access: readonly Access[] };
    result: {
      readonly block?: string;
      readonly verdict?: 'allow' | 'ask' | 'deny';
      readonly reason?: string;
      readonly input?: JsonValue;
    };
  };
  /** After a tool call ran; may replace the result. */
  'tool-after': {
    input: { readonly call: ToolCallContent; readonly output: ToolOutput };
    result: { readonly output?: ToolOutput; readonly context?: string };
  };
  /** When the model would stop; a reason sends it back to work. */
  'run-stop': {
    input: { readonly text: string; readonly repeated: boolean };
    result: { readonly continueWith?: string };
  };
  'run-end': { input: { readonly outcome: RunOutcome }; result: Record<never, never> };
  'session-end': { input: { readonly reason: string }; result: Record<never, never> };
}

export type HookPoint = keyof HookMap;
export type HookInput<P extends HookPoint> = HookMap[P]['input'];
export type HookResult<P extends HookPoint> = HookMap[P]['result'];

/** A function at a hook point. */
export type Hook<P extends HookPoint> = (
  input: HookInput<P>,
  signal: AbortSignal,
) => HookResult<P> | undefined | Promise<HookResult<P> | undefined>;
