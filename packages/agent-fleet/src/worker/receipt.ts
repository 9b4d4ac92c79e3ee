import type { StepContext } from '../contract/steps.ts';
import type { Receipt } from '../contract/task.ts';

/** The receipt of a task, from what its steps recorded. */
export function receiptOf({ task, attempts, facts }: StepContext): Receipt {
  const winner = attempts.find(({ state }) => state === 'passed')?.number;
  return {
    attempts: attempts.map((attempt) =>
      attempt.state === 'running' ? { ...attempt, state: 'abandoned' } : attempt,
    ),
    ...(winner === undefined ? {} : { winner }),
    ...(facts.baseline === undefined ? {} : { baseline: facts.baseline }),
    ...(facts.delivery === undefined ? {} : { delivery: facts.delivery }),
    cost: task.cost,
    turns: task.turns,
    filesChanged: facts.filesChanged ?? 0,
    added: facts.added ?? 0,
    removed: facts.removed ?? 0,
    notes: [...new Set(facts.notes ?? [])],
  };
}
