import type { CommandResult, IExecutionResult } from '@robota-sdk/agent-sdk';

/** The one object that ends `json` and `stream-json` output; names as Claude Code's users know them. */
export interface ResultObject {
  readonly type: 'result';
  readonly subtype: 'success' | 'error';
  readonly is_error: boolean;
  readonly result: string;
  readonly session_id: string;
  readonly interrupted?: true;
  readonly structured_output?: unknown;
  /** What a command found or did, for programs. */
  readonly data?: unknown;
  readonly error_code?: string;
  readonly error?: string;
  /** What there was of an answer when the run failed. */
  readonly partial_result?: string;
  /** Why the last answer ended, in Anthropic's words; null where it broke off or none is known. */
  readonly stop_reason?: StopWord | null;
  /** Who answered last, as `vendor/id`. */
  readonly model?: string | null;
  readonly num_turns?: number;
  readonly duration_ms: number;
  readonly total_cost_usd?: number;
  readonly usage?: Record<string, number>;
  readonly permission_denials?: readonly Record<string, unknown>[];
}

type StopWord = 'end_turn' | 'tool_use' | 'max_tokens' | 'pause_turn' | 'refusal';

/** Why an answer ended, in Anthropic's words, by ours. */
export const stopWords: Readonly<Record<string, StopWord>> = {
  end: 'end_turn',
  'tool-calls': 'tool_use',
  length: 'max_tokens',
  pause: 'pause_turn',
  refusal: 'refusal',
};

interface Frame {
  readonly sessionId: string;
  readonly durationMs: number;
}

/** Describes how a prompt ended. */
export function resultOfRun(execution: IExecutionResult, { sessionId, durationMs }: Frame): ResultObject {
  const { error, usage, model } = execution;
  return {
    type: 'result',
    subtype: error ? 'error' : 'success',
    is_error: error !== undefined,
    result: error ? '' : execution.response,
    session_id: sessionId,
    ...(execution.status === 'aborted' ? { interrupted: true } : {}),
    ...(execution.structured === undefined ? {} : { structured_output: execution.structured }),
    ...(error ? { error_code: error.code, error: error.message } : {}),
    ...(error && execution.response !== '' ? { partial_result: execution.response } : {}),
    stop_reason: stopWords[execution.stopReason ?? ''] ?? null,
    model: model ? `${model.vendor}/${model.id}` : null,
    num_turns: execution.turns,
    duration_ms: durationMs,
    total_cost_usd: roundDollars(execution.cost),
    usage: {
      input_tokens: usage.input,
      output_tokens: usage.output,
      cache_read_input_tokens: usage.cacheRead,
      cache_creation_input_tokens: usage.cacheWrite,
    },
    permission_denials: execution.denials.map(({ toolName, toolCallId, input, reason, wouldAllow }) => ({
      tool_name: toolName,
      tool_use_id: toolCallId,
      tool_input: input,
      reason,
      ...(wouldAllow ? { would_allow: wouldAllow } : {}),
    })),
  };
}

/** Sums of prices per token end in digits that mean nothing. */
function roundDollars(cost: number): number {
  return Number(cost.toFixed(10));
}

/** Describes what a command did. */
export function resultOfCommand(command: CommandResult, frame: Frame): ResultObject {
  if (command.execution) return resultOfRun(command.execution, frame);
  const { sessionId, durationMs } = frame;
  return {
    type: 'result',
    subtype: command.success ? 'success' : 'error',
    is_error: !command.success,
    result: command.success ? messageOf(command) : '',
    session_id: sessionId,
    ...(command.data === undefined ? {} : { data: command.data }),
    ...(command.success ? {} : { error_code: 'command', error: command.message }),
    duration_ms: durationMs,
  };
}

/** Nobody can be moved to another session here, so it is said how to go there. */
function messageOf({ message, switchTo }: CommandResult): string {
  if (switchTo === undefined) return message;
  if (switchTo === 'new')
    return 'Nothing to do: without -c, -r or --session every robota -p begins a new session.';
  const option = /[\\/]/.test(switchTo.open) ? '--session' : '-r';
  const how = `Go on in it with: robota ${option} ${switchTo.open}`;
  return message === '' ? how : `${message} ${how}`;
}

/** Describes a failure that no run could report. */
export function resultOfFailure(
  failure: { code: string; message: string },
  { sessionId, durationMs }: Frame,
): ResultObject {
  return {
    type: 'result',
    subtype: 'error',
    is_error: true,
    result: '',
    session_id: sessionId,
    error_code: failure.code,
    error: failure.message,
    duration_ms: durationMs,
  };
}
