import type { Git } from '../git/git.ts';

/**
 * A ref in the repository that a task is delivered to, which says whose turn it is. The holder of the lease raises it, checks its
 * lease, and moves the branch and lowers the fence in one transaction. The task's next holder raises its own and removes this one,
 * so that a process which was stopped between its check and the transaction is refused by the repository.
 */
export interface Fence {
  readonly ref: string;
  /** Fences of earlier holders. */
  readonly stale: readonly string[];
}

/** The directory of a task's fences. */
export function fenceRefs(taskId: string): string {
  return `refs/robota/fences/${taskId}`;
}

/** The fence of a holder; undefined where no other process can take the task. */
export function fenceOf(taskId: string, epoch: number, refs: Iterable<string>): Fence | undefined {
  if (epoch === 0) return undefined;
  const beginning = `${fenceRefs(taskId)}/`;
  const stale = [...refs].filter(
    (ref) => ref.startsWith(beginning) && Number(ref.slice(beginning.length)) < epoch,
  );
  return { ref: `${beginning}${epoch}`, stale };
}

/** Raises a fence in a repository on this machine. */
export async function raiseFence(git: Git, { ref, stale }: Fence, commit: string): Promise<void> {
  const lines = [`update ${ref} ${commit}`, ...stale.map((each) => `delete ${each}`)];
  await git.run(['update-ref', '--no-deref', '--stdin'], { input: `${lines.join('\n')}\n` });
}

/** Removes a fence that is of no more use; one that is gone is no failure. */
export async function lowerFence(git: Git, { ref }: Fence): Promise<void> {
  await git.run(['update-ref', '--no-deref', '-d', ref], { accepted: [1, 128] });
}
