import { existsSync, lstatSync } from 'node:fs';
import { copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  atomicWrite,
  flag,
  integer,
  lazy,
  makeDirectories,
  object,
  parseJson,
  type Shape,
  text,
} from '@robota-sdk/agent-core';
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
export interface WorktreePaths {
  readonly directory: string;
  /** Our own directory about it. */
  readonly own: string;
}

/** The facts of a worktree that is complete; undefined if there is none. */
export async function readFacts({ directory, own }: WorktreePaths): Promise<WorktreeFacts | undefined> {
  if (lstatSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) return undefined;
  const facts = factsShape.parse(parseJson(await readFile(factsFile(own), 'utf8').catch(() => '')));
  return facts?.directory === directory ? facts : undefined;
}

const factsShape: Shape<WorktreeFacts> = lazy(() =>
  object({
    id: text,
    from: integer,
    taskId: text,
    attempt: integer,
    repo: text,
    base: object({ commit: text }, { branch: text }),
    source: text,
    isLocal: flag,
    directory: text,
    createdAt: text,
  }),
);

function factsFile(own: string): string {
  return join(own, 'worktree.json');
}

/** Our index of a worktree: the agent's is its own. */
export function indexFile(own: string): string {
  return join(own, 'index');
}

export interface NewWorktree {
  readonly mirror: Mirror;
  readonly place: WorktreePaths;
  readonly facts: WorktreeFacts;
  /** The tree of a snapshot to continue from. */
  readonly tree?: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * Makes a repository of its own for an attempt. It borrows the objects of the mirror, so it costs no copy of them; refs, index,
 * stash and commits of the agent stay in it and reach neither the mirror nor other attempts.
 */
export async function makeWorktree({ mirror, place, facts, tree, signal }: NewWorktree): Promise<void> {
  const draft = `${place.directory}.new`;
  await rm(draft, { recursive: true, force: true });
  await rm(place.own, { recursive: true, force: true });
  makeDirectories(place.own);
  await mkdir(draft, { recursive: true, mode: 0o700 });
  const { commit } = facts.base;
  await makeGitDirectory({ mirror, directory: draft, taskId: facts.taskId, commit, signal });
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
  readonly signal: AbortSignal;
}

/** Written by hand: a few files in place of several calls of git. */
async function makeGitDirectory({
  mirror,
  directory,
  taskId,
  commit,
  signal,
}: GitDirectoryRequest): Promise<void> {
  const gitDirectory = join(directory, '.git');
  const at = (...names: readonly string[]) => join(gitDirectory, ...names);
  for (const name of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags', 'info'])
    await mkdir(at(name), { recursive: true });
  const branch = `refs/heads/robota/${taskId}`;
  const refs = await mirror.git.text(
    ['for-each-ref', '--format=%(objectname) %(refname)', 'refs/remotes/origin', 'refs/tags'],
    { signal },
  );
  await writeFile(at('config'), configOf(commit));
  await writeFile(at('objects', 'info', 'alternates'), `${join(mirror.directory, 'objects')}\n`);
  await writeFile(at('packed-refs'), `${commit} ${branch}\n${refs === '' ? '' : `${refs}\n`}`);
  await writeFile(at('HEAD'), `ref: ${branch}\n`);
  for (const name of ['shallow', 'info/exclude']) {
    const source = join(mirror.directory, name);
    if (existsSync(source)) await copyFile(source, at(name));
  }
}

const sha1Length = 40;

function configOf(commit: string): string {
  const core = '\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n';
  if (commit.length === sha1Length) return `[core]\n\trepositoryformatversion = 0\n${core}`;
  return `[core]\n\trepositoryformatversion = 1\n${core}[extensions]\n\tobjectformat = sha256\n`;
}
