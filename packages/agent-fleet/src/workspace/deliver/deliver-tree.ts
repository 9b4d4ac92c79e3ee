import { join } from 'node:path';
import { atomicWrite } from '@robota-sdk/agent-core';
import type { DeliveryRequest, DeliveryResult } from '../../contract/attempt-workspace.ts';
import type { Lease } from '../../contract/database.ts';
import type { Mirror } from '../tree/mirror.ts';
import type { Snapshot } from '../tree/snapshots.ts';
import type { WorktreeFacts } from '../tree/working-copy.ts';
import { type WorkspacePaths, worktreeId } from '../tree/workspace-paths.ts';
import { commitTree, type DeliveredCommit } from './commit-tree.ts';
import { openPullRequest, requireRemote } from './open-pull-request.ts';
import { publishBranch, pushBranch } from './publish-branch.ts';

export interface TreeDelivery {
  readonly mirror: Mirror;
  readonly paths: WorkspacePaths;
  readonly facts: WorktreeFacts;
  readonly request: DeliveryRequest;
  /** The final state of the files. */
  readonly snapshot: Snapshot;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** The right to deliver; undefined or of epoch 0 where no other process can take the task. */
  readonly lease: Lease | undefined;
}

/** Hands the final tree of an attempt to its user. Repeating it after any interruption changes nothing more. */
export async function deliverTree(delivery: TreeDelivery): Promise<DeliveryResult> {
  const counts = await countChanges(delivery);
  const { kind, branch } = delivery.request;
  if (counts.filesChanged === 0 || kind === 'none') return counts;
  const made = await commitTree(delivery);
  if (kind === 'patch') return { ...counts, patch: await writePatch(delivery, made) };
  const commit = await publishBranch(delivery, made);
  if (kind === 'branch') return { ...counts, branch, commit };
  const remote = await requireRemote(delivery);
  // From a server it is there already; a local repository has it, and its remote does not yet.
  if (delivery.mirror.isLocal) await pushBranch(delivery, made, remote.url);
  return { ...counts, branch, commit, url: await openPullRequest(delivery, remote) };
}

async function writePatch(
  { mirror, paths, facts, request, signal }: TreeDelivery,
  made: DeliveredCommit,
): Promise<string> {
  const words = [
    'format-patch',
    '-1',
    '--stdout',
    '--binary',
    '--full-index',
    '--no-color',
    '--no-ext-diff',
    '--no-textconv',
  ];
  const prefixes = ['--src-prefix=a/', '--dst-prefix=b/', '--no-signature', '--no-renames'];
  const { stdout } = await mirror.git.run([...words, ...prefixes, made.commit], { signal });
  const file = join(paths.patches, `${worktreeId(facts.taskId, facts.attempt)}.patch`);
  await request.assertLease();
  await atomicWrite(file, stdout);
  return file;
}

async function countChanges({ mirror, facts, snapshot, signal }: TreeDelivery): Promise<DeliveryResult> {
  const words = ['diff-tree', '-r', '-z', '--numstat', '--no-renames', '--no-ext-diff', '--no-textconv'];
  const fields = await mirror.git.fields([...words, `${facts.base.commit}^{tree}`, snapshot.tree], {
    signal,
  });
  const counts = fields.map((field) => /^(\d+|-)\t(\d+|-)\t/.exec(field));
  const sum = (part: number) => counts.reduce((total, count) => total + (Number(count?.[part]) || 0), 0);
  return { filesChanged: fields.length, added: sum(1), removed: sum(2) };
}
