import { described, exactly, integer, nullable, number, object, text, words } from '@robota-sdk/agent-core';
import { frame } from './message-shapes.ts';

/** Lines about the state of a session beside its messages. */
export const statusShapes = {
  status: described(
    object(
      {
        type: exactly('system'),
        subtype: exactly('status'),
        status: nullable(exactly('compacting')),
        ...frame,
      },
      {
        permissionMode: words('plan', 'default', 'acceptEdits', 'bypassPermissions'),
        compact_result: words('success', 'failed'),
        compact_error: text,
      },
    ),
    'A compaction has started or ended, or the permission mode has changed.',
  ),
  compacted: described(
    object({
      type: exactly('system'),
      subtype: exactly('compact_boundary'),
      compact_metadata: object(
        { trigger: words('manual', 'auto'), pre_tokens: integer },
        { post_tokens: integer },
      ),
      ...frame,
    }),
    'Earlier messages were summarized or dropped.',
  ),
  retry: described(
    object({
      type: exactly('system'),
      subtype: exactly('api_retry'),
      attempt: integer,
      max_retries: integer,
      retry_delay_ms: number,
      error_status: nullable(integer),
      error: text,
      ...frame,
    }),
    'A request to the model failed and is sent again.',
  ),
  'rate-limit': described(
    object({
      type: exactly('rate_limit_event'),
      rate_limit_info: object({ status: exactly('rejected'), resetsAt: integer }),
      ...frame,
    }),
    'The run waits for a limit that resets, in seconds since 1970.',
  ),
  'command-output': described(
    object({
      type: exactly('system'),
      subtype: exactly('local_command_output'),
      content: text,
      ...frame,
    }),
    'The output of a command that asks no model; for programs of the Claude Agent SDK.',
  ),
  denied: described(
    object({
      type: exactly('system'),
      subtype: exactly('permission_denied'),
      tool_name: text,
      tool_use_id: text,
      message: text,
      ...frame,
    }),
    'A call was denied.',
  ),
};
