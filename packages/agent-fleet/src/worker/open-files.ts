import type { AttemptWorkspace, Workspaces } from '../contract/attempt-workspace.ts';
import type { StepContext } from '../contract/steps.ts';

/**
 * Opens the files of an attempt until this worker has no more to do with the task: a step that comes after need not read their
 * state again, and no other process takes them in between.
 */
export async function openFiles(
  workspaces: Workspaces,
  { task, round, isTakeover, signal, lease, assertLease }: StepContext,
  { number, tree }: { readonly number: number; readonly tree?: string | undefined },
): Promise<AttemptWorkspace> {
  const { repo, base } = task.spec;
  const workspace = await workspaces.open({
    taskId: task.id,
    attempt: number,
    repo,
    ...(base === undefined ? {} : { base }),
    ...(tree === undefined ? {} : { tree }),
    signal,
    lease,
    isTakeover: isTakeover || round > 1,
    assertLease,
  });
  if (signal.aborted) workspace.close();
  else signal.addEventListener('abort', () => workspace.close(), { once: true });
  return workspace;
}
