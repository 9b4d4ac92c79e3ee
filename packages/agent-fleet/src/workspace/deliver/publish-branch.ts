import { TaskFailure } from '../../contract/task-failure.ts';
import { type Git, GitError } from '../git/git.ts';
import type { Mirror } from '../tree/mirror.ts';
import type { DeliveredCommit } from './commit-tree.ts';
import type { TreeDelivery } from './deliver-tree.ts';

/**
 * Puts the commit on its branch: in the user's local repository, or on the server of a URL. Gives the commit that the branch
 * has then: one with the same files that another machine delivered stays.
 */
export async function publishBranch(delivery: TreeDelivery, made: DeliveredCommit): Promise<string> {
  const { mirror, request } = delivery;
  const { code } = await mirror.git.run(['check-ref-format', '--branch', request.branch], {
    accepted: [1, 128],
  });
  if (code !== 0)
    throw new TaskFailure('delivery-failed', `Not a name of a branch: ${JSON.stringify(request.branch)}.`);
  return mirror.isLocal ? intoLocal(delivery, made) : pushBranch(delivery, made, mirror.source);
}

/** The user's repository gets the objects and one new branch; nothing in it is checked out or moved. */
async function intoLocal({ mirror, request, signal }: TreeDelivery, made: DeliveredCommit): Promise<string> {
  const git = mirror.userGit();
  const ref = `refs/heads/${request.branch}`;
  const present = await git.text(['rev-parse', '--verify', '--quiet', '--end-of-options', ref], {
    accepted: [1],
    signal,
  });
  if (present !== '' && (await isSameWork(git, present, made))) return present;
  if (present !== '' && !(await made.isEarlier(present))) throw otherBranch(mirror, request.branch, made);
  const worktrees = await git.text(['worktree', 'list', '--porcelain'], { signal });
  if (worktrees.split('\n').includes(`branch ${ref}`))
    throw failure(
      `The branch ${request.branch} is checked out in ${mirror.source}.`,
      'Check out another branch, and retry.',
      made,
    );
  await request.assertLease();
  const words = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--refmap=', '--update-shallow'];
  await git.run([...words, '--', mirror.directory, made.commit], { signal, reach: 'files' });
  await request.assertLease();
  try {
    await git.run(['update-ref', '--no-deref', ref, made.commit, present || '0'.repeat(made.commit.length)], {
      signal,
    });
  } catch (thrown) {
    if (thrown instanceof GitError)
      throw failure(thrown.message, 'Another program changed the branch; retry.', made);
    throw thrown;
  }
  return made.commit;
}

/** Pushes without force; a branch on the server moves only if this task put it there. */
export async function pushBranch(
  delivery: TreeDelivery,
  made: DeliveredCommit,
  url: string,
): Promise<string> {
  const { mirror, request, signal } = delivery;
  const ref = `refs/heads/${request.branch}`;
  await request.assertLease();
  try {
    const listed = await mirror.git.text(['ls-remote', '--', url, ref], { signal, reach: 'network' });
    const present = listed.split('\t')[0] ?? '';
    if (present !== '' && present !== made.commit) await bring(delivery, url, ref);
    if (present !== '' && (await isSameWork(mirror.git, present, made))) return present;
    if (present !== '' && !(await made.isEarlier(present))) throw otherBranch(mirror, request.branch, made);
    await request.assertLease();
    const lease = `--force-with-lease=${ref}:${present}`;
    await mirror.git.run(['push', '--quiet', '--no-verify', lease, '--', url, `${made.commit}:${ref}`], {
      signal,
      reach: 'network',
    });
    return made.commit;
  } catch (thrown) {
    if (!(thrown instanceof GitError)) throw thrown;
    throw failure(thrown.message, pushAdvice(thrown.stderr), made);
  }
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
