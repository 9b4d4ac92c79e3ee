import type { ToolCallContent } from '../message/content.ts';
import type { Message } from '../message/message.ts';
import type { RunOutcome } from '../message/run-outcome.ts';
import type { JsonValue } from '../shape/json.ts';
import type { Access } from '../tool/access.ts';
import type { ToolOutput } from '../tool/tool.ts';

/** Input and result of each hook point. A hook that returns nothing changes nothing. */
interface HookMap {
  /** Before the first prompt of a session; the context joins the conversation. */
  'session-start': {
    input: { readonly cwd: string; readonly source?: 'startup' | 'resume' | 'clear' | 'compact' };
    result: { readonly context?: string };
  };
  /** Before the user's message joins the conversation. */
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
    input: {
      readonly call: ToolCallContent;
      readonly access: readonly Access[];
      /** The directory of the call, which may be that of a subagent. */
      readonly cwd?: string;
    };
    result: {
      readonly block?: string;
      readonly verdict?: 'allow' | 'ask' | 'deny';
      readonly reason?: string;
      readonly input?: JsonValue;
      /** Joins the call's result. */
      readonly context?: string;
      /** Ends the run, for this reason; the call is not run. */
      readonly stop?: string;
    };
  };
  /** Before the user is asked about a call; may answer instead of the user. */
  'permission-ask': {
    input: {
      readonly call: ToolCallContent;
      readonly access: readonly Access[];
      /** Rules that would allow the call. */
      readonly rules: readonly string[];
      readonly cwd?: string;
    };
    result: { readonly verdict?: 'allow' | 'deny'; readonly reason?: string };
  };
  /** After a tool call ran; may replace the result. */
  'tool-after': {
    input: {
      readonly call: ToolCallContent;
      readonly output: ToolOutput;
      /** The accesses of the call. */
      readonly access?: readonly Access[];
      /** The conversation it belongs to, which may be that of a subagent. */
      readonly sessionId?: string;
      readonly cwd?: string;
    };
    result: { readonly output?: ToolOutput; readonly context?: string; readonly stop?: string };
  };
  /** When the model would stop; `continueWith` sends it back to work. */
  'run-stop': {
    input: { readonly text: string; readonly repeated: boolean };
    result: {
      readonly continueWith?: string;
      /** Ends the run as failed with the code `unproven`, for this reason. */
      readonly unproven?: string;
    };
  };
  /** Before the older part of the conversation is summarized; the context becomes the focus of the summary. */
  'compact-before': {
    input: { readonly trigger: 'manual' | 'auto'; readonly instructions?: string };
    result: { readonly block?: string; readonly context?: string };
  };
  'compact-after': {
    input: { readonly trigger: 'manual' | 'auto'; readonly summary: string };
    result: Record<never, never>;
  };
  /** When the user is needed or should be informed. */
  notification: {
    input: { readonly kind: string; readonly title: string; readonly message: string };
    result: Record<never, never>;
  };
  'subagent-start': {
    input: { readonly agentId: string; readonly agentType: string; readonly cwd?: string };
    result: { readonly context?: string };
  };
  /** When a subagent would hand its answer back; a reason sends it back to work. */
  'subagent-stop': {
    input: {
      readonly agentId: string;
      readonly agentType: string;
      readonly text: string;
      readonly repeated: boolean;
      readonly transcriptPath?: string;
      readonly cwd?: string;
    };
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
