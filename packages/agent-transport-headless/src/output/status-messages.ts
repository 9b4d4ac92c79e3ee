import type { InteractiveSession, SessionEvent } from '@robota-sdk/agent-sdk/front-end';
import { eventLine } from './message-events.ts';
import type { Output } from './output.ts';

type Line = Readonly<Record<string, unknown>>;

/** Prints retries, limits, compactions, denials and changes of the permission mode in the words of Claude Code. */
export function statusMessages(session: InteractiveSession, stdout: Output): () => void {
  const write = (line: Line) => stdout.write(eventLine(session, line));
  const stops = [
    session.subscribe(async (event) => {
      for (const line of linesOf(event)) await write(line);
    }),
    session.permissions.onModeChange(() => {
      void write({ ...status, status: null, permissionMode: session.permissions.mode });
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

const status = { type: 'system', subtype: 'status' };

function linesOf(event: SessionEvent): readonly Line[] {
  switch (event.type) {
    case 'retry-wait': {
      const { attempt, maxAttempts, delayMs, failure } = event;
      const retry = { attempt, max_retries: maxAttempts, retry_delay_ms: delayMs };
      const error = failureWords[failure.code] ?? 'unknown';
      const error_status = failure.status ?? null;
      return [{ type: 'system', subtype: 'api_retry', ...retry, error_status, error }];
    }
    case 'limit-wait': {
      const resetsAt = Math.ceil(event.until / 1000);
      return [{ type: 'rate_limit_event', rate_limit_info: { status: 'rejected', resetsAt } }];
    }
    case 'compaction-start':
      return [{ ...status, status: 'compacting' }];
    case 'compaction-end':
      return compacted(event);
    case 'tool-end':
      return event.status === 'denied' ? [denial(event)] : [];
    default:
      return [];
  }
}

function compacted({
  kind,
  reason,
  tokensBefore = 0,
  tokensAfter,
  notice,
}: Extract<SessionEvent, { type: 'compaction-end' }>): readonly Line[] {
  const done = { ...status, status: null };
  if (kind === 'unchanged')
    return [notice === undefined ? done : { ...done, compact_result: 'failed', compact_error: notice }];
  const compact_metadata = {
    trigger: reason === 'manual' ? 'manual' : 'auto',
    pre_tokens: tokensBefore,
    ...(tokensAfter === undefined ? {} : { post_tokens: tokensAfter }),
  };
  return [
    { ...done, compact_result: 'success' },
    { type: 'system', subtype: 'compact_boundary', compact_metadata },
  ];
}

function denial({ call, result }: Extract<SessionEvent, { type: 'tool-end' }>): Line {
  const message = result.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
  return {
    type: 'system',
    subtype: 'permission_denied',
    tool_name: call.name,
    tool_use_id: call.id,
    message,
  };
}

/** Failures of models, as the SDKs of Claude Code know them. */
const failureWords: Readonly<Record<string, string>> = {
  auth: 'authentication_failed',
  quota: 'billing_error',
  'rate-limit': 'rate_limit',
  overloaded: 'overloaded',
  server: 'server_error',
  'model-not-found': 'model_not_found',
  'invalid-request': 'invalid_request',
};
