import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AgentError, errorMessage, isProcessAlive, isWithin, orElse } from '@robota-sdk/agent-core';
import { copyIncluded, isUnchangedCopy } from './copy-included.ts';
import { type Work, Worktree } from './worktree.ts';

/** The source of a session's worktree. */
export interface SessionWorktreeRequest {
  readonly cwd: string;
  /** Our data folder. */
  readonly home: string;
  /** The name of the worktree and its branch; one of two words unless given. */
  readonly name?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Patterns of ignored files to copy into a new worktree, beside those of `.worktreeinclude`. */
  readonly include: readonly string[];
}

/** The end of a session's worktree. */
export type WorktreeChoice = 'merge' | 'keep' | 'drop';

/** The worktree of a session: made or entered at its start, and merged, kept or dropped at its end. */
export class SessionWorktree {
  readonly name: string;
  readonly worktree: Worktree;
  /** Files that were copied into it. */
  readonly copied: readonly string[];
  readonly isNew: boolean;

  private constructor(parts: Pick<SessionWorktree, 'name' | 'worktree' | 'copied' | 'isNew'>) {
    this.name = parts.name;
    this.worktree = parts.worktree;
    this.copied = parts.copied;
    this.isNew = parts.isNew;
  }

  static async open(request: SessionWorktreeRequest): Promise<SessionWorktree> {
    const { cwd, home, env, include } = request;
    const name = request.name ?? newName();
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,60}$/.test(name) || name.endsWith('.lock') || name.includes('..'))
      throw new AgentError('usage', `"${name}" cannot be the name of a worktree.`, {
        hint: 'Use letters, digits, dots, dashes and underscores; put a prompt after --.',
      });
    const worktree = await Worktree.open({ cwd, home, env, name, branch: `robota/${name}` });
    const isNew = !existsSync(markOf(worktree));
    const copied = isNew ? await copyIncluded(worktree.repository, worktree.path, include) : [];
    writeFileSync(markOf(worktree), '');
    writeFileSync(`${markOf(worktree)}.${process.pid}`, '');
    await lock(worktree, process.pid);
    return new SessionWorktree({ name, worktree, copied, isNew });
  }

  /** Work that would be lost with it; undefined if there is none. Copies that are as they were do not count. */
  async work(): Promise<Work | undefined> {
    const { worktree } = this;
    const git = await worktree.git();
    const ignored = ['ls-files', '--others', '--ignored', '--exclude-standard', '--directory', '-z'];
    const listed = (await git(ignored)).split('\0').filter(Boolean);
    const states = await Promise.all(
      listed.map(
        async (file) => [file, await isUnchangedCopy(worktree.repository, worktree.path, file)] as const,
      ),
    );
    const copies = new Set(states.flatMap(([file, isCopy]) => (isCopy ? [file] : [])));
    return worktree.work((file) => copies.has(file));
  }

  /** Processes of other sessions in the same worktree. */
  get otherSessions(): readonly number[] {
    return sessionsIn(this.worktree).filter((pid) => pid !== process.pid);
  }

  /** Why it must not be removed now: another process works in it, or another has locked it. */
  async inUse(): Promise<string | undefined> {
    const { worktree } = this;
    const [other] = this.otherSessions;
    if (other !== undefined) return `another session (process ${other}) works in it`;
    const [user] = usersOf(worktree.path);
    if (user !== undefined) return `${user.name} (process ${user.pid}) works in it`;
    const reason = await lockReason(worktree);
    if (reason === undefined || ownerOf(reason) === process.pid) return undefined;
    return `it is locked${reason === '' ? '' : `: ${reason}`}`;
  }

  /** Ends the use of the worktree, and says what became of it. Whatever fails leaves it as it is. */
  async end(choice: WorktreeChoice, work: Work | undefined): Promise<string> {
    const { worktree, name } = this;
    const use = await this.inUse();
    rmSync(`${markOf(worktree)}.${process.pid}`, { force: true });
    await unlock(worktree);
    const kept = (why: string, left = work) =>
      [
        `The worktree ${name} is kept: ${why}.`,
        ...(left === undefined ? [] : [worktree.keptText(left)]),
      ].join('\n');
    if (choice === 'keep') return work === undefined ? kept(worktree.path) : worktree.keptText(work);
    if (use !== undefined) return kept(use);
    try {
      if (choice === 'merge') return await this.#merge(work);
      const git = await worktree.git();
      const tip = (await git(['rev-parse', 'HEAD'])).trim();
      await this.#remove();
      const back =
        tip === worktree.base
          ? ''
          : ` Its last commit was ${tip}: git branch ${worktree.branch} ${tip} brings it back.`;
      return `The worktree ${name} is removed.${back}`;
    } catch (thrown) {
      // A merge that failed may have committed the changes before.
      return kept(errorMessage(thrown), await this.work().catch(() => work));
    }
  }

  async #merge(work: Work | undefined): Promise<string> {
    const { worktree, name } = this;
    const [inside, outside] = [await worktree.git(), await worktree.repositoryGit()];
    if (work !== undefined && work.stashes.length > 0)
      throw new AgentError('config', 'it has changes in the stash, which a merge would not bring');
    if ((await inside(['status', '--porcelain'])).trim() !== '') {
      await inside(['add', '--all']);
      await inside(['commit', '--quiet', '-m', `Work of the session in ${name}`]);
    }
    const tip = (await inside(['rev-parse', 'HEAD'])).trim();
    const into = (await outside(['rev-parse', '--abbrev-ref', 'HEAD'])).trim();
    if (into === 'HEAD')
      throw new AgentError('config', `no branch is checked out in ${worktree.repository} to merge it into`);
    // A failed merge is aborted below; a merge of the user must not be.
    const merging = await outside(['rev-parse', '--quiet', '--verify', 'MERGE_HEAD']).catch(() => '');
    if (merging !== '')
      throw new AgentError('config', `${worktree.repository} is in the middle of another merge`);
    try {
      // The session may have left its branch.
      for (const commit of [tip, worktree.branch]) await outside(['merge', '--quiet', '--no-edit', commit]);
    } catch (thrown) {
      const conflicts = await outside(['diff', '--name-only', '--diff-filter=U', '-z']).catch(() => '');
      await outside(['merge', '--abort']).catch(() => {});
      const files = conflicts.split('\0').filter(Boolean);
      throw new AgentError(
        'config',
        files.length === 0
          ? `it could not be merged into ${into} (${errorMessage(thrown)})`
          : `it has conflicts with ${into} in ${[...files.slice(0, 5), ...(files.length > 5 ? ['…'] : [])].join(', ')}`,
      );
    }
    await this.#remove();
    return `Merged ${name} into ${into} of ${worktree.repository}, and removed the worktree.`;
  }

  /** Git itself refuses where the worktree is locked. */
  async #remove(): Promise<void> {
    const git = await this.worktree.repositoryGit();
    await git(['worktree', 'remove', '--force', this.worktree.path]);
    await git(['branch', '--quiet', '-D', this.worktree.branch]);
  }
}

/** Marks a worktree of sessions. A file with the same name and the id of a process marks each session in it. */
function markOf({ gitDirectory }: Worktree): string {
  return join(gitDirectory, 'robota-session');
}

function sessionsIn({ gitDirectory }: Worktree): readonly number[] {
  return readdirSync(gitDirectory)
    .flatMap((name) => /^robota-session\.(\d{1,10})$/.exec(name)?.[1] ?? [])
    .map(Number)
    .filter(isProcessAlive);
}

/** Git keeps the reason of a lock in this file of the worktree's own git directory. */
async function lockReason({ gitDirectory }: Worktree): Promise<string | undefined> {
  try {
    return readFileSync(join(gitDirectory, 'locked'), 'utf8').trim();
  } catch {
    return undefined;
  }
}

const lockedBy = 'robota session of process ';

/** The process that a lock of ours names. */
function ownerOf(note: string): number | undefined {
  const [, pid] = note.split(lockedBy);
  return note.startsWith(lockedBy) && pid !== undefined ? Number(pid) : undefined;
}

async function lock(worktree: Worktree, pid: number): Promise<void> {
  const reason = await lockReason(worktree);
  const owner = reason === undefined ? undefined : ownerOf(reason);
  if (reason !== undefined && (owner === undefined || isProcessAlive(owner))) return;
  const git = await worktree.repositoryGit();
  if (reason !== undefined) await git(['worktree', 'unlock', worktree.path]);
  await git(['worktree', 'lock', '--reason', `${lockedBy}${pid}`, worktree.path]);
}

/** Ends our lock; another session in the worktree takes it over. */
async function unlock(worktree: Worktree): Promise<void> {
  const reason = await lockReason(worktree);
  if (reason === undefined || ownerOf(reason) !== process.pid) return;
  const git = await worktree.repositoryGit();
  await git(['worktree', 'unlock', worktree.path]);
  const [other] = sessionsIn(worktree);
  if (other !== undefined) await lock(worktree, other);
}

const first = 'bright calm clear early fresh kind light new quick quiet still warm'.split(' ');
const second = 'birch brook cloud field harbor lake maple meadow moon river stone wood'.split(' ');

/** Two words and a number that is hardly ever the same. */
function newName(): string {
  const pick = (words: readonly string[]) => words[Math.floor(Math.random() * words.length)] ?? '';
  return `${pick(first)}-${pick(second)}-${Math.floor(Math.random() * 900 + 100)}`;
}

/** Another process that works in a directory. */
interface DirectoryUser {
  readonly pid: number;
  readonly name: string;
}

/** Processes whose working directory lies in a directory; known on Linux only. */
function usersOf(directory: string): readonly DirectoryUser[] {
  return pidsOf().flatMap((pid) => {
    if (pid === process.pid) return [];
    try {
      const cwd = readlinkSync(`/proc/${pid}/cwd`);
      if (!isWithin(directory, cwd)) return [];
      return [{ pid, name: readFileSync(`/proc/${pid}/comm`, 'utf8').trim() }];
    } catch {
      // It ended, or belongs to another user.
      return [];
    }
  });
}

function pidsOf(): readonly number[] {
  return orElse(
    () =>
      readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .map(Number),
    [],
  );
}
