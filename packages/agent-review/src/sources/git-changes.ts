import { isUtf8 } from 'node:buffer';
import { realpathSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { AgentError, askGit, orElse, readBlobs } from '@robota-sdk/agent-core';
import { regularFileAt } from '../model/replace-file.ts';
import { isOnDisk, type ListedFile, type ReviewedChanges } from '../model/review.ts';

const limits = { timeoutMs: 30_000, maximumBytes: 64 * 1024 * 1024 };
/** Larger files that git does not track are left out. */
const largestUntracked = 10 * 1024 * 1024;

/** The changes between a revision and the files on disk; without a revision, since the last commit. */
export async function workingChanges(cwd: string, revision = 'HEAD'): Promise<ReviewedChanges> {
  const root = await rootOf(cwd);
  const title = revision === 'HEAD' ? 'uncommitted changes' : revision;
  return { title, folder: cwd, ...(await changesOnDisk(root, await commitOf(root, revision))) };
}

/** The changes of a range such as `main..HEAD` or `main...HEAD`; one revision means up to the files on disk. */
export async function rangeChanges(cwd: string, range: string): Promise<ReviewedChanges> {
  const [, from = '', dots, to = ''] = /^([^.]*(?:\.[^.]+)*)(\.{2,3})(.*)$/.exec(range) ?? [];
  if (dots === undefined) return workingChanges(cwd, range);
  const root = await rootOf(cwd);
  const newName = to === '' ? 'HEAD' : to;
  const now = await commitOf(root, newName);
  const start = await commitOf(root, from === '' ? 'HEAD' : from);
  const old = dots === '...' ? await mergeBase(root, start, now) : start;
  const output = await git(root, ['diff-tree', '-r', '-z', '--raw', '--no-abbrev', '--no-renames', old, now]);
  const changes = parseRaw(output).filter(isContent);
  const blobs = await readBlobs(idsOf(changes), root);
  const files = changes.map((change): ListedFile => {
    const path = join(root, change.path);
    const listed = {
      path,
      before: blobs.get(change.old),
      after: blobs.get(change.now),
      mode: change.oldMode,
      found: regularFileAt(path),
    };
    return isOnDisk(listed)
      ? listed
      : { ...listed, refusal: `the file on disk isn't the one of ${newName}.` };
  });
  return { title: range, folder: cwd, files, omitted: [] };
}

/** The changes of a worktree against the commit that it shares with the current one, committed or not. */
export async function worktreeChanges(cwd: string, path: string): Promise<ReviewedChanges> {
  const root = await rootOf(cwd);
  const wanted = realPath(isAbsolute(path) ? path : resolve(cwd, path));
  const [listed = ''] = await git(root, ['worktree', 'list', '--porcelain']);
  const known = listed
    .split('\n')
    .flatMap((line) => (line.startsWith('worktree ') ? realPath(line.slice(9)) : []));
  if (wanted === undefined || !known.includes(wanted))
    throw new AgentError('usage', `${path} is not a worktree of this repository. Run git worktree list.`);
  const base = await mergeBase(root, await commitOf(root, 'HEAD'), await commitOf(wanted, 'HEAD'));
  return { title: `worktree ${path}`, folder: wanted, ...(await changesOnDisk(wanted, base)) };
}

/** True if a folder is in a git repository that has a commit. */
export async function hasCommits(cwd: string): Promise<boolean> {
  return typeof (await askGit(['rev-parse', '--verify', '-q', 'HEAD'], { cwd, ...limits })) !== 'string';
}

async function changesOnDisk(
  root: string,
  commit: string,
): Promise<Pick<ReviewedChanges, 'files' | 'omitted'>> {
  const quiet = await withoutFilters(root);
  const args = ['diff-index', '-z', '--raw', '--no-abbrev', '--no-renames', '--ignore-submodules=all'];
  const changes = parseRaw(await git(root, [...quiet, ...args, commit, '--'])).filter(isContent);
  const untracked = await git(root, ['ls-files', '-z', '--others', '--exclude-standard']);
  const blobs = await readBlobs(idsOf(changes), root);
  const omitted: string[] = [];
  const files: ListedFile[] = [];
  for (const { path: name, old, oldMode } of changes) {
    const path = join(root, name);
    const found = regularFileAt(path);
    if (found) files.push({ path, before: blobs.get(old), mode: oldMode, after: found.bytes, found });
    else omitted.push(path);
  }
  for (const name of untracked.filter((each) => !each.endsWith('/'))) {
    const path = join(root, name);
    const found = regularFileAt(path, largestUntracked);
    if (found?.bytes) files.push({ path, before: undefined, after: found.bytes, found });
    else omitted.push(path);
  }
  return { files, omitted };
}

interface RawChange {
  readonly path: string;
  readonly old: string;
  readonly now: string;
  readonly oldMode: number | undefined;
  readonly modes: readonly string[];
}

/** Reads `:OLDMODE NEWMODE OLD NEW STATUS`, each followed by its path. */
function parseRaw(fields: readonly string[]): RawChange[] {
  const changes: RawChange[] = [];
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const [oldMode = '', newMode = '', old = '', now = ''] = (fields[index] ?? '').slice(1).split(' ');
    const mode = Number.parseInt(oldMode, 8) & 0o777;
    changes.push({
      path: fields[index + 1] ?? '',
      old,
      now,
      oldMode: mode === 0 ? undefined : mode,
      modes: [oldMode, newMode],
    });
  }
  return changes;
}

/** Links and submodules have no lines to review. */
function isContent({ modes }: RawChange): boolean {
  return modes.every((mode) => mode.startsWith('100') || /^0+$/.test(mode));
}

function idsOf(changes: readonly RawChange[]): string[] {
  return changes.flatMap(({ old, now }) => [old, now]).filter((id) => /[1-9a-f]/.test(id));
}

/** Comparing files may run the filters that a repository's configuration names, so they are switched off. */
async function withoutFilters(cwd: string): Promise<string[]> {
  const output = await askGit(['config', '-z', '--name-only', '--get-regexp', '^filter\\.'], {
    cwd,
    ...limits,
  });
  const names = typeof output === 'string' ? [] : output.toString('utf8').split('\0').filter(Boolean);
  if (names.some((name) => name.includes('=')))
    throw new AgentError('usage', 'The name of a filter in the configuration of git contains "=".');
  return names.flatMap((name) => ['-c', name.endsWith('.required') ? `${name}=false` : `${name}=`]);
}

async function rootOf(cwd: string): Promise<string> {
  const output = await askGit(['rev-parse', '--show-toplevel'], { cwd, ...limits });
  if (typeof output === 'string') throw new AgentError('usage', `${cwd} is not in a git repository.`);
  return output.toString('utf8').trimEnd();
}

async function commitOf(cwd: string, revision: string): Promise<string> {
  // The first would be an option, and no program takes the second.
  const isNone = /^-|\0/.test(revision);
  const args = ['rev-parse', '--verify', '-q', `${revision}^{commit}`];
  const output = isNone ? 'failed' : await askGit(args, { cwd, ...limits });
  if (typeof output === 'string') throw new AgentError('usage', `Unknown revision "${revision}".`);
  return output.toString('utf8').trim();
}

async function mergeBase(cwd: string, one: string, other: string): Promise<string> {
  const output = await askGit(['merge-base', one, other], { cwd, ...limits });
  if (typeof output === 'string') throw new AgentError('usage', 'The two sides have no common commit.');
  return output.toString('utf8').trim();
}

/** The fields of an output that are separated by NUL; names that are no UTF-8 make it fail. */
async function git(cwd: string, args: readonly string[]): Promise<string[]> {
  const output = await askGit(args, { cwd, ...limits });
  if (typeof output === 'string' || !isUtf8(output))
    throw new AgentError('session', `git ${args.find((each) => /^[a-z]/.test(each))} failed in ${cwd}.`);
  return output.toString('utf8').split('\0').filter(Boolean);
}

function realPath(path: string): string | undefined {
  return orElse(() => realpathSync(path), undefined);
}
