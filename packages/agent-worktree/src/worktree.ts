import { lstat, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import {
  AgentError,
  endSentence,
  errorMessage,
  makeDirectories,
  pluralize,
  realPathOf,
} from '@robota-sdk/agent-core';
import { runGit } from '@robota-sdk/agent-resources';
import { projectIdOf } from '@robota-sdk/agent-sessions';
import { withoutLocalFilters } from './local-filters.ts';

/** The source of a worktree. */
export interface WorktreeRequest {
  /** The directory of the session; the repository around it is meant. */
  readonly cwd: string;
  /** Our home directory: worktrees are in `worktrees/<project>/<id>` below it. */
  readonly home: string;
  /** The name of its folder. */
  readonly name: string;
  /** The branch that it is on, made if there is none. */
  readonly branch: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
}

/** The state of a worktree after the work. */
export type WorktreeEnd = { readonly kind: 'removed' } | { readonly kind: 'kept'; readonly text: string };

/** A copy of a repository on a new branch, next to the user's. */
export class Worktree {
  /** The root of the copy. */
  readonly path: string;
  readonly branch: string;
  /** The commit it began with. */
  readonly base: string;
  /** The directory in it that corresponds to the session's. */
  readonly cwd: string;
  /** A note for the agent about its location. */
  readonly note: string;
  /** The root of the repository that it belongs to. */
  readonly repository: string;
  /** Its own git directory. */
  readonly gitDirectory: string;
  readonly #env: WorktreeRequest['env'];

  private constructor(parts: WorktreeFields) {
    this.path = parts.path;
    this.branch = parts.branch;
    this.base = parts.base;
    this.cwd = parts.cwd;
    this.note = parts.note;
    this.repository = parts.repository;
    this.gitDirectory = parts.gitDirectory;
    this.#env = parts.env;
  }

  /** Makes the worktree from the commit that is checked out; one that an earlier run has kept is used again. */
  static async open(request: WorktreeRequest): Promise<Worktree> {
    const { cwd, home, name, branch, env } = request;
    const git = await gitIn(cwd, request);
    const repository = realPathOf(await rootOf(git, cwd));
    const head = await headOf(git, repository);
    const path = join(home, 'worktrees', projectIdOf(repository), name);
    const isKept = await exists(path);
    if (isKept && !(await exists(join(path, '.git'))))
      throw new AgentError('config', `${path} exists, but is not a worktree. Move it, or use another name.`);
    const isBranch = !isKept && (await hasBranch(git, branch));
    if (!isKept) await addWorktree(git, { path, branch, from: isBranch ? undefined : head });
    const root = realPathOf(path);
    const inside = await gitIn(root, request);
    const gitDirectory = (await inside(['rev-parse', '--absolute-git-dir'])).trim();
    const base = isKept || isBranch ? (await inside(['merge-base', 'HEAD', head])).trim() : head;
    const isDirty = (await git(['status', '--porcelain', '--untracked-files=normal'])).trim() !== '';
    const missing = isDirty ? ` Changes in ${repository} that are not committed are not in it.` : '';
    return new Worktree({
      path: root,
      branch,
      base,
      cwd: join(root, relative(repository, realPathOf(cwd))),
      note: `You work in ${root}, a git worktree of ${repository} on the branch ${branch}, made from commit ${base.slice(0, 12)}.${missing} Change files only there.`,
      repository,
      gitDirectory,
      env,
    });
  }

  /** Removes the worktree and its branch if nothing was made in it; says where it is and what to do with it if not. */
  async finish(): Promise<WorktreeEnd> {
    try {
      const work = await this.work();
      if (work !== undefined) return { kind: 'kept', text: this.keptText(work) };
      await this.#remove();
      return { kind: 'removed' };
    } catch (thrown) {
      const summary = `it could not be removed: ${errorMessage(thrown)}`;
      return {
        kind: 'kept',
        text: this.keptText({
          summary,
          tips: [this.branch],
          stashes: [],
          isCommitted: false,
          hasNewFiles: false,
        }),
      };
    }
  }

  /** Everything in it that would be lost with it; ignored files that are only copies do not count. */
  async work(isCopy: (file: string) => boolean = () => false): Promise<Work | undefined> {
    const git = await this.git();
    const status = await git(['status', '--porcelain', '--untracked-files=all']);
    const files = linesOf(status);
    // A fresh worktree has none, so whatever git ignores was made in it, and would go with it unseen.
    const listed = await git([
      'ls-files',
      '--others',
      '--ignored',
      '--exclude-standard',
      '--directory',
      '-z',
    ]);
    const ignored = listed.split('\0').filter((file) => file !== '' && !isCopy(file)).length;
    const tips = await this.#tips(git);
    // Every worktree of a repository has the same stash.
    const stashes = linesOf(await git(['stash', 'list', '--format=%gd %gs'])).filter(
      (line) => line.includes(` on ${this.branch}:`) || line.includes(` On ${this.branch}:`),
    );
    const summary = [
      ...(files.length > 0 ? [pluralize(files.length, 'changed file')] : []),
      ...(ignored > 0 ? [`${ignored} that git ignores`] : []),
      ...(tips.commits > 0 ? [pluralize(tips.commits, 'commit')] : []),
      ...(stashes.length > 0 ? [`${stashes.length} in the stash`] : []),
    ].join(', ');
    if (summary === '') return undefined;
    const hasNewFiles = files.some((line) => line.startsWith('??'));
    return { summary, tips: tips.names, stashes, isCommitted: files.length === 0, hasNewFiles };
  }

  /** The tips of its commits: the branch, and HEAD if that has left it. */
  async #tips(git: GitRunner): Promise<{ readonly commits: number; readonly names: readonly string[] }> {
    const branch = `refs/heads/${this.branch}`;
    const counted = async (range: string) => Number(await git(['rev-list', '--count', range]));
    const [all, beside, onBranch] = await Promise.all([
      git(['rev-list', '--count', branch, 'HEAD', `^${this.base}`]).then(Number),
      counted(`${branch}..HEAD`),
      counted(`HEAD..${branch}`),
    ]);
    if (beside === 0) return { commits: all, names: [this.branch] };
    const head = (await git(['rev-parse', 'HEAD'])).trim().slice(0, 12);
    return { commits: all, names: onBranch === 0 ? [head] : [this.branch, head] };
  }

  /** Git in the worktree. Files in it must not redirect git, so all paths are explicit. */
  async git(): Promise<GitRunner> {
    const named = ['--git-dir', this.gitDirectory, '--work-tree', this.path];
    const options = { cwd: this.path, env: this.#env };
    const variables = await withoutLocalFilters({ ...options, cwd: this.repository });
    return (words) => runGit([...named, ...words], { ...options, variables });
  }

  /** Git in the repository. */
  async repositoryGit(): Promise<GitRunner> {
    const place = { cwd: this.repository, env: this.#env };
    const options = { ...place, variables: await withoutLocalFilters(place) };
    return (words) => runGit(words, options);
  }

  async #remove(): Promise<void> {
    const git = await this.repositoryGit();
    await git(['worktree', 'remove', this.path]);
    // Only as long as it still is where it began.
    await git(['update-ref', '-d', `refs/heads/${this.branch}`, this.base]);
    await rm(dirname(this.path), { recursive: false }).catch(() => {});
  }

  /** Says where it is, and how to see, merge or delete it. */
  keptText({ summary, tips, stashes, isCommitted, hasNewFiles }: Work): string {
    const path = quoted(this.path);
    const root = quoted(this.repository);
    const base = this.base.slice(0, 12);
    const commit = isCommitted ? '' : 'commit there, then ';
    return [
      `Kept the worktree (${summary}): ${this.path}, branch ${this.branch}.`,
      // A diff shows new files only once git knows them.
      `To inspect it: ${hasNewFiles ? `git -C ${path} add --all && ` : ''}git -C ${path} diff ${base}`,
      ...tips.map((tip) => `To merge it: ${commit}git -C ${root} merge ${tip}`),
      ...stashes.map((stash) => `Changes in the stash of the repository: ${stash}`),
      `To delete it: git -C ${root} worktree remove --force ${path} && git -C ${root} branch -D ${this.branch}`,
    ].join('\n');
  }
}

/** Unmerged work in a worktree. */
export interface Work {
  readonly summary: string;
  /** The refs to merge for all its commits. */
  readonly tips: readonly string[];
  readonly stashes: readonly string[];
  /** True if no file has changes that are not committed. */
  readonly isCommitted: boolean;
  /** True if git does not track some of its files yet. */
  readonly hasNewFiles: boolean;
}

interface WorktreeFields extends Pick<Worktree, 'path' | 'branch' | 'base' | 'cwd' | 'note'> {
  readonly repository: string;
  readonly gitDirectory: string;
  readonly env: WorktreeRequest['env'];
}

export type GitRunner = (words: readonly string[]) => Promise<string>;

async function gitIn(cwd: string, { env, signal }: WorktreeRequest): Promise<GitRunner> {
  const variables = await withoutLocalFilters({ cwd, env, signal });
  return (words) => runGit(words, { cwd, env, signal, variables });
}

async function rootOf(git: GitRunner, cwd: string): Promise<string> {
  try {
    return (await git(['rev-parse', '--show-toplevel'])).replace(/\n$/, '');
  } catch (thrown) {
    throw new AgentError(
      'config',
      `A worktree needs a git repository, and ${cwd} is not in one (${errorMessage(thrown)}). Run git init there, or continue without a worktree.`,
    );
  }
}

async function headOf(git: GitRunner, repository: string): Promise<string> {
  try {
    return (await git(['rev-parse', '--verify', 'HEAD^{commit}'])).trim();
  } catch {
    throw new AgentError(
      'config',
      `${repository} has no commit yet, so there is nothing a worktree could start from. Commit something first, or continue without a worktree.`,
    );
  }
}

async function addWorktree(
  git: GitRunner,
  {
    path,
    branch,
    from,
  }: { readonly path: string; readonly branch: string; readonly from: string | undefined },
): Promise<void> {
  makeDirectories(dirname(path), 0o700);
  if (from !== undefined) {
    const words = ['worktree', 'add', '--no-track', '--no-guess-remote', '-b', branch, path, from];
    await git(words).catch((thrown) => {
      throw new AgentError(
        'config',
        `The worktree ${path} cannot be made: ${endSentence(errorMessage(thrown))} Try another name.`,
      );
    });
    return;
  }
  // The directory may have been deleted manually while git still lists it.
  await git(['worktree', 'prune']);
  await git(['worktree', 'add', path, branch]);
}

/** True if an agent's commits remain without its worktree. */
async function hasBranch(git: GitRunner, branch: string): Promise<boolean> {
  // Branches below this name are listed, too.
  const refs = await git(['for-each-ref', '--format=%(refname)', `refs/heads/${branch}`]);
  return linesOf(refs).includes(`refs/heads/${branch}`);
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}

function quoted(path: string): string {
  return /^[\w./@:+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
