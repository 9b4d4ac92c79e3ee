import { existsSync, lstatSync } from 'node:fs';
import { copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { atomicWrite, makeDirectories } from '@robota-sdk/agent-core';
import { Git } from '../git/git.ts';
import type { Base, Mirror } from './mirror.ts';

/** The facts about a worktree that its later users need; kept beside it, where no agent writes. */
export interface WorktreeFacts {
  /** Tells it from other worktrees of the same attempt. */
  readonly id: string;
  /** The number of the snapshot that it began with. */
  readonly from: number;
  readonly taskId: string;
  readonly attempt: number;
  readonly repo: string;
  readonly base: Base;
  /** The source of the mirror. */
  readonly source: string;
  readonly isLocal: boolean;
  readonly directory: string;
  readonly createdAt: string;
}

/** The files of one attempt on this machine. */
export interface WorktreePlace {
  readonly directory: string;
  /** Our own directory about it. */
  readonly own: string;
}

/** The facts of a worktree that is complete; undefined if there is none. */
export async function readFacts({ directory, own }: WorktreePlace): Promise<WorktreeFacts | undefined> {
  if (lstatSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) return undefined;
  const text = await readFile(factsFile(own), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    const facts = JSON.parse(text) as WorktreeFacts;
    return facts.directory === directory ? facts : undefined;
  } catch {
    return undefined;
  }
}

function factsFile(own: string): string {
  return join(own, 'worktree.json');
}

/** Our index of a worktree: the agent's is its own. */
export function indexFile(own: string): string {
  return join(own, 'index');
}

export interface NewWorktree {
  readonly mirror: Mirror;
  readonly place: WorktreePlace;
  readonly facts: WorktreeFacts;
  /** The tree of a snapshot to continue from. */
  readonly tree?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/**
 * Makes a repository of its own for an attempt. It borrows the objects of the mirror, so it costs no copy of them; refs, index,
 * stash and commits of the agent stay in it and reach neither the mirror nor other attempts.
 */
export async function makeWorktree({ mirror, place, facts, tree, env, signal }: NewWorktree): Promise<void> {
  const draft = `${place.directory}.new`;
  await rm(draft, { recursive: true, force: true });
  await rm(place.own, { recursive: true, force: true });
  makeDirectories(place.own);
  await mkdir(draft, { recursive: true, mode: 0o700 });
  const { commit } = facts.base;
  await makeGitDirectory({ mirror, directory: draft, taskId: facts.taskId, commit, env, signal });
  const index = indexFile(place.own);
  const ours = mirror.git.with({ workTree: draft, indexFile: index });
  await ours.run(['read-tree', '--reset', '-u', commit], { signal });
  // The agent sees the work of earlier rounds as changes of the base.
  await copyFile(index, join(draft, '.git', 'index'));
  if (tree !== undefined) await ours.run(['read-tree', '--reset', '-u', tree], { signal });
  await atomicWrite(factsFile(place.own), Buffer.from(`${JSON.stringify(facts)}\n`));
  await rename(draft, place.directory);
}

interface GitDirectoryRequest {
  readonly mirror: Mirror;
  readonly directory: string;
  readonly taskId: string;
  readonly commit: string;
  readonly env: NewWorktree['env'];
  readonly signal: AbortSignal;
}

async function makeGitDirectory(request: GitDirectoryRequest): Promise<void> {
  const { mirror, directory, taskId, commit, env, signal } = request;
  const gitDirectory = join(directory, '.git');
  await mkdir(gitDirectory);
  const format = await mirror.git.text(['rev-parse', '--show-object-format'], { signal });
  const git = new Git({ gitDirectory }, env);
  await git.run(['init', '--quiet', '--template=', `--object-format=${format}`], { signal });
  await git.run(['config', 'core.bare', 'false'], { signal });
  await mkdir(join(gitDirectory, 'info'), { recursive: true });
  await writeFile(
    join(gitDirectory, 'objects', 'info', 'alternates'),
    `${join(mirror.directory, 'objects')}\n`,
  );
  const branch = `refs/heads/robota/${taskId}`;
  const refs = await mirror.git.text(
    ['for-each-ref', '--format=%(objectname) %(refname)', 'refs/remotes/origin', 'refs/tags'],
    { signal },
  );
  await writeFile(
    join(gitDirectory, 'packed-refs'),
    `${commit} ${branch}\n${refs === '' ? '' : `${refs}\n`}`,
  );
  await writeFile(join(gitDirectory, 'HEAD'), `ref: ${branch}\n`);
  for (const name of ['shallow', 'info/exclude']) {
    const source = join(mirror.directory, name);
    if (existsSync(source)) await copyFile(source, join(gitDirectory, name));
  }
}
