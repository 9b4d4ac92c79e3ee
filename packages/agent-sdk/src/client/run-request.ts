import { AgentError, errorMessage, type Schema, startTimer, type UserContent } from '@robota-sdk/agent-core';
import { abortError, type IExecutionResult } from '../contract/run-result.ts';
import type { Prompt, SessionOptions, TurnOptions } from './options.ts';
import type { RunControl } from './run.ts';

/** One prompt with its options, and the run that waits for it. */
export interface RunRequest<T> {
  readonly prompt: Prompt;
  readonly options: TurnOptions<T>;
  readonly control: RunControl;
}

/** The blocks of a prompt; one without anything in it is a mistake of the program. */
export function promptContent(prompt: Prompt): readonly UserContent[] {
  if (typeof prompt !== 'string' && !Array.isArray(prompt))
    throw new AgentError('usage', 'Missing prompt. Write query("What does this do?", options).');
  const isBlank = (block: UserContent) => block.type === 'text' && block.text.trim() === '';
  const content: readonly UserContent[] =
    typeof prompt === 'string' ? [{ type: 'text', text: prompt }] : prompt;
  if (content.every(isBlank)) throw new AgentError('usage', 'The prompt is empty.');
  return content;
}

/** The signal that interrupts a run; `clear` stops its clock. */
export interface RunSignals {
  readonly signal: AbortSignal;
  clear(): void;
}

/** Everything that may interrupt a run, its time limit included. */
export function signalsOf<T>(session: SessionOptions, { options, control }: RunRequest<T>): RunSignals {
  const maxTimeMs = options.maxTimeMs ?? session.maxTimeMs;
  const limit = new AbortController();
  const expire = () => limit.abort(new AgentError('max-time', `The run took longer than ${maxTimeMs} ms.`));
  const timer = maxTimeMs === undefined ? undefined : startTimer(maxTimeMs, expire);
  const signals = [control.signal, limit.signal, ...(options.signal ? [options.signal] : [])];
  return { signal: AbortSignal.any(signals), clear: () => timer?.cancel() };
}

/** A run that its time limit has interrupted is at a limit. */
export function withTimeLimit(finished: IExecutionResult, { reason }: AbortSignal): IExecutionResult {
  if (finished.status !== 'aborted' || !isTimeLimit(reason)) return finished;
  return { ...finished, status: 'limit', error: { code: reason.code, message: reason.message } };
}

/** The value of a completed run; one that does not fit its schema makes it fail. */
export function withOutput(finished: IExecutionResult, schema: Schema<unknown> | undefined) {
  if (!schema || finished.status !== 'completed') return { outcome: finished, value: finished.response };
  const parsed = schema.parse(finished.structured ?? null);
  if (parsed.ok) return { outcome: finished, value: parsed.value };
  const message = `The answer does not fit the output schema: ${parsed.error}`;
  return {
    outcome: { ...finished, status: 'failed', error: { code: 'schema', message } } as const,
    value: undefined,
  };
}

function isTimeLimit(reason: unknown): reason is AgentError {
  return AgentError.is(reason) && reason.code === 'max-time';
}

/** Makes the error of a run from anything that was thrown. */
export function asError(thrown: unknown, signal: AbortSignal): AgentError {
  if (signal.aborted && thrown === signal.reason && !isTimeLimit(thrown)) return abortError(signal.reason);
  if (AgentError.is(thrown)) return thrown;
  return new AgentError('internal', errorMessage(thrown), { cause: thrown });
}
