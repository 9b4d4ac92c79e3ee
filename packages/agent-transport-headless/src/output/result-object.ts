import {
  type CommandResult,
  describeSpan,
  type IExecutionResult,
  randomUuid,
} from '@robota-sdk/agent-sdk/front-end';
import { type ApiUsage, apiUsage } from './api-usage.ts';
import type { Measured, ModelUsage } from './run-meter.ts';

/** The one object that ends `json` and `stream-json` output; names as Claude Code's users know them. */
export interface ResultObject {
  readonly type: 'result';
  readonly subtype: 'success' | 'error' | FailureKind;
  readonly is_error: boolean;
  readonly result: string;
  readonly session_id: string;
  readonly uuid: string;
  readonly interrupted?: true;
  readonly structured_output?: unknown;
  /** The result of a command, for programs. */
  readonly data?: unknown;
  readonly error_code?: string;
  /** The kind of a failure, where `subtype` is only `error`. */
  readonly error_subtype?: FailureKind;
  /** The HTTP status of the vendor's refusal; null in a success. Only in Claude Code's form. */
  readonly api_error_status?: number | null;
  readonly error?: string;
  /** The same as a list, which the SDKs of Claude Code read; there whenever `is_error` is true. */
  readonly errors?: readonly string[];
  /** The time when the vendor's limit resets that ended the run, ISO. */
  readonly resets_at?: string;
  /** The partial answer of a failed run. */
  readonly partial_result?: string;
  /** Why the last answer ended, in Anthropic's words; null where it broke off or none is known. */
  readonly stop_reason?: StopWord | null;
  /** The last answering model, as `vendor/id`. */
  readonly model?: string | null;
  /** Model calls; 0 where no model was asked. */
  readonly num_turns: number;
  readonly duration_ms: number;
  /** How long models took to answer. */
  readonly duration_api_ms: number;
  readonly total_cost_usd: number;
  readonly usage: ApiUsage;
  /** By `vendor/id`. */
  readonly modelUsage: Readonly<Record<string, ModelUsage>>;
  readonly permission_denials: readonly Record<string, unknown>[];
  /** The evidence for the goal (`--goal`, `/goal`). */
  readonly goal?: GoalObject;
}

/** A goal, and the checks that ran for it. */
interface GoalObject {
  readonly text: string;
  readonly check?: string;
  readonly proven: boolean;
  readonly checks: readonly {
    readonly command: string;
    readonly passed: boolean;
    readonly exit_code: number | null;
    readonly duration_ms: number;
    readonly output: string;
  }[];
}

/** Kinds of failures, as the SDKs of Claude Code know them. */
type FailureKind =
  | 'error_during_execution'
  | 'error_max_turns'
  | 'error_max_budget_usd'
  | 'error_max_structured_output_retries';

/** Errors with a kind of their own, by our code. */
const failureKinds: Readonly<Record<string, FailureKind>> = {
  'max-turns': 'error_max_turns',
  'max-cost': 'error_max_budget_usd',
  budget: 'error_max_budget_usd',
  schema: 'error_max_structured_output_retries',
};

/** The same result with the kind of its failure as the subtype, for programs that tell failures apart by it. */
export function withFailureKind({ error_subtype: kind, ...result }: ResultObject): ResultObject {
  // A hook that ends a run or refuses a prompt is no failure there.
  if (result.error_code === 'blocked') {
    const { error = '', errors: _, partial_result: partial, ...rest } = result;
    return { ...rest, subtype: 'success', is_error: false, result: partial ?? error };
  }
  return kind === undefined ? result : { ...result, subtype: kind };
}

/** Failures of the way to a vendor, which have no status. */
const unanswered: ReadonlySet<string> = new Set(['network', 'stalled', 'certificate', 'protocol']);

/** The same result as `claude -p` prints it, which takes the refusal of a vendor for the answer. */
export function inClaudeForm(result: ResultObject, status: number | undefined): ResultObject {
  if (!result.is_error) return { ...result, api_error_status: null };
  const { error_subtype: kind, ...rest } = result;
  if (status === undefined && !unanswered.has(result.error_code ?? '')) return withFailureKind(result);
  const text = ['API Error:', ...(status === undefined ? [] : [status]), result.error].join(' ');
  return { ...rest, subtype: 'success', result: text, api_error_status: status ?? null };
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
  readonly measured?: Measured | undefined;
  /** Usage and cost of a command that started no run, such as the summary of /compact. */
  readonly spent?: Pick<IExecutionResult, 'usage' | 'cost'> | undefined;
}

/** Describes how a prompt ended. */
export function resultOfRun(execution: IExecutionResult, frame: Frame): ResultObject {
  const { error, usage, model } = execution;
  return {
    ...frameOf(frame),
    ...outcomeOf(error && { code: error.code, message: withAdvice(error) }, execution.response),
    ...(execution.status === 'aborted' ? { interrupted: true } : {}),
    ...(execution.structured === undefined ? {} : { structured_output: execution.structured }),
    ...(error?.status === undefined ? {} : { api_error_status: error.status }),
    ...(error?.resetsAt === undefined ? {} : { resets_at: error.resetsAt }),
    ...(error && execution.response !== '' ? { partial_result: execution.response } : {}),
    ...(execution.goal ? { goal: goalObject(execution.goal) } : {}),
    stop_reason: stopWords[execution.stopReason ?? ''] ?? null,
    model: model ? `${model.vendor}/${model.id}` : null,
    num_turns: execution.turns,
    total_cost_usd: roundDollars(execution.cost),
    usage: apiUsage(usage, searchesOf(frame)),
    permission_denials: execution.denials.map(({ toolName, toolCallId, input, reason, wouldAllow }) => ({
      tool_name: toolName,
      tool_use_id: toolCallId,
      tool_input: input,
      reason,
      ...(wouldAllow ? { would_allow: wouldAllow } : {}),
    })),
  };
}

/** Shorter waits are retried without any option. */
const shortWaitMs = 2 * 60_000;

/** A run without a user can wait for a limit, if it is told to. */
function withAdvice({ message, resetsAt }: NonNullable<IExecutionResult['error']>): string {
  if (resetsAt === undefined) return message;
  const left = Date.parse(resetsAt) - Date.now();
  if (left < shortWaitMs) return `${message} To keep trying, add --wait-for-limit 10m.`;
  return `${message} To wait for it, add --wait-for-limit ${describeSpan(left).replace(' ', '')}.`;
}

function goalObject({ goal, check, proven, checks }: NonNullable<IExecutionResult['goal']>): GoalObject {
  return {
    text: goal,
    ...(check === undefined ? {} : { check }),
    proven,
    checks: checks.map(({ command, passed, exitCode, durationMs, output }) => ({
      command,
      passed,
      exit_code: exitCode,
      duration_ms: durationMs,
      output,
    })),
  };
}

/** Describes what a command did. */
export function resultOfCommand(command: CommandResult, frame: Frame): ResultObject {
  if (command.execution) return resultOfRun(command.execution, frame);
  const failure = command.success ? undefined : { code: 'command', message: command.message };
  return {
    ...frameOf(frame),
    ...outcomeOf(failure, messageOf(command)),
    ...(command.data === undefined ? {} : { data: command.data }),
  };
}

/** Describes a failure that no run could report. */
export function resultOfFailure(failure: Failure, frame: Frame): ResultObject {
  return { ...frameOf(frame), ...outcomeOf(failure, '') };
}

/** The result of a prompt that is none, without the id of its session. */
export function resultOfRefusal(message: string): Omit<ResultObject, 'session_id'> {
  const { session_id: _, ...result } = resultOfFailure(
    { code: 'usage', message },
    { sessionId: '', durationMs: 0 },
  );
  const { error_subtype: kind, ...refused } = result;
  return { ...refused, subtype: kind ?? 'error_during_execution' };
}

interface Failure {
  readonly code: string;
  readonly message: string;
}

/** The fields of every result, with the numbers of one that started no run. */
function frameOf({ sessionId, durationMs, measured, spent }: Frame) {
  const models = Object.entries(measured?.models ?? {});
  return {
    type: 'result' as const,
    session_id: sessionId,
    uuid: randomUuid(),
    duration_ms: durationMs,
    duration_api_ms: measured?.apiMs ?? 0,
    num_turns: 0,
    total_cost_usd: roundDollars(spent?.cost ?? 0),
    usage: apiUsage(spent?.usage ?? { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }),
    modelUsage: Object.fromEntries(
      models.map(([name, used]) => [name, { ...used, costUSD: roundDollars(used.costUSD) }]),
    ),
    permission_denials: [],
  };
}

/** Searches that vendors made for a run. */
function searchesOf({ measured }: Frame): number {
  return Object.values(measured?.models ?? {}).reduce((sum, each) => sum + each.webSearchRequests, 0);
}

function outcomeOf(failure: Failure | undefined, text: string) {
  if (!failure) return { subtype: 'success' as const, is_error: false, result: text };
  return {
    subtype: 'error' as const,
    is_error: true,
    result: '',
    error_code: failure.code,
    error_subtype: failureKinds[failure.code] ?? ('error_during_execution' as const),
    error: failure.message,
    errors: [failure.message],
  };
}

/** Sums of prices per token end in digits that mean nothing. */
export function roundDollars(cost: number): number {
  return Number(cost.toFixed(10));
}

/** Switching sessions is impossible here, so the message explains how to open the other one. */
function messageOf({ message, switchTo }: CommandResult): string {
  if (switchTo === undefined) return message;
  if (switchTo === 'new')
    return 'Nothing to do: without -c, -r or --session every robota -p starts a new session.';
  const option = /[\\/]/.test(switchTo.open) ? '--session' : '-r';
  const how = `Resume it with: robota ${option} ${switchTo.open}`;
  return message === '' ? how : `${message} ${how}`;
}
