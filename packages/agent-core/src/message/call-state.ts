import { isJsonObject, type JsonValue } from '../shape/json.ts';
import type { ToolMessage } from './message.ts';

/**
 * The outcome of a call, made once where calls and results are joined; every front end only draws it. `open`: a plan that is
 * not approved yet. `skipped`: it never ran. `stopped`: it was interrupted while it ran. `lost`: no result was recorded.
 */
export type CallState =
  | 'running'
  | 'background'
  | 'done'
  | 'open'
  | 'denied'
  | 'skipped'
  | 'failed'
  | 'stopped'
  | 'lost';

/** The parts of a result that tell its state. */
type CallEnd = Pick<ToolMessage, 'status'> & Partial<Pick<ToolMessage, 'permission' | 'display'>>;

/** The state of a call that has a result. Older files tell by the call's input alone that a command is in the background. */
export function callStateOf({ status, permission, display }: CallEnd, input?: JsonValue): CallState {
  if (status === 'denied') return 'denied';
  if (status === 'error') return 'failed';
  if (status === 'aborted') return permission?.kind === 'skipped' ? 'skipped' : 'stopped';
  if (display?.kind === 'plan' && display.outcome !== 'approved') return 'open';
  const isTask = display?.kind === 'text' && display.task !== undefined;
  return isTask || (isJsonObject(input) && input['run_in_background'] === true) ? 'background' : 'done';
}

const stateLabels: Readonly<Record<CallState, string>> = {
  running: 'running',
  background: 'in the background',
  done: '',
  open: 'not approved yet',
  denied: 'denied',
  skipped: 'did not run',
  failed: 'failed',
  stopped: 'interrupted',
  lost: 'no result',
};

/** Describes the state of a call, such as `failed, exit code 3`; empty if it succeeded. */
export function describeState(state: CallState, exitCode: number | null = null): string {
  const code = state !== 'failed' || exitCode === null || exitCode === 0 ? '' : `, exit code ${exitCode}`;
  return stateLabels[state] + code;
}

/** Describes how a call or command ended, such as `failed, exit code 3`; empty if it succeeded. */
export function describeEnd(result: CallEnd & Pick<ToolMessage, 'exitCode'>): string {
  return describeState(callStateOf(result), result.exitCode);
}
