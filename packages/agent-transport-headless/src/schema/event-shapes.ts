import {
  type AgentEvent,
  anything,
  described,
  describing,
  exactly,
  flag,
  integer,
  list,
  nullable,
  number,
  object,
  text,
  words,
} from '@robota-sdk/agent-core';
import {
  access,
  errorCode,
  message,
  modelRef,
  omitted,
  problemShape,
  serverTool,
  stopReason,
  toolCall,
  toolMessage,
  toolStatus,
  usage,
} from './message-shapes.ts';

type EventsByType = { readonly [K in AgentEvent['type']]: Extract<AgentEvent, { type: K }> };

const modelFailure = object(
  { code: errorCode, message: text, retryable: flag },
  { retryAfterMs: number, resetsAt: text, status: integer, reason: text },
);

const compactionReason = words('manual', 'threshold', 'overflow');

const denial = object(
  { toolCallId: text, toolName: text, input: anything, reason: text },
  { wouldAllow: list(text) },
);

const outcome = object(
  {
    status: words('completed', 'aborted', 'failed', 'limit'),
    text,
    turns: integer,
    usage,
    cost: number,
    denials: list(denial),
  },
  {
    stopReason,
    model: modelRef,
    error: object({ code: errorCode, message: text }, { status: integer, resetsAt: text }),
  },
);

/** The events of a run that a session tells its listeners. */
export const eventShapes = describing<EventsByType>()({
  'run-start': described(object({ type: exactly('run-start'), model: modelRef }), 'A run begins.'),
  'turn-start': described(
    object({ type: exactly('turn-start'), turn: integer, model: modelRef }),
    'A model is called.',
  ),
  'text-delta': described(object({ type: exactly('text-delta'), text }), 'A piece of an answer.'),
  'text-end': described(object({ type: exactly('text-end') }), 'A block of an answer is complete.'),
  'text-restart': described(
    object({ type: exactly('text-restart') }),
    'The text of this turn so far is discarded.',
  ),
  'thinking-delta': described(object({ type: exactly('thinking-delta'), text }), 'A piece of thinking.'),
  'thinking-end': described(object({ type: exactly('thinking-end') }), 'A block of thinking is complete.'),
  'server-tool': described(
    object({ type: exactly('server-tool'), content: serverTool }),
    'The vendor runs one of its own tools.',
  ),
  'message-append': described(
    object({ type: exactly('message-append'), message }),
    'A message joined the conversation and is on disk.',
  ),
  'tool-start': described(
    object({ type: exactly('tool-start'), call: toolCall, access: list(access) }),
    'A call starts, or was denied.',
  ),
  'prompt-progress': described(
    object({ type: exactly('prompt-progress'), processed: integer, total: integer }),
    'A server on this machine is still reading the prompt: tokens it has read, and all.',
  ),
  'tool-progress': described(
    object({ type: exactly('tool-progress'), toolCallId: text, text }),
    'Output of a running call.',
  ),
  'tool-end': described(
    object({
      type: exactly('tool-end'),
      call: toolCall,
      status: toolStatus,
      result: toolMessage,
      durationMs: number,
    }),
    'The result of a call.',
  ),
  'shell-end': described(
    object({
      type: exactly('shell-end'),
      run: object(
        {
          command: text,
          output: text,
          exitCode: nullable(integer),
          status: toolStatus,
          isPrivate: flag,
        },
        { durationMs: integer, omitted },
      ),
    }),
    'A command that the user ran has ended, or was refused.',
  ),
  'retry-wait': described(
    object({
      type: exactly('retry-wait'),
      model: modelRef,
      failure: modelFailure,
      attempt: integer,
      maxAttempts: integer,
      delayMs: number,
    }),
    'A model call failed and is retried.',
  ),
  'limit-wait': described(
    object({ type: exactly('limit-wait'), model: modelRef, failure: modelFailure, until: number }),
    'The run waits for a rate limit to reset, until a time in Unix milliseconds.',
  ),
  'limit-end': described(
    object({ type: exactly('limit-end'), model: modelRef }),
    'The limit has reset, and the run resumes.',
  ),
  'model-switch': described(
    object({ type: exactly('model-switch'), from: modelRef, to: modelRef, failure: modelFailure }),
    'A fallback model takes over.',
  ),
  'compaction-start': described(
    object({ type: exactly('compaction-start'), reason: compactionReason }, { focus: text }),
    'A compaction starts.',
  ),
  'compaction-end': described(
    object(
      {
        type: exactly('compaction-end'),
        reason: compactionReason,
        kind: words('summarised', 'pruned', 'dropped', 'unchanged'),
        cost: number,
      },
      {
        tokensBefore: integer,
        tokensAfter: integer,
        notice: text,
        contextWindow: integer,
        summary: text,
        items: list(
          object({
            messageId: text,
            fate: words('kept', 'summarised', 'pruned', 'dropped'),
            title: text,
            tokens: integer,
          }),
        ),
      },
    ),
    'The result of a compaction.',
  ),
  'notice-show': described(
    object(
      { type: exactly('notice-show'), level: words('info', 'warning', 'error'), text },
      { problem: problemShape, about: words('compaction', 'answer', 'check') },
    ),
    'A notice for the user.',
  ),
  'queue-change': described(
    object({ type: exactly('queue-change'), steering: integer, followUp: integer }),
    'The numbers of waiting messages.',
  ),
  'turn-end': described(
    object({ type: exactly('turn-end'), turn: integer, usage, cost: number }),
    'A model has answered.',
  ),
  'run-end': described(object({ type: exactly('run-end'), outcome }), 'A run ended.'),
});
