import type { Git } from '../git/git.ts';
import { snapshotRefs } from '../tree/workspace-paths.ts';
import type { TreeDelivery } from './deliver-tree.ts';

/** A commit to deliver, and those of earlier deliveries of the task. */
export interface DeliveredCommit {
  readonly commit: string;
  readonly tree: string;
  readonly parent: string;
  /** True for a commit that this task has delivered: a branch that is one is ours to move. */
  isEarlier(commit: string): Promise<boolean>;
}

/** Makes the commit of the final tree. The same tree and message give the same commit, so repeating makes no second one. */
export async function commitTree(delivery: TreeDelivery): Promise<DeliveredCommit> {
  const { mirror, facts, snapshot, signal } = delivery;
  const { taskId, base } = facts;
  const { tree } = snapshot;
  const time = `${snapshot.time} +0000`;
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
  await mirror.git.run(['update-ref', '--no-deref', `${deliveredRefs(taskId)}/${commit}`, commit], {
    signal,
  });
  const isEarlier = async (other: string) => (await deliveredCommits(mirror.git, taskId)).includes(other);
  return { commit, tree, parent: base.commit, isEarlier };
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
  const words = ['config', '-z', '--get-regexp', '^user\\.(name|email)$'];
  const fields = await git.fields(words, { accepted: [1] });
  // The last of several counts, as for git.
  const settings = new Map(fields.map((field) => splitAt(field, field.indexOf('\n'))));
  return {
    name: settings.get('user.name') || 'Robota',
    email: settings.get('user.email') || 'robota@localhost',
  };
}

function splitAt(text: string, index: number): [string, string] {
  return [text.slice(0, index), text.slice(index + 1)];
}
