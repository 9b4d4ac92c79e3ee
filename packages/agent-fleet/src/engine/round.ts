import type { StepResult } from '../contract/steps.ts';

/** The beginning of a round, as its first step recorded it. */
export interface RoundStart {
  readonly result: StepResult | { readonly kind: 'stopped' };
  /** The attempt to begin, or to continue. */
  readonly attempt: number;
  readonly lastAttempt: number;
  readonly keep: 'first' | 'all';
  /** True if an earlier round passed the check: only the delivery is left. */
  readonly hasPassed: boolean;
}

export type RoundStep = 'prepare' | 'baseline' | 'work' | 'check' | 'deliver';

/** The state of a task while a step runs. */
export const stepStates = {
  prepare: 'preparing',
  baseline: 'preparing',
  work: 'running',
  check: 'checking',
  deliver: 'checking',
  receipt: 'checking',
} as const;

/** The end of a round before its receipt. */
export type RoundResult = Exclude<StepResult, { readonly kind: 'not-passed' }> | { readonly kind: 'stopped' };

/** The steps of a round, each recorded by the engine: one that ended is not run again when the round is resumed. */
export interface DurableSteps {
  start(): Promise<RoundStart>;
  run(step: RoundStep, attempt: number): Promise<StepResult | { readonly kind: 'stopped' }>;
  end(result: RoundResult, attempt: number): Promise<void>;
}

/** One round of a task. It decides by what the steps recorded, and by nothing else, so that it can be resumed. */
export async function runRound(steps: DurableSteps): Promise<void> {
  const start = await steps.start();
  const { attempt, result } =
    start.result.kind === 'next'
      ? await workAndCheck(steps, start)
      : { attempt: start.attempt, result: start.result };
  if (result.kind === 'not-passed') {
    return steps.end({ kind: 'failed', reason: result.reason }, attempt);
  }
  return steps.end(
    result.kind === 'next' ? toRoundResult(await steps.run('deliver', attempt)) : result,
    attempt,
  );
}

type Result = StepResult | { readonly kind: 'stopped' };

async function workAndCheck(
  steps: DurableSteps,
  start: RoundStart,
): Promise<{ attempt: number; result: Result }> {
  if (start.hasPassed) {
    return { attempt: start.attempt, result: { kind: 'next' } };
  }
  let result: Result = await steps.run('baseline', start.attempt);
  let passed: number | undefined;
  let attempt = start.attempt;
  for (; result.kind === 'next' || result.kind === 'not-passed'; attempt += 1) {
    result = await runAttempt(steps, attempt, attempt > start.attempt ? laterAttempt : firstAttempt);
    if (result.kind === 'next') passed ??= attempt;
    const isEnough = result.kind === 'next' && start.keep === 'first';
    if (isEnough || attempt >= start.lastAttempt) break;
  }
  const hasEnded = result.kind === 'next' || result.kind === 'not-passed';
  return hasEnded && passed !== undefined
    ? { attempt: passed, result: { kind: 'next' } }
    : { attempt, result };
}

async function runAttempt(steps: DurableSteps, attempt: number, list: readonly RoundStep[]): Promise<Result> {
  let result: Result = { kind: 'next' };
  for (const step of list) if (result.kind === 'next') result = await steps.run(step, attempt);
  return result;
}

const firstAttempt: readonly RoundStep[] = ['work', 'check'];
const laterAttempt: readonly RoundStep[] = ['prepare', ...firstAttempt];

function toRoundResult(result: Result): RoundResult {
  return result.kind === 'not-passed' ? { kind: 'failed', reason: result.reason } : result;
}
