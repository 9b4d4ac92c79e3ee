import type { Git } from '../git/git.ts';
import { lastSnapshot } from '../tree/snapshots.ts';
import { snapshotRefs } from '../tree/workspace-paths.ts';
import type { TreeDelivery } from './deliver-tree.ts';

/** A commit to deliver, and those of earlier deliveries of the task. */
export interface DeliveredCommit {
  readonly commit: string;
  readonly tree: string;
  readonly parent: string;
  /** All commits that this task has delivered: a branch that is one of them is ours to move. */
  readonly earlier: readonly string[];
}

/** Makes the commit of the final tree. The same tree and message give the same commit, so repeating makes no second one. */
export async function commitTree(delivery: TreeDelivery): Promise<DeliveredCommit> {
  const { mirror, facts, tree, signal } = delivery;
  const { taskId, attempt, base } = facts;
  const last = await lastSnapshot({ git: mirror.git, taskId, attempt });
  const time = await mirror.git.text([
    'log',
    '-1',
    '--no-show-signature',
    '--format=%ct +0000',
    last?.commit ?? base.commit,
  ]);
  const author = await authorOf(mirror.isLocal ? mirror.userGit() : mirror.git);
  const variables = {
    GIT_AUTHOR_NAME: author.name,
    GIT_AUTHOR_EMAIL: author.email,
    GIT_AUTHOR_DATE: time,
    GIT_COMMITTER_NAME: author.name,
    GIT_COMMITTER_EMAIL: author.email,
    GIT_COMMITTER_DATE: time,
  };
  const commit = await mirror.git.text(['commit-tree', tree, '-p', base.commit], {
    input: messageOf(delivery),
    variables,
    signal,
  });
  const earlier = await deliveredCommits(mirror.git, taskId);
  await mirror.git.run(['update-ref', '--no-deref', `${deliveredRefs(taskId)}/${commit}`, commit], {
    signal,
  });
  return { commit, tree, parent: base.commit, earlier: earlier.filter((each) => each !== commit) };
}

function deliveredRefs(taskId: string): string {
  return `${snapshotRefs(taskId)}/delivered`;
}

/** The commits that a task has made for its user. */
async function deliveredCommits(git: Git, taskId: string): Promise<string[]> {
  const text = await git.text(['for-each-ref', '--format=%(objectname)', deliveredRefs(taskId)]);
  return text.split('\n').filter(Boolean);
}

function messageOf({ request, facts }: TreeDelivery): string {
  const title = request.title.replace(/\s+/g, ' ').trim() || `Task ${facts.taskId}`;
  return `${[title, request.body.trim(), `Robota-Task: ${facts.taskId}`].filter(Boolean).join('\n\n')}\n`;
}

async function authorOf(git: Git): Promise<{ name: string; email: string }> {
  const read = (key: string) => git.text(['config', '--get', key], { accepted: [1] });
  return {
    name: (await read('user.name')) || 'Robota',
    email: (await read('user.email')) || 'robota@localhost',
  };
}
