import { statfs } from 'node:fs/promises';
import { LostLeaseError } from '../contract/database.ts';
import type { StepContext, StepResult, TaskSteps } from '../contract/steps.ts';

export interface SpaceOptions {
  /** Bytes that are free where tasks work. */
  free(): Promise<number>;
}

/** Below this, git and sessions cannot write. */
const leastFree = 8 * 1024 * 1024;
const retryMs = 10 * 60_000;

/** Steps that park a task where the disk is full: its work is kept, and it resumes when there is space. */
export function parkIfFull(steps: TaskSteps, options: SpaceOptions): TaskSteps {
  const guarded = (step: 'prepare' | 'baseline' | 'work' | 'check' | 'deliver') => (context: StepContext) =>
    guard(() => steps[step](context), { ...options, signal: context.signal });
  return {
    prepare: guarded('prepare'),
    baseline: guarded('baseline'),
    work: guarded('work'),
    check: guarded('check'),
    deliver: guarded('deliver'),
    receipt: (context) => steps.receipt(context),
  };
}

/** The space in a directory; a directory that is not there yet limits nothing. */
export async function freeSpaceIn(directory: string): Promise<number> {
  const found = await statfs(directory).catch(() => undefined);
  return found === undefined ? Number.POSITIVE_INFINITY : found.bavail * found.bsize;
}

async function guard(
  step: () => Promise<StepResult>,
  { free, signal }: SpaceOptions & { readonly signal: AbortSignal },
): Promise<StepResult> {
  try {
    const result = await step();
    return result.kind === 'failed' && (await free()) < leastFree ? parked() : result;
  } catch (error) {
    if (error instanceof LostLeaseError || signal.aborted) throw error;
    if (hasNoSpace(error) || (await free()) < leastFree) return parked();
    throw error;
  }
}

function hasNoSpace(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? error.code : undefined;
  return code === 'ENOSPC' || code === 'EDQUOT' || hasNoSpace(error.cause);
}

function parked(): StepResult {
  return {
    kind: 'parked',
    reason: {
      code: 'disk-full',
      message:
        'No space is left on the disk. Free some, such as with robota fleet gc; the task then resumes.',
      until: new Date(Date.now() + retryMs).toISOString(),
    },
  };
}
