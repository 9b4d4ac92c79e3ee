import { randomUUID } from 'node:crypto';
import type { InteractiveSession, SessionEvent } from '@robota-sdk/agent-sdk/front-end';
import type { Output } from './output.ts';

export interface StreamEventOptions {
  /** Also the pieces of an answer as they come; yes unless given. */
  readonly partial?: boolean;
}

/** Prints the events of a session as `stream_event` lines; returns the function that stops it. */
export function printStreamEvents(
  session: InteractiveSession,
  stdout: Output,
  { partial = true }: StreamEventOptions = {},
): () => void {
  const sessionId = session.id;
  const write = (event: Record<string, unknown>) =>
    stdout.write(
      `${JSON.stringify({ type: 'stream_event', event, session_id: sessionId, uuid: randomUUID() })}\n`,
    );
  return session.subscribe((event) => {
    const line = streamEvent(event, partial);
    return line && write(line);
  });
}

function streamEvent(event: SessionEvent, partial: boolean): Record<string, unknown> | undefined {
  switch (event.type) {
    case 'text-delta':
      return partial
        ? { type: 'content_block_delta', delta: { type: 'text_delta', text: event.text } }
        : undefined;
    case 'text-restart':
      return partial ? { type: 'text_restart' } : undefined;
    case 'compaction-end':
      return compactionEvent(event);
    case 'limit-wait': {
      const { model, failure, until } = event;
      const resets = new Date(until).toISOString();
      return { type: 'limit_wait', model: nameOf(model), error_code: failure.code, resets_at: resets };
    }
    case 'limit-end':
      return { type: 'limit_end', model: nameOf(event.model) };
    case 'task-change':
      return { type: 'background_task_event', background_task_event: event.change };
    case 'job-change':
      return { type: 'background_job_group_event', background_job_group_event: event.change };
    default:
      return undefined;
  }
}

function nameOf({ vendor, id }: { readonly vendor: string; readonly id: string }): string {
  return `${vendor}/${id}`;
}

function compactionEvent(event: Extract<SessionEvent, { type: 'compaction-end' }>): Record<string, unknown> {
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
