import { existsSync, readFileSync, statSync } from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { type AgentError, atomicWrite, makeDirectories, realPathOf } from '@robota-sdk/agent-core';
import { TaskFailure } from '../../contract/task-failure.ts';
import { Git, GitError, type RepositoryOptions } from '../git/git.ts';
import { disabledFilters } from '../git/local-filters.ts';
import { withLock } from './file-lock.ts';
import { hashOfTexts, type WorkspacePaths } from './workspace-paths.ts';

export interface MirrorRequest {
  readonly paths: WorkspacePaths;
  /** An absolute path, or a git URL. */
  readonly repo: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The source of a mirror, as `Mirror.at` found it. */
interface KnownMirror extends Omit<MirrorRequest, 'repo'> {
  readonly source: string;
  readonly isLocal: boolean;
}

/** The commit that work starts from. */
export interface Base {
  readonly commit: string;
  /** The branch to merge the work into; undefined where the base is a tag or a commit. */
  readonly branch?: string;
}

/** A base as it was found now. */
export interface FoundBase extends Base {
  readonly tree: string;
  /** The time of the commit in seconds. */
  readonly time: number;
}

/** A bare copy of a repository. It is ours alone: neither the user's repository nor an agent's files configure it. */
export class Mirror {
  readonly directory: string;
  readonly git: Git;
  /** The repository as a path without links, or the URL. */
  readonly source: string;
  readonly isLocal: boolean;
  readonly #env: MirrorRequest['env'];

  private constructor({ source, isLocal, paths, env }: KnownMirror) {
    this.source = source;
    this.isLocal = isLocal;
    this.directory = join(paths.mirrors, hashOfTexts(source));
    this.git = new Git({ gitDirectory: this.directory, isOwn: true }, env);
    this.#env = env;
  }

  static at(request: MirrorRequest): Mirror {
    const { repo } = request;
    const isLocal = isAbsolute(repo) || repo.startsWith('file://');
    if (!isLocal) return new Mirror({ ...request, source: checkedUrl(repo), isLocal });
    const path = repo.startsWith('file://') ? decodeURIComponent(new URL(repo).pathname) : repo;
    return new Mirror({ ...request, source: rootOf(path), isLocal });
  }

  /** A mirror that was made before; its source may be gone. */
  static of(known: KnownMirror): Mirror {
    return new Mirror(known);
  }

  get lockFile(): string {
    return join(this.directory, '..', `${hashOfTexts(this.source)}.mirror`);
  }

  /** Fetches branches and tags. Callers that wait for another one's fetch share the next. */
  async fetch(signal: AbortSignal, base?: string): Promise<void> {
    const askedAt = Date.now();
    await withLock(this.lockFile, signal, async () => {
      if ((await this.#fetchedAt()) > askedAt) return;
      const startedAt = Date.now();
      const refs = await this.#sourceRefs(signal, base);
      if (refs !== undefined && refs === (await this.#fetchedRefs())) return this.#copyExcludes();
      await this.#create(signal);
      await this.#fetch(
        ['+HEAD:refs/robota/head', '+refs/heads/*:refs/remotes/origin/*', '+refs/tags/*:refs/tags/*'],
        {
          signal,
        },
      );
      await atomicWrite(this.#stamp, Buffer.from(`${startedAt}\n${refs ?? ''}`));
    });
  }

  /** Finds the commit that a task starts from, by a branch, a tag or a hash; the repository's HEAD unless named. */
  async resolveBase(name: string | undefined, signal: AbortSignal): Promise<FoundBase> {
    if (name === undefined) {
      const found = await this.#commitOf('refs/robota/head', signal);
      if (found === undefined) throw new TaskFailure('repository', `${this.source} has no commits yet.`);
      const branch = await this.#headBranch(signal);
      return { ...found, ...(branch === undefined ? {} : { branch }) };
    }
    const branch = name.replace(/^(?:refs\/heads\/|origin\/)/, '');
    const ofBranch = await this.#commitOf(`refs/remotes/origin/${branch}`, signal);
    if (ofBranch !== undefined) return { ...ofBranch, branch };
    const ofTag = await this.#commitOf(`refs/tags/${name.replace(/^refs\/tags\//, '')}`, signal);
    if (ofTag !== undefined) return ofTag;
    const found = /^[0-9a-f]{7,64}$/.test(name) ? await this.#commitOf(name, signal) : undefined;
    if (found !== undefined) return found;
    if (/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(name)) {
      await this.bring(name, signal);
      const brought = await this.#commitOf(name, signal);
      if (brought !== undefined) return brought;
    }
    const problem = `${this.source} has no branch, tag or commit "${name}".`;
    throw new TaskFailure('repository', problem, 'Set `base` to one that exists.');
  }

  /** Fetches a commit by its hash unless it is here. */
  async bring(commit: string, signal: AbortSignal): Promise<void> {
    if (await this.has(commit, signal)) return;
    await this.#fetch([commit], { signal });
  }

  /** Fetches the objects of a ref that is neither a branch nor a tag. */
  async fetchRef(ref: string, signal: AbortSignal): Promise<void> {
    await this.#fetch([ref], { signal });
  }

  async has(object: string, signal?: AbortSignal): Promise<boolean> {
    const { code } = await this.git.run(['cat-file', '-e', object], { accepted: [1, 128], signal });
    return code === 0;
  }

  /** A remark where the user has changes that no commit holds. */
  async uncommittedNote(signal: AbortSignal): Promise<string | undefined> {
    if (!this.isLocal) return undefined;
    const git = this.userGit();
    // A bare repository has no files of a user.
    if (git.place.gitDirectory === this.source) return undefined;
    const words = ['diff-index', '--quiet', '--ignore-submodules=all', 'HEAD', '--'];
    const variables = await disabledFilters(git, signal);
    const { code } = await git
      .with({ workTree: this.source })
      .run(words, { signal, accepted: [1, 128], variables });
    if (code !== 1) return undefined;
    return `Changes in ${this.source} that are not committed are not part of this task.`;
  }

  /** The user's own repository; only read, except for a delivered branch. */
  userGit(): Git {
    return new Git({ gitDirectory: gitDirectoryOf(this.source) }, this.#env);
  }

  /** The reach that git needs to talk to the repository. */
  get reach(): 'files' | 'network' {
    return this.isLocal ? 'files' : 'network';
  }

  get #stamp(): string {
    return `${this.lockFile}.fetched`;
  }

  async #fetchedAt(): Promise<number> {
    if (!existsSync(this.directory)) return 0;
    return Number.parseInt(await readFile(this.#stamp, 'utf8').catch(() => '0'), 10);
  }

  /** The refs that the last fetch found; undefined if they are not known. */
  async #fetchedRefs(): Promise<string | undefined> {
    const text = existsSync(this.directory) ? await readFile(this.#stamp, 'utf8').catch(() => '') : '';
    return text.includes('\n') ? text.slice(text.indexOf('\n') + 1) : undefined;
  }

  /**
   * The refs of a repository on this machine: where they are those of the last fetch, there is nothing to fetch. Branches of
   * tasks count only if the base may be one.
   */
  async #sourceRefs(signal: AbortSignal, base = ''): Promise<string | undefined> {
    if (!this.isLocal || base.includes('robota/')) return undefined;
    const words = ['show-ref', '--head', '--heads', '--tags'];
    const text = await this.userGit().text(words, { signal, accepted: [1] });
    return text
      .split('\n')
      .filter((line) => !line.includes(' refs/heads/robota/'))
      .join('\n');
  }

  /** Made aside and renamed, so that a mirror is never half made. */
  async #create(signal: AbortSignal): Promise<void> {
    if (existsSync(this.directory)) return;
    makeDirectories(join(this.directory, '..'));
    const draft = `${this.directory}.new`;
    await rm(draft, { recursive: true, force: true });
    const format = this.isLocal
      ? await this.userGit().text(['rev-parse', '--show-object-format'], { signal })
      : 'sha1';
    const git = new Git({ gitDirectory: draft }, this.#env);
    makeDirectories(draft);
    await git.run(['init', '--quiet', '--bare', '--template=', `--object-format=${format}`], { signal });
    await rename(draft, this.directory);
  }

  async #fetch(refspecs: readonly string[], { signal }: { signal: AbortSignal }): Promise<void> {
    const words = [
      'fetch',
      '--quiet',
      '--force',
      '--prune',
      '--no-tags',
      '--update-shallow',
      '--no-write-fetch-head',
    ];
    const options: RepositoryOptions = { signal, reach: this.reach };
    try {
      await this.git.run([...words, '--', this.source, ...refspecs], options);
    } catch (thrown) {
      throw thrown instanceof GitError ? this.#fetchFailure(thrown) : thrown;
    }
    if (this.isLocal) await this.#copyExcludes();
  }

  #fetchFailure(error: GitError): AgentError {
    if (error.stderr.includes("couldn't find remote ref HEAD"))
      return new TaskFailure('repository', `${this.source} has no commits yet.`, 'Make one first.');
    return new TaskFailure('repository', error.message, fetchAdvice(error.stderr));
  }

  /** Files that the user ignores in this repository only are ignored here too. */
  async #copyExcludes(): Promise<void> {
    const { gitDirectory } = this.userGit().place;
    // A linked worktree names the repository that it shares.
    const shared = await readFile(join(gitDirectory, 'commondir'), 'utf8').catch(() => '');
    const text = await readFile(resolve(gitDirectory, shared.trim(), 'info', 'exclude')).catch(
      () => undefined,
    );
    const target = join(this.directory, 'info', 'exclude');
    if (text !== undefined) await atomicWrite(target, text);
    else await rm(target, { force: true });
  }

  async #commitOf(name: string, signal: AbortSignal): Promise<FoundBase | undefined> {
    const format = ['--no-show-signature', '--format=%H %T %ct'];
    const words = ['log', '-1', ...format, '--end-of-options', `${name}^{commit}`, '--'];
    const text = await this.git.text(words, { signal, accepted: [1, 128] });
    const [commit = '', tree = '', time = ''] = text.split(' ');
    return commit === '' ? undefined : { commit, tree, time: Number(time) };
  }

  async #headBranch(signal: AbortSignal): Promise<string | undefined> {
    if (this.isLocal) {
      const { gitDirectory } = this.userGit().place;
      const head = await readFile(join(gitDirectory, 'HEAD'), 'utf8').catch(() => '');
      // Some formats of refs keep it elsewhere.
      if (!head.includes('.invalid')) return /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1];
      const words = ['symbolic-ref', '--quiet', '--short', 'HEAD'];
      return (await this.userGit().text(words, { signal, accepted: [1] })) || undefined;
    }
    const listed = await this.git.text(['ls-remote', '--symref', '--', this.source, 'HEAD'], {
      signal,
      reach: this.reach,
    });
    return /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(listed)?.[1];
  }
}

/** The root of the repository that a path lies in, bare or not. */
function rootOf(path: string): string {
  const start = realPathOf(path);
  if (!existsSync(start))
    throw new TaskFailure('repository', `${start} does not exist.`, 'Set `repo` to a git repository.');
  for (let current = start; ; current = dirname(current)) {
    if (existsSync(join(current, '.git')) || isGitDirectory(current)) return current;
    if (dirname(current) === current) break;
  }
  throw new TaskFailure(
    'repository',
    `${start} is not a git repository.`,
    'Run `git init` and commit, or set `repo`.',
  );
}

/** The git directory of a repository; a linked worktree and a submodule name theirs in a file. */
function gitDirectoryOf(root: string): string {
  const dotGit = join(root, '.git');
  const stat = statSync(dotGit, { throwIfNoEntry: false });
  if (stat === undefined) return root;
  if (stat.isDirectory()) return dotGit;
  const target = /^gitdir: (.+)$/m.exec(readFileSync(dotGit, 'utf8'))?.[1];
  return target === undefined ? dotGit : resolve(root, target);
}

function isGitDirectory(path: string): boolean {
  return ['HEAD', 'objects', 'refs'].every((name) => existsSync(join(path, name)));
}

/** Options and programs cannot hide in a URL. */
function checkedUrl(url: string): string {
  const isUrl =
    /^(?:https?|ssh|git):\/\/[^\s-]/.test(url) || /^(?:[\w.-]+@)?[A-Za-z0-9][\w.-]*:[^\s:]/.test(url);
  if (isUrl && !/[\0\n]/.test(url) && !url.includes('::')) return url;
  throw new TaskFailure(
    'repository',
    `Not a repository: ${JSON.stringify(url)}.`,
    'Use an absolute path or a git URL.',
  );
}

function fetchAdvice(stderr: string): string | undefined {
  if (/Authentication failed|Permission denied|could not read Username|403|401/.test(stderr))
    return 'Log in for git on this machine, such as with `gh auth login` or an SSH key, and retry.';
  if (/Could not resolve|Failed to connect|unable to access|timed out/.test(stderr))
    return 'Check the URL and the network, and retry.';
  if (/dubious ownership/.test(stderr))
    return 'The repository belongs to another user: see safe.directory in `git help config`.';
  if (/promisor|partial clone|missing blob/.test(stderr))
    return 'Partial clones are not supported; use a full clone or the URL.';
  return undefined;
}
