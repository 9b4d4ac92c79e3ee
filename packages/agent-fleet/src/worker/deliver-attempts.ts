import type { DeliveryResult, Workspaces } from '../contract/attempt-workspace.ts';
import type { StepContext, StepResult } from '../contract/steps.ts';
import type { AttemptRecord, TaskSpec } from '../contract/task.ts';
import { openFiles } from './open-files.ts';

/** Delivers the attempt that passed; where all are kept, each that passed on a branch of its own. */
export async function deliver(workspaces: Workspaces, context: StepContext): Promise<StepResult> {
  const { spec } = context.task;
  const passed = context.attempts.filter(({ state }) => state === 'passed');
  const winner = passed.find(({ number }) => number === context.attempt) ?? passed[0];
  const chosen = spec.keep === 'all' ? passed : passed.filter((attempt) => attempt === winner);
  for (const attempt of chosen) {
    const result = await deliverOne(workspaces, context, attempt);
    if (attempt === winner) {
      const { filesChanged, added, removed, ...delivery } = result;
      await context.record({
        filesChanged,
        added,
        removed,
        delivery: { kind: spec.deliver, ...delivery },
        ...(delivery.branch === undefined ? {} : { branch: delivery.branch }),
      });
    }
  }
  return { kind: 'next' };
}

async function deliverOne(
  workspaces: Workspaces,
  context: StepContext,
  attempt: AttemptRecord,
): Promise<DeliveryResult> {
  const { task, attempts, assertLease } = context;
  const { spec } = task;
  const workspace = await openFiles(workspaces, context, attempt);
  const suffix = spec.keep === 'all' && attempts.length > 1 ? `-${attempt.number}` : '';
  return workspace.deliver({
    kind: spec.deliver,
    branch: `${branchOf(task.id, spec)}${suffix}`,
    title: spec.name,
    body: attempt.answer ?? spec.prompt,
    tree: attempt.tree,
    assertLease,
  });
}

/** `robota/ID-slug`: letters and digits of the name. */
function branchOf(id: string, { name }: TaskSpec): string {
  const slug = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .split('-')
    .filter((word) => word !== '')
    .join('-');
  return `robota/${id}${slug === '' ? '' : `-${slug}`}`;
}
