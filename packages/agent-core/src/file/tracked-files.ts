import { realpathSync } from 'node:fs';
import path from 'node:path';
import { isWithin, type TrackedFiles } from '@robota-sdk/agent-shell';
import { orElse } from '../problem/or-else.ts';
import { askGit, type GitCall } from './ask-git.ts';

/** Repositories with more output, or slower ones, are not searched. */
const limits = { timeoutMs: 5_000, maximumBytes: 64_000_000 } as const;
const mostRepositories = 8;
const mostPaths = 1_000;

interface History {
  readonly tips: readonly string[];
  readonly paths: ReadonlySet<string>;
}

const histories = new Map<string, History>();

/**
 * The files in the index and in all commits of a repository, including branches, tags, stashes and reflogs. Files with
 * equal contents are listed under one name. Undefined outside a work tree.
 */
export async function trackedFiles(directory: string): Promise<TrackedFiles | undefined> {
  const root = await rootOf(directory);
  if (root === undefined) return undefined;
  const [index, tips] = await Promise.all([
    ask(['ls-files', '-z'], { cwd: root }),
    ask(['rev-list', '--no-walk=unsorted', '--all', '--reflog'], { cwd: root }),
  ]);
  const history = tips === undefined ? undefined : await historyOf(root, linesOf(tips));
  if (index === undefined || history === undefined) return { top: root, paths: undefined };
  const paths = new Set([...index.split('\0').filter(Boolean), ...history.paths]);
  return { top: root, paths: [...paths] };
}

/** The links in a revision, as git checks it out: a branch before a tag of the same name. */
export async function linksInRevision(directory: string, revision: string): Promise<string[] | undefined> {
  const root = await rootOf(directory);
  if (root === undefined) return undefined;
  const listed = await Promise.all(
    [`refs/heads/${revision}`, revision].map((name) =>
      ask(['ls-tree', '-r', '-z', '--full-tree', name], { cwd: root }),
    ),
  );
  if (listed.every((one) => one === undefined)) return undefined;
  return listed
    .flatMap((one = '') => one.split('\0'))
    .filter((line) => line.startsWith('120000 '))
    .map((line) => path.join(root, line.slice(line.indexOf('\t') + 1)));
}

/** The files and whole directories below some paths that git ignores, as absolute paths. */
export async function ignoredFiles(directory: string, paths: readonly string[]): Promise<string[]> {
  const root = await rootOf(directory);
  const inside = paths.filter((each) => root !== undefined && each !== root && isWithin(root, each));
  if (root === undefined || inside.length === 0) return [];
  const options = ['--others', '--ignored', '--exclude-standard', '--directory', '-z'];
  const listed = await ask(['ls-files', ...options, '--', ...inside.slice(0, mostPaths)], { cwd: root });
  return (listed ?? '')
    .split('\0')
    .filter(Boolean)
    .map((each) => path.join(root, each));
}

/** Reads only commits that are new since the last call. */
async function historyOf(top: string, tips: readonly string[]): Promise<History | undefined> {
  const known = histories.get(top);
  const old = new Set(known?.tips);
  const added = tips.filter((tip) => !old.has(tip));
  if (known !== undefined && added.length === 0) return known;
  const more = known && (await pathsOf(top, [...added, ...known.tips.map((tip) => `^${tip}`)]));
  const read = more ?? (await pathsOf(top, tips));
  if (read === undefined) return undefined;
  const paths = new Set([...(more === undefined ? [] : (known?.paths ?? [])), ...read]);
  const kept = { tips: more === undefined ? tips : [...old, ...added], paths };
  if (histories.size >= mostRepositories) histories.clear();
  histories.set(top, kept);
  return kept;
}

async function pathsOf(top: string, revisions: readonly string[]): Promise<string[] | undefined> {
  if (revisions.length === 0) return [];
  const input = revisions.map((one) => `${one}\n`).join('');
  const output = await ask(['rev-list', '--objects', '--filter=object:type=blob', '--stdin'], {
    cwd: top,
    input,
  });
  return output === undefined
    ? undefined
    : linesOf(output).flatMap((line) => {
        const space = line.indexOf(' ');
        return space === -1 || space === line.length - 1 ? [] : [line.slice(space + 1)];
      });
}

async function ask(
  args: readonly string[],
  call: Pick<GitCall, 'cwd' | 'input'>,
): Promise<string | undefined> {
  const output = await askGit(args, { ...call, ...limits });
  return typeof output === 'string' ? undefined : output.toString('utf8');
}

async function rootOf(directory: string): Promise<string | undefined> {
  const top = await ask(['rev-parse', '--show-toplevel'], { cwd: directory });
  return top && orElse(() => realpathSync(top.replace(/\n$/, '')), undefined);
}

function linesOf(text: string): string[] {
  return text.split('\n').filter(Boolean);
}
