import { TaskFailure } from '../../contract/task-failure.ts';
import { type Git, GitError } from '../git/git.ts';
import type { Mirror } from '../tree/mirror.ts';
import type { DeliveredCommit } from './commit-tree.ts';
import type { TreeDelivery } from './deliver-tree.ts';
import { type Fence, fenceOf, fenceRefs, lowerFence, raiseFence } from './fence.ts';

/**
 * Puts the commit on its branch: in the user's local repository, or on the server of a URL. Gives the commit that the branch
 * has then: one with the same files that another machine delivered stays.
 */
export async function publishBranch(delivery: TreeDelivery, made: DeliveredCommit): Promise<string> {
  const { mirror, request } = delivery;
  if (!(await isBranchName(mirror.git, request.branch)))
    throw new TaskFailure('delivery-failed', `Not a name of a branch: ${JSON.stringify(request.branch)}.`);
  return mirror.isLocal ? intoLocal(delivery, made) : pushBranch(delivery, made, mirror.source);
}

async function isBranchName(git: Git, name: string): Promise<boolean> {
  // Those that tasks have unless told otherwise.
  if (/^robota\/[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*$/.test(name)) return true;
  return (await git.run(['check-ref-format', '--branch', name], { accepted: [1, 128] })).code === 0;
}

/** The user's repository gets the objects and one new branch; nothing in it is checked out or moved. */
async function intoLocal(delivery: TreeDelivery, made: DeliveredCommit): Promise<string> {
  const { mirror, request, facts, signal } = delivery;
  const git = mirror.userGit();
  const ref = `refs/heads/${request.branch}`;
  const words = ['for-each-ref', '--format=%(refname) %(objectname)', ref, fenceRefs(facts.taskId)];
  const refs = parseRefs((await git.text(words, { signal })).split('\n').map((line) => line.split(' ')));
  const present = refs.get(ref) ?? '';
  if (present !== '' && (await isSameWork(git, present, made))) return present;
  if (present !== '' && !(await made.isEarlier(present))) throw otherBranch(mirror, request.branch, made);
  if (present !== '' && (await isCheckedOut(git, ref, signal)))
    throw failure(
      `The branch ${request.branch} is checked out in ${mirror.source}.`,
      'Check out another branch, and retry.',
      made,
    );
  await request.assertLease();
  const fetch = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--refmap=', '--update-shallow'];
  await git.run([...fetch, '--', mirror.directory, made.commit], { signal, reach: 'files' });
  await moveBranch(delivery, { git, made, ref, present, fence: fenceFor(delivery, refs.keys()) });
  return made.commit;
}

async function isCheckedOut(git: Git, ref: string, signal: AbortSignal): Promise<boolean> {
  const worktrees = await git.text(['worktree', 'list', '--porcelain'], { signal });
  return worktrees.split('\n').includes(`branch ${ref}`);
}

interface BranchMove {
  readonly git: Git;
  readonly made: DeliveredCommit;
  readonly ref: string;
  /** The commit that the branch has; empty if there is none. */
  readonly present: string;
  readonly fence: Fence | undefined;
}

/** Moves a branch on this machine, in one transaction with the fence. */
async function moveBranch(
  { request, signal }: TreeDelivery,
  { git, made, ref, present, fence }: BranchMove,
): Promise<void> {
  const { commit } = made;
  if (fence !== undefined) await raiseFence(git, fence, commit);
  const lines = [
    `update ${ref} ${commit} ${present || '0'.repeat(commit.length)}`,
    ...(fence === undefined ? [] : [`delete ${fence.ref} ${commit}`]),
  ];
  try {
    await request.assertLease();
    await git.run(['update-ref', '--no-deref', '--stdin'], { input: `${lines.join('\n')}\n`, signal });
  } catch (thrown) {
    if (fence !== undefined) await lowerFence(git, fence);
    if (!(thrown instanceof GitError)) throw thrown;
    // A successor may have taken the fence away.
    await request.assertLease();
    throw failure(thrown.message, 'Another program changed the branch; retry.', made);
  }
}

/** Pushes without force; a branch on the server moves only if this task put it there. */
export async function pushBranch(
  delivery: TreeDelivery,
  made: DeliveredCommit,
  url: string,
): Promise<string> {
  const { mirror, request, facts, signal } = delivery;
  const ref = `refs/heads/${request.branch}`;
  await request.assertLease();
  try {
    const words = ['ls-remote', '--', url, ref, `${fenceRefs(facts.taskId)}/*`];
    const listed = (await mirror.git.text(words, { signal, reach: 'network' })).split('\n');
    const refs = parseRefs(listed.map((line) => line.split('\t').reverse()));
    const present = refs.get(ref) ?? '';
    if (present !== '' && present !== made.commit) await bring(delivery, url, ref);
    if (present !== '' && (await isSameWork(mirror.git, present, made))) return present;
    if (present !== '' && !(await made.isEarlier(present))) throw otherBranch(mirror, request.branch, made);
    const fence = await pushFence(delivery, { url, made, fence: fenceFor(delivery, refs.keys()) });
    await pushFenced(delivery, { url, made, fence, ref, present });
    return made.commit;
  } catch (thrown) {
    if (!(thrown instanceof GitError)) throw thrown;
    // A successor may have taken the fence away.
    await request.assertLease();
    throw failure(thrown.message, pushAdvice(thrown.stderr), made);
  }
}

interface FencePush {
  readonly url: string;
  readonly made: DeliveredCommit;
  readonly fence: Fence | undefined;
}

/** Raises the fence on a server. One that takes branches only is served without. */
async function pushFence(
  { mirror, request, signal }: TreeDelivery,
  { url, made, fence }: FencePush,
): Promise<Fence | undefined> {
  if (fence === undefined) return undefined;
  await request.assertLease();
  const changes = [`+${made.commit}:${fence.ref}`, ...fence.stale.map((each) => `:${each}`)];
  try {
    await mirror.git.run([...push, '--', url, ...changes], { signal, reach: 'network' });
    return fence;
  } catch (thrown) {
    if (thrown instanceof GitError && /remote rejected|does not support/.test(thrown.stderr))
      return undefined;
    throw thrown;
  }
}

/** Moves the branch on a server, in one transaction with the fence. */
async function pushFenced(
  { mirror, request, signal }: TreeDelivery,
  { url, made, fence, ref, present }: FencePush & Pick<BranchMove, 'ref' | 'present'>,
): Promise<void> {
  const run = (words: readonly string[]) => mirror.git.run(words, { signal, reach: 'network' });
  const leases = [
    `--force-with-lease=${ref}:${present}`,
    ...(fence === undefined ? [] : [`--force-with-lease=${fence.ref}:${made.commit}`]),
  ];
  const changes = [`${made.commit}:${ref}`, ...(fence === undefined ? [] : [`:${fence.ref}`])];
  const words = fence === undefined ? push.filter((word) => word !== '--atomic') : push;
  try {
    await request.assertLease();
    await run([...words, ...leases, '--', url, ...changes]);
  } catch (thrown) {
    if (fence !== undefined) await run([...push, '--', url, `:${fence.ref}`]).catch(() => {});
    throw thrown;
  }
}

const push = ['push', '--quiet', '--no-verify', '--atomic'];

function fenceFor({ facts, lease }: TreeDelivery, refs: Iterable<string>): Fence | undefined {
  return fenceOf(facts.taskId, lease?.epoch ?? 0, refs);
}

function parseRefs(lines: readonly (readonly string[])[]): ReadonlyMap<string, string> {
  return new Map(lines.map(([ref = '', hash = '']) => [ref, hash]));
}

async function bring({ mirror, signal }: TreeDelivery, url: string, ref: string): Promise<void> {
  const words = [
    'fetch',
    '--quiet',
    '--no-tags',
    '--no-write-fetch-head',
    '--update-shallow',
    '--',
    url,
    ref,
  ];
  await mirror.git.run(words, { signal, reach: 'network' });
}

/** True for the commit itself, and for one that differs in its author or time only. */
async function isSameWork(
  git: Git,
  present: string,
  { commit, tree, parent }: DeliveredCommit,
): Promise<boolean> {
  if (present === commit) return true;
  const facts = await git.text(['log', '-1', '--no-show-signature', '--format=%T %P', present]);
  return facts === `${tree} ${parent}`;
}

function otherBranch(mirror: Mirror, branch: string, made: DeliveredCommit): TaskFailure {
  const problem = `${mirror.source} already has a branch ${branch} with other commits.`;
  return failure(problem, 'Rename or delete that branch, and retry.', made);
}

function failure(problem: string, advice: string, { commit }: DeliveredCommit): TaskFailure {
  const kept = `The work is kept as commit ${commit.slice(0, 12)} in the mirror.`;
  return new TaskFailure('delivery-failed', `${problem} ${kept}`, advice);
}

function pushAdvice(stderr: string): string {
  if (/Authentication failed|could not read Username|Permission denied|publickey|40[13]/.test(stderr))
    return 'Log in for git on this machine, such as with `gh auth login` or an SSH key, and retry.';
  if (/protected branch|GH006|pre-receive hook declined|not allowed to push/.test(stderr))
    return 'The server refuses this branch: allow branches named robota/*, and retry.';
  if (/stale info|fetch first|non-fast-forward|cannot lock ref/.test(stderr))
    return 'The branch changed on the server; look at it, rename or delete it, and retry.';
  if (/Could not resolve|Failed to connect|unable to access|timed out/.test(stderr))
    return 'Check the network, and retry.';
  return 'Fix what git reports, and retry; or use `deliver: patch`.';
}
