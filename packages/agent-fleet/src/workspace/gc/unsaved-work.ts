import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { Git } from '../git/git.ts';
import { readDelivered } from '../tree/delivered-tree.ts';
import { Mirror } from '../tree/mirror.ts';
import { commitSnapshot, readTree, snapshotsOf } from '../tree/snapshots.ts';
import { indexFile, type WorktreeFacts, type WorktreePaths } from '../tree/working-copy.ts';
import type { WorkspacePaths } from '../tree/workspace-paths.ts';

export interface WorkSearch {
  readonly paths: WorkspacePaths;
  readonly place: WorktreePaths;
  readonly facts: WorktreeFacts;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** True if the user gives up work that was not delivered; its snapshots stay in the mirror. */
  readonly isDiscarded: boolean;
  /** True if another machine delivered the attempt: changes that no snapshot holds are kept as a ref of the mirror. */
  readonly isOvertaken?: boolean;
  /** Keeps nothing. */
  readonly dryRun?: boolean;
}

/** Says what a worktree holds that is nowhere else; undefined if nothing. */
export async function unsavedWork({
  paths,
  place,
  facts,
  env,
  isDiscarded,
  isOvertaken = false,
  dryRun = false,
}: WorkSearch): Promise<string | undefined> {
  const mirror = Mirror.of({ paths, source: facts.source, isLocal: facts.isLocal, env });
  if (lstatSync(join(mirror.directory, 'objects'), { throwIfNoEntry: false }) === undefined)
    return 'its mirror is gone';
  const git = mirror.git.with({ workTree: place.directory, indexFile: indexFile(place.own) });
  const snapshots = await snapshotsOf({ git, ...facts });
  const { tree, notes } = await readTree({ git, ...facts, worktree: facts.id });
  if (notes.length > 0) return 'it has files that no snapshot can hold';
  const delivered = await readDelivered(place.own);
  // Files that were changed after this machine had delivered them are of someone else.
  const isLeft = isOvertaken && delivered === undefined;
  const isSaved = snapshots.some((each) => each.tree === tree);
  if (!isSaved && !isLeft) return 'it has changes since its last snapshot';
  const isDelivered = isLeft || snapshots[0]?.tree === tree || delivered === tree;
  if (!isDelivered && !isDiscarded) return 'it has work that was not delivered';
  const trees = new Set([tree, ...snapshots.map((each) => each.tree)]);
  const unsaved = await unsavedCommits(place.directory, { mirror, trees, env });
  if (unsaved === undefined && !isSaved && !dryRun) await keepLeft(mirror, facts, tree);
  return unsaved;
}

/** Keeps the last changes of a machine that lost its task, for as long as the mirror stays. */
async function keepLeft(mirror: Mirror, facts: WorktreeFacts, tree: string): Promise<void> {
  const { git } = mirror;
  const { id: worktree, taskId, attempt, base, from: number } = facts;
  const time = Math.floor(Date.now() / 1000);
  const commit = await commitSnapshot(
    { git, taskId, attempt, worktree },
    { tree, number, parent: base.commit, time },
  );
  await git.run(['update-ref', '--no-deref', `refs/robota/left/${taskId}/${worktree}`, commit]);
}

interface SavedObjects {
  readonly mirror: Mirror;
  readonly trees: ReadonlySet<string>;
  readonly env: WorkSearch['env'];
}

/** Commits and stashes that the agent made; a commit whose files are those of a snapshot is saved. */
async function unsavedCommits(
  directory: string,
  { mirror, trees, env }: SavedObjects,
): Promise<string | undefined> {
  const gitDirectory = join(directory, '.git');
  if (lstatSync(gitDirectory, { throwIfNoEntry: false })?.isDirectory() !== true)
    return 'its .git directory was replaced';
  const git = new Git({ gitDirectory }, env);
  const listed = await git.text(['for-each-ref', '--format=%(objectname) %(tree) %(*tree) %(refname)']);
  const head = await git.text(['rev-parse', '--verify', '--quiet', 'HEAD', 'HEAD^{tree}'], {
    accepted: [1, 128],
  });
  const refs = listed.split('\n').filter(Boolean).map(parseRef);
  if (refs.some(({ name }) => name === 'refs/stash')) return 'it has a stash';
  const [commit = '', tree = ''] = head.split('\n');
  if (commit !== '') refs.push({ hash: commit, tree, name: 'HEAD' });
  const candidates = refs.filter((ref) => !trees.has(ref.tree));
  const missing = await missingIn(
    mirror.git,
    candidates.map(({ hash }) => hash),
  );
  const unsaved = candidates.find(({ hash }) => missing.has(hash));
  return unsaved === undefined ? undefined : `${unsaved.name} has commits that are nowhere else`;
}

function parseRef(line: string): { hash: string; tree: string; name: string } {
  const [hash = '', tree = '', ofTag = '', ...name] = line.split(' ');
  return { hash, tree: tree || ofTag, name: name.join(' ') };
}

async function missingIn(git: Git, hashes: readonly string[]): Promise<ReadonlySet<string>> {
  if (hashes.length === 0) return new Set();
  const text = await git.text(['cat-file', '--batch-check'], { input: `${hashes.join('\n')}\n` });
  return new Set(
    text.split('\n').flatMap((line) => (line.endsWith(' missing') ? (line.split(' ')[0] ?? []) : [])),
  );
}
