import { lstat, rm } from 'node:fs/promises';
import { AgentError, findProgram, textRedactor } from '@robota-sdk/agent-core';
import { type GitReach, gitEnvironment } from './git-environment.ts';
import { runGitProcess } from './git-process.ts';

/** A repository for git, by paths of ours: no file in a working tree can redirect it. */
export interface RepositoryPaths {
  readonly gitDirectory: string;
  readonly workTree?: string;
  readonly indexFile?: string;
  /** True for a repository of ours: a lock file that a killed git left in it is removed. */
  readonly isOwn?: boolean;
}

export interface RepositoryOptions {
  readonly input?: string | Uint8Array;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
  /** Exit codes beside 0 that are no failure. */
  readonly accepted?: readonly number[];
  /** Repositories that it may talk to; none unless given. */
  readonly reach?: GitReach;
  /** Further variables of git, such as the author of a commit. */
  readonly variables?: Readonly<Record<string, string>>;
}

export interface GitOutput {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** A call of git that failed. */
export class GitError extends AgentError {
  readonly exitCode: number | null;
  readonly stderr: string;

  constructor(args: readonly string[], { exitCode, stderr }: { exitCode: number | null; stderr: string }) {
    const told = hideSecrets(tellingLines(stderr)) || `exit code ${exitCode ?? 'unknown'}`;
    super('config', `git ${args[0] ?? ''} failed: ${told}`);
    this.exitCode = exitCode;
    this.stderr = hideSecrets(stderr);
  }
}

const defaultTimeoutMs = 10 * 60_000;

/** Runs git on one repository with settings under which the repository starts no program. */
export class Git {
  readonly place: RepositoryPaths;
  readonly #env: Readonly<Record<string, string | undefined>>;

  constructor(place: RepositoryPaths, env: Readonly<Record<string, string | undefined>> = process.env) {
    this.place = place;
    this.#env = env;
  }

  /** The same repository with another working tree or index. */
  with(place: Partial<RepositoryPaths>): Git {
    return new Git({ ...this.place, ...place }, this.#env);
  }

  async text(args: readonly string[], options: RepositoryOptions = {}): Promise<string> {
    return (await this.run(args, options)).stdout.toString().trimEnd();
  }

  /** The fields of an output that ends each with NUL. */
  async fields(args: readonly string[], options: RepositoryOptions = {}): Promise<string[]> {
    const fields = (await this.run(args, options)).stdout.toString().split('\0');
    return fields.slice(0, -1);
  }

  async run(args: readonly string[], options: RepositoryOptions = {}): Promise<GitOutput> {
    options.signal?.throwIfAborted();
    const { gitDirectory, workTree, indexFile } = this.place;
    const cwd = workTree ?? gitDirectory;
    const program = findProgram('git', { cwd, env: this.#env });
    if (program === undefined)
      throw new AgentError('config', 'git is not installed. Install it and try again.');
    const place = [
      `--git-dir=${gitDirectory}`,
      ...(workTree === undefined ? [] : [`--work-tree=${workTree}`]),
    ];
    const env = {
      ...gitEnvironment({ env: this.#env, cwd, reach: options.reach ?? 'nothing' }),
      ...(indexFile === undefined ? {} : { GIT_INDEX_FILE: indexFile }),
      ...options.variables,
    };
    const { input = '', signal, timeoutMs = defaultTimeoutMs } = options;
    const launch = { program, args: [...settings, ...place, ...args], cwd, env, input };
    const first = await runGitProcess(launch, { signal, timeoutMs });
    const isBlocked =
      first.code !== 0 && this.place.isOwn === true && (await removeStaleLock(first.stderr, gitDirectory));
    const output = isBlocked ? await runGitProcess(launch, { signal, timeoutMs }) : first;
    options.signal?.throwIfAborted();
    if (output.code === 0 || options.accepted?.includes(output.code ?? -1) === true)
      return { code: output.code ?? 0, stdout: Buffer.from(output.stdout), stderr: output.stderr };
    throw new GitError(args, { exitCode: output.code, stderr: output.stderr });
  }
}

/** Nothing that a repository supplies runs, is asked for or leads elsewhere; settings of the user count otherwise. */
const settings = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.untrackedCache=false',
  'core.splitIndex=false',
  'core.symlinks=true',
  'core.fileMode=true',
  'core.autocrlf=false',
  'core.safecrlf=false',
  'core.quotePath=false',
  'core.protectNTFS=false',
  'core.fsync=committed,reference',
  'core.fsyncMethod=batch',
  'core.logAllRefUpdates=false',
  'protocol.ext.allow=never',
  'submodule.recurse=false',
  'fetch.recurseSubmodules=false',
  'push.recurseSubmodules=no',
  'push.gpgSign=false',
  'push.followTags=false',
  'diff.ignoreSubmodules=dirty',
  'transfer.unpackLimit=1',
  'gc.auto=0',
  'maintenance.auto=false',
  'advice.addEmbeddedRepo=false',
  'index.sparse=false',
].flatMap((setting) => ['-c', setting]);

/** No call of git holds a lock of ours for so long. */
const staleAfterMs = 15 * 60_000;

/** Removes the lock file that git complains about, if it lies in the repository and is old; true if it did. */
async function removeStaleLock(stderr: string, gitDirectory: string): Promise<boolean> {
  const file = /Unable to create '([^'\n]+\.lock)': File exists/.exec(stderr)?.[1];
  if (file === undefined || !file.startsWith(`${gitDirectory}/`)) return false;
  const stat = await lstat(file).catch(() => undefined);
  if (stat === undefined || Date.now() - stat.mtimeMs < staleAfterMs) return false;
  await rm(file, { force: true });
  return true;
}

const hideSecrets = textRedactor();

/** The lines that say why, without progress and advice. */
function tellingLines(stderr: string): string {
  const lines = stderr.split('\n').map((line) => line.trim());
  const telling = lines.filter((line) => /^(?:fatal|error|remote|!|ssh):? /.test(line) && line.length > 8);
  return (telling.length > 0 ? telling : lines).filter(Boolean).join(' ').slice(0, 600);
}
