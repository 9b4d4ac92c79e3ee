import { AgentError } from '@robota-sdk/agent-core';
import type { SnapshotStore, StoredAttempt, StoredSnapshot } from '../tree/snapshot-store.ts';
import { snapshotNumber } from '../tree/snapshots.ts';
import { snapshotRefs } from '../tree/workspace-paths.ts';

/**
 * Keeps the last snapshot of each attempt as a ref of the task's own repository, outside of its branches and tags. A push
 * that does not continue the last one is refused, so a worker that lost the task cannot replace a snapshot of its successor.
 */
export const originSnapshots: SnapshotStore = {
  save: async (attempt, { commit }) => {
    const { mirror, signal } = attempt;
    if (mirror.isLocal) throw new AgentError('config', 'Snapshots are not pushed into a local repository.');
    const words = ['push', '--quiet', '--no-verify', '--', mirror.source, `${commit}:${refOf(attempt)}`];
    await mirror.git.run(words, { signal, reach: mirror.reach });
  },
  find,
};

/** Removes the snapshots of an attempt that is never continued. */
export async function removeFromOrigin(attempt: StoredAttempt): Promise<void> {
  const { mirror, signal } = attempt;
  if (mirror.isLocal || (await remoteCommit(attempt)) === undefined) return;
  const words = ['push', '--quiet', '--no-verify', '--', mirror.source, `:${refOf(attempt)}`];
  await mirror.git.run(words, { signal, reach: mirror.reach });
}

function refOf({ taskId, attempt }: StoredAttempt): string {
  return `${snapshotRefs(taskId)}/${attempt}`;
}

async function remoteCommit(attempt: StoredAttempt): Promise<string | undefined> {
  const { mirror, signal } = attempt;
  const listed = await mirror.git.text(['ls-remote', '--', mirror.source, refOf(attempt)], {
    signal,
    reach: mirror.reach,
  });
  return listed.split('\t')[0] || undefined;
}

async function find(attempt: StoredAttempt): Promise<StoredSnapshot | undefined> {
  const { mirror, taskId, signal } = attempt;
  const commit = mirror.isLocal ? undefined : await remoteCommit(attempt);
  if (commit === undefined) return undefined;
  await mirror.fetchRef(refOf(attempt), signal);
  const format = '--format=%H %s';
  const log = await mirror.git.text(['log', '--first-parent', '--no-show-signature', format, commit], {
    signal,
  });
  const numbers = log.split('\n').map((line) => snapshotNumber(line.slice(line.indexOf(' ') + 1), taskId));
  // Snapshots follow each other down to the base, the first commit that is none.
  const base = log.split('\n')[numbers.indexOf(undefined)]?.split(' ')[0] ?? commit;
  return { number: numbers[0] ?? 0, bring: async () => ({ commit, base }) };
}
