import { type Git, GitError } from '../git/git.ts';
import type { Mirror } from '../tree/mirror.ts';

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

export interface FencedTask {
  readonly mirror: Mirror;
  readonly taskId: string;
  readonly epoch: number;
  readonly signal: AbortSignal;
}

/**
 * Removes the fences of earlier holders, so that none of them can deliver any more. A repository that cannot be reached now is
 * no failure: the delivery does it again.
 */
export async function removeStaleFences({ mirror, taskId, epoch, signal }: FencedTask): Promise<void> {
  try {
    await (mirror.isLocal ? removeHere : removeOnServer)({ mirror, taskId, epoch, signal });
  } catch (thrown) {
    if (!(thrown instanceof GitError)) throw thrown;
  }
}

async function removeHere({ mirror, taskId, epoch, signal }: FencedTask): Promise<void> {
  const git = mirror.userGit();
  const words = ['for-each-ref', '--format=%(refname)', fenceRefs(taskId)];
  const stale = staleIn((await git.text(words, { signal })).split('\n'), taskId, epoch);
  const input = stale.map((ref) => `delete ${ref}\n`).join('');
  if (input !== '') await git.run(['update-ref', '--no-deref', '--stdin'], { input, signal });
}

async function removeOnServer({ mirror, taskId, epoch, signal }: FencedTask): Promise<void> {
  const options = { signal, reach: mirror.reach };
  const listed = await mirror.git.text(['ls-remote', '--', mirror.source, `${fenceRefs(taskId)}/*`], options);
  const refs = listed.split('\n').map((line) => line.split('\t')[1] ?? '');
  const changes = staleIn(refs, taskId, epoch).map((ref) => `:${ref}`);
  if (changes.length > 0)
    await mirror.git.run(['push', '--quiet', '--no-verify', '--', mirror.source, ...changes], options);
}

function staleIn(refs: readonly string[], taskId: string, epoch: number): readonly string[] {
  return fenceOf(taskId, epoch, refs)?.stale ?? [];
}
