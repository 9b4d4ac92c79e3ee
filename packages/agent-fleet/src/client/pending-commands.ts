import type { FleetCommand, FleetCosts } from '../contract/client.ts';
import { isEnded, type TaskReason, type TaskRecord, type TaskState } from '../contract/task.ts';

/** A task as it is once the requests that still wait are carried out, so that none is made twice. */
export function withPending<T extends TaskRecord>(task: T, waiting: readonly FleetCommand[]): T {
  return waiting.reduce((changed, command) => {
    const isAbout = 'id' in command && command.id === task.id;
    const end = isAbout ? effectOf(command, changed) : undefined;
    if (!end) return changed;
    const { question: _, reason: __, endedAt: ___, ...rest } = changed;
    return { ...rest, ...end } as T;
  }, task);
}

interface Effect {
  readonly state: TaskState;
  readonly reason?: TaskReason;
}

const queued: Effect = { state: 'queued' };
const stopped: Effect = {
  state: 'stopped',
  reason: { code: 'stopped-by-user', message: 'Stopped by the user.' },
};

function effectOf(command: FleetCommand, { state, question, worker }: TaskRecord): Effect | undefined {
  if (command.type === 'answer')
    return state === 'parked' && question?.hash === command.hash ? queued : undefined;
  if (command.type === 'retry') return ['failed', 'stopped', 'parked'].includes(state) ? queued : undefined;
  // The worker of a running task has to end it first.
  return command.type === 'stop' && !isEnded(state) && worker === undefined ? stopped : undefined;
}

/** Costs with the limits that still wait. */
export function withPendingLimits(costs: FleetCosts, waiting: readonly FleetCommand[]): FleetCosts {
  let { totalLimit, dailyLimit, ...rest } = costs;
  for (const command of waiting) {
    if (command.type !== 'budget') continue;
    if (command.total !== undefined) totalLimit = command.total ?? undefined;
    if (command.daily !== undefined) dailyLimit = command.daily ?? undefined;
  }
  return {
    ...rest,
    ...(totalLimit === undefined ? {} : { totalLimit }),
    ...(dailyLimit === undefined ? {} : { dailyLimit }),
  };
}
