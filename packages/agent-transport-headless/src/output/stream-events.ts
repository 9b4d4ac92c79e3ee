import { randomUUID } from 'node:crypto';
import type { AgentEvent, InteractiveSession } from '@robota-sdk/agent-sdk/front-end';
import type { Output } from './output.ts';

export interface StreamEventOptions {
  /** Also the pieces of an answer as they come; yes unless given. */
  readonly partial?: boolean;
}

/** Prints what happens in a session as `stream_event` lines; returns the functions that take it back. */
export function streamEvents(
  session: InteractiveSession,
  stdout: Output,
  { partial = true }: StreamEventOptions = {},
): (() => void)[] {
  const sessionId = session.id;
  const write = (event: Record<string, unknown>) =>
    stdout.write(
      `${JSON.stringify({ type: 'stream_event', event, session_id: sessionId, uuid: randomUUID() })}\n`,
    );
  return [
    ...(partial ? partialEvents(session, write) : []),
    session.on('event', (event) =>
      event.type === 'compaction-end' ? write(compactionEvent(event)) : undefined,
    ),
    session.on('background_task_event', (event) =>
      write({ type: 'background_task_event', background_task_event: event }),
    ),
    session.on('background_job_group_event', (event) =>
      write({ type: 'background_job_group_event', background_job_group_event: event }),
    ),
  ];
}

function partialEvents(
  session: InteractiveSession,
  write: (event: Record<string, unknown>) => void | Promise<void>,
): (() => void)[] {
  return [
    session.on('text_delta', (text) =>
      write({ type: 'content_block_delta', delta: { type: 'text_delta', text } }),
    ),
    session.on('event', (event) =>
      event.type === 'text-restart' ? write({ type: 'text_restart' }) : undefined,
    ),
  ];
}

function compactionEvent(event: Extract<AgentEvent, { type: 'compaction-end' }>): Record<string, unknown> {
  const { kind, reason, tokensBefore, tokensAfter, cost, notice, items } = event;
  return {
    type: 'compaction',
    kind,
    reason,
    tokens_before: tokensBefore,
    tokens_after: tokensAfter,
    cost_usd: cost,
    notice,
    items: items?.map(({ messageId, fate, title, tokens }) => ({
      message_id: messageId,
      fate,
      title,
      tokens,
    })),
  };
}
