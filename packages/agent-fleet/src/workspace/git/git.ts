import { spawn } from 'node:child_process';
import { lstat, rm } from 'node:fs/promises';
import { AgentError, findProgram, groupOptions, signalTree, textRedactor } from '@robota-sdk/agent-core';
import { type GitReach, gitEnvironment } from './git-environment.ts';

/** A repository for git, by paths of ours: no file in a working tree can redirect it. */
export interface GitPlace {
  readonly gitDirectory: string;
  readonly workTree?: string;
  readonly indexFile?: string;
  /** True for a repository of ours: a lock file that a killed git left in it is removed. */
  readonly isOwn?: boolean;
}

export interface GitOptions {
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
const mostErrorText = 64 * 1024;

/** Runs git on one repository with settings under which the repository starts no program. */
export class Git {
  readonly place: GitPlace;
  readonly #env: Readonly<Record<string, string | undefined>>;

  constructor(place: GitPlace, env: Readonly<Record<string, string | undefined>> = process.env) {
    this.place = place;
    this.#env = env;
  }

  /** The same repository with another working tree or index. */
  with(place: Partial<GitPlace>): Git {
    return new Git({ ...this.place, ...place }, this.#env);
  }

  async text(args: readonly string[], options: GitOptions = {}): Promise<string> {
    return (await this.run(args, options)).stdout.toString().trimEnd();
  }

  /** The fields of an output that ends each with NUL. */
  async fields(args: readonly string[], options: GitOptions = {}): Promise<string[]> {
    const fields = (await this.run(args, options)).stdout.toString().split('\0');
    return fields.slice(0, -1);
  }

  async run(args: readonly string[], options: GitOptions = {}): Promise<GitOutput> {
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
    const launch = { program, args: [...settings, ...place, ...args], cwd, env };
    const first = await finish(launch, options);
    const isBlocked =
      first.code !== 0 && this.place.isOwn === true && (await removeStaleLock(first.stderr, gitDirectory));
    const output = isBlocked ? await finish(launch, options) : first;
    options.signal?.throwIfAborted();
    if (output.code === 0 || options.accepted?.includes(output.code ?? -1) === true)
      return { ...output, code: output.code ?? 0 };
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

interface Launch {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

interface Ended {
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

function finish({ program, args, cwd, env }: Launch, options: GitOptions): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'], ...groupOptions() });
    let killer: NodeJS.Timeout | undefined;
    // Asked to end, git removes its lock files. A fetch has helpers, such as ssh, which have to end with it.
    const stop = () => {
      signalGroup(child.pid, 'SIGTERM');
      killer ??= setTimeout(() => signalGroup(child.pid, 'SIGKILL'), killDelayMs);
    };
    const timer = setTimeout(stop, options.timeoutMs ?? defaultTimeoutMs);
    options.signal?.addEventListener('abort', stop, { once: true });
    const done = () => {
      clearTimeout(timer);
      clearTimeout(killer);
      options.signal?.removeEventListener('abort', stop);
    };
    const chunks: Buffer[] = [];
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => void chunks.push(chunk));
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (stderr.length < mostErrorText) stderr += text;
    });
    child.once('error', (error) => {
      done();
      reject(new AgentError('config', `git cannot be started: ${error.message}.`, { cause: error }));
    });
    child.once('close', (code) => {
      done();
      resolve({ code, stdout: Buffer.concat(chunks), stderr });
    });
    // It may end before it has read everything.
    child.stdin.on('error', () => {});
    child.stdin.end(options.input ?? '');
  });
}

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid !== undefined) signalTree(pid, signal);
}

const killDelayMs = 2_000;
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
