import {
  givenFields,
  type HookAnswer,
  type HookInput,
  type HookPoint,
  type HookResult,
  isJsonObject,
  type JsonObject,
  noReason,
  type ToolCallContent,
  textOf,
} from '@robota-sdk/agent-core';
import type { HookEventName } from './hook-names.ts';

/** How an event of the settings stands on a hook point. */
export interface HookEvent<P extends HookPoint> {
  readonly point: P;
  /** Set where the event is about a tool call, so that a hook's `if` can be compared with it. */
  readonly isAboutCall?: true;
  /** True if the event happened at its hook point; always unless given. */
  readonly happens?: (input: HookInput<P>) => boolean;
  /** The value that matchers are tested on; without it they are ignored. */
  readonly subject?: (input: HookInput<P>) => string;
  readonly payload: (input: HookInput<P>) => JsonObject;
  /** Output that is not JSON becomes context for the model. */
  readonly takesText?: boolean;
  /** A failed hook counts as no approval: the user is asked. */
  readonly failsClosed?: boolean;
  /** Seconds a hook may take here, where that is less than its executor grants. */
  readonly timeout?: number;
  /** The combined result of the hooks; absent if they can only observe. */
  readonly result?: (answer: HookAnswer) => HookResult<P>;
}

type EventTable = Readonly<Record<HookEventName, unknown>> & {
  readonly SessionStart: HookEvent<'session-start'>;
  readonly UserPromptSubmit: HookEvent<'input'>;
  readonly PreToolUse: HookEvent<'tool-before'>;
  readonly PermissionRequest: HookEvent<'permission-ask'>;
  readonly PostToolUse: HookEvent<'tool-after'>;
  readonly PostToolUseFailure: HookEvent<'tool-after'>;
  readonly PreCompact: HookEvent<'compact-before'>;
  readonly PostCompact: HookEvent<'compact-after'>;
  readonly Stop: HookEvent<'run-stop'>;
  readonly SubagentStart: HookEvent<'subagent-start'>;
  readonly SubagentStop: HookEvent<'subagent-stop'>;
  readonly Notification: HookEvent<'notification'>;
  readonly SessionEnd: HookEvent<'session-end'>;
};

/** The events of the settings, with the fields their hooks are given and what becomes of their answers. */
export const hookEvents: EventTable = {
  SessionStart: {
    point: 'session-start',
    subject: ({ source = 'startup' }) => source,
    payload: ({ source = 'startup' }) => ({ source }),
    takesText: true,
    result: contextOf,
  },
  UserPromptSubmit: {
    point: 'input',
    payload: ({ text }) => ({ prompt: text, user_message: text }),
    takesText: true,
    result: (answer) => ({ ...contextOf(answer), ...refusalOf(answer) }),
  },
  PreToolUse: {
    point: 'tool-before',
    isAboutCall: true,
    subject: ({ call }) => call.name,
    payload: ({ call }) => callFields(call),
    failsClosed: true,
    result: toolVerdict,
  },
  PermissionRequest: {
    point: 'permission-ask',
    isAboutCall: true,
    subject: ({ call }) => call.name,
    payload: ({ call, rules }) => ({ ...callFields(call), permission_suggestions: suggestionsOf(rules) }),
    result: ({ block, verdict, reason, input }) => {
      if (block !== undefined) return { verdict: 'deny', reason: block };
      // An approval of other arguments does not cover these.
      const decided = verdict === 'ask' || (verdict === 'allow' && input !== undefined) ? undefined : verdict;
      return {
        ...(decided === undefined ? {} : { verdict: decided, reason: reason ?? 'Denied by a hook.' }),
      };
    },
  },
  PostToolUse: {
    point: 'tool-after',
    isAboutCall: true,
    happens: ({ output }) => !output.isError,
    subject: ({ call }) => call.name,
    payload: ({ call, output }) => {
      const text = shortened(textOf(output.content));
      return { ...callFields(call), tool_response: responseOf(call, text), tool_output: text };
    },
    result: (answer) => afterCall(answer),
  },
  PostToolUseFailure: {
    point: 'tool-after',
    isAboutCall: true,
    happens: ({ output }) => output.isError === true,
    subject: ({ call }) => call.name,
    payload: ({ call, output }) => {
      const text = shortened(textOf(output.content));
      const tool_response = responseOf(call, text, { isError: true });
      return { ...callFields(call), error: text, tool_response, tool_output: text };
    },
    result: (answer) => afterCall(answer, { isError: true }),
  },
  PreCompact: {
    point: 'compact-before',
    subject: ({ trigger }) => trigger,
    payload: ({ trigger, instructions = '' }) => ({ trigger, custom_instructions: instructions }),
    takesText: true,
    result: (answer) => ({ ...contextOf(answer), ...refusalOf(answer) }),
  },
  PostCompact: {
    point: 'compact-after',
    subject: ({ trigger }) => trigger,
    payload: ({ trigger, summary }) => ({ trigger, compact_summary: summary }),
  },
  Stop: {
    point: 'run-stop',
    payload: ({ text, repeated }) => ({ ...answerFields(text), stop_hook_active: repeated }),
    result: continuation,
  },
  SubagentStart: {
    point: 'subagent-start',
    subject: ({ agentType }) => agentType,
    payload: ({ agentId, agentType }) => ({ agent_id: agentId, agent_type: agentType }),
    takesText: true,
    result: contextOf,
  },
  SubagentStop: {
    point: 'subagent-stop',
    subject: ({ agentType }) => agentType,
    payload: ({ agentId, agentType, text, repeated, transcriptPath = '' }) => ({
      agent_id: agentId,
      agent_type: agentType,
      agent_transcript_path: transcriptPath,
      ...answerFields(text),
      stop_hook_active: repeated,
    }),
    result: continuation,
  },
  Notification: {
    point: 'notification',
    subject: ({ kind }) => kind,
    payload: ({ kind, title, message }) => ({ notification_type: kind, title, message }),
  },
  SessionEnd: {
    point: 'session-end',
    subject: ({ reason }) => endReason(reason),
    payload: ({ reason }) => ({ reason: endReason(reason) }),
    // Short, since the user waits for the exit.
    timeout: 10,
  },
};

/** The name hooks know for an end that is nothing special. */
function endReason(reason: string): string {
  return reason === 'close' ? 'other' : reason;
}

function callFields({ id, name, input }: ToolCallContent): JsonObject {
  return { tool_name: name, tool_input: input, tool_use_id: id };
}

/** The result under the names that hooks for other agents look for. */
function responseOf(call: ToolCallContent, text: string, { isError = false } = {}): JsonObject {
  const input = isJsonObject(call.input) ? call.input : {};
  return {
    success: !isError,
    text,
    ...(typeof input.file_path === 'string' ? { filePath: input.file_path } : {}),
    ...(typeof input.command === 'string' ? { stdout: text, stderr: '' } : {}),
  };
}

/** A hook is given more than the model sees, but not hundreds of megabytes three times over. */
const maxOutputLength = 200_000;

function shortened(text: string): string {
  if (text.length <= maxOutputLength) return text;
  return `${text.slice(0, maxOutputLength)}\n[${text.length - maxOutputLength} characters more]`;
}

function answerFields(text: string): JsonObject {
  return { last_assistant_message: text, response: text };
}

function contextOf({ context }: HookAnswer): { readonly context?: string } {
  return context === undefined ? {} : { context };
}

/** Rules that would allow a call, in the shape that hooks know. */
function suggestionsOf(rules: readonly string[]): JsonObject[] {
  return rules.map((rule) => {
    const [, toolName = rule, ruleContent] = /^([^(]+)\((.*)\)$/s.exec(rule) ?? [];
    const content = ruleContent === undefined ? {} : { ruleContent };
    return { type: 'addRules', behavior: 'allow', destination: 'session', rules: [{ toolName, ...content }] };
  });
}

/** A replaced output also replaces what users see of it. */
function afterCall(answer: HookAnswer, { isError = false } = {}): HookResult<'tool-after'> {
  return {
    ...(answer.output === undefined
      ? {}
      : { output: { content: [{ type: 'text', text: answer.output }], isError } }),
    ...contextOf({ ...answer, ...joined(answer.block, answer.context) }),
    ...(answer.stop === undefined ? {} : { stop: answer.stop }),
  };
}

function refusalOf({ stop, block, verdict, reason }: HookAnswer): { readonly block?: string } {
  const refused = stop ?? block ?? (verdict === 'deny' ? (reason ?? noReason) : undefined);
  return refused === undefined ? {} : { block: refused };
}

function toolVerdict(answer: HookAnswer): HookResult<'tool-before'> {
  const { block, stop, verdict, input, context } = answer;
  const reason = block ?? answer.reason ?? noReason;
  const decided = block === undefined ? verdict : 'deny';
  return {
    ...(decided === undefined ? {} : { verdict: decided, reason }),
    ...givenFields({ stop, input, context }),
  };
}

/** A refusal to stop sends the model back to work, unless another hook wants the end. */
function continuation({ block, stop }: HookAnswer): { readonly continueWith?: string } {
  return block === undefined || stop !== undefined ? {} : { continueWith: block };
}

function joined(...parts: (string | undefined)[]): { readonly context?: string } {
  const present = parts.filter((part) => part !== undefined);
  return present.length === 0 ? {} : { context: present.join('\n\n') };
}
