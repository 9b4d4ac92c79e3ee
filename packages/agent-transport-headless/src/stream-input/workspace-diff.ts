import { askGit } from '@robota-sdk/agent-core';
import {
  type InteractiveSession,
  type JsonObject,
  openReview,
  type ReviewFile,
  type ReviewHunk,
} from '@robota-sdk/agent-sdk/front-end';

/** The most files and lines of differences that one answer lists. */
const limits = { files: 50, lines: 20_000 };
const gitLimits = { timeoutMs: 5_000, maximumBytes: 64 * 1024 };
const statuses = { create: 'added', edit: 'modified', delete: 'removed' } as const;

/**
 * The changes in the repository of a session: since the branch left the default branch, or since the last commit. Files that the
 * model may not read keep their counts and lose their lines.
 */
export async function workspaceDiff(session: InteractiveSession): Promise<JsonObject> {
  const { cwd } = session.place;
  const head = await revision(cwd, 'HEAD');
  if (head === undefined) return { diff: null, noDiffReason: 'no-repository' };
  const base = await branchBase(cwd, head);
  const review = await openReview(session, { range: base?.commit ?? 'HEAD' });
  const shown = review.files.slice(0, limits.files);
  const left = review.files.length - shown.length + review.omitted.length;
  return {
    diff: {
      stats: { filesCount: review.files.length, linesAdded: review.added, linesRemoved: review.removed },
      perFileStats: shown.map(statsOf),
      omitted: { files: left, exact: review.unknown.length === 0 },
      ...(await linesOf(session, shown)),
      source: base
        ? { kind: 'branch', baseBranch: base.branch, baseRef: base.commit }
        : { kind: 'working-tree' },
    },
  };
}

function statsOf({ name, added, removed, binary, change }: ReviewFile): JsonObject {
  const status = statuses[change];
  return { path: name, added, removed, isBinary: binary !== undefined, isUntracked: false, status };
}

async function linesOf(session: InteractiveSession, files: readonly ReviewFile[]): Promise<JsonObject> {
  const hunks: JsonObject[] = [];
  const restricted: string[] = [];
  const skippedLarge: string[] = [];
  let room = limits.lines;
  for (const file of files) {
    const { name, hunks: own, binary } = file;
    if (binary) continue;
    const length = own.reduce((sum, { lines }) => sum + lines.length, 0);
    if (await isUnreadable(session, file)) restricted.push(name);
    else if (length > room) skippedLarge.push(name);
    else {
      room -= length;
      hunks.push({ path: name, hunks: own.map(hunkOf) });
    }
  }
  return { hunks, skippedLarge, restricted };
}

/** A removed file cannot be read any more; only a rule or an ignore file withholds its lines. */
async function isUnreadable(session: InteractiveSession, { path, change }: ReviewFile): Promise<boolean> {
  const { permissions } = session;
  if (permissions.hidden?.isHidden(path)) return true;
  const { verdict, rule } = await permissions.check({ tool: 'Read', path });
  return verdict === 'deny' && (change !== 'delete' || rule !== undefined);
}

const marks = { added: '+', removed: '-', context: ' ', gap: ' ' } as const;

/** A hunk as in a unified diff. */
function hunkOf({ lines, old, now }: ReviewHunk): JsonObject {
  return {
    oldStart: firstLine(old),
    oldLines: old.end - old.start,
    newStart: firstLine(now),
    newLines: now.end - now.start,
    lines: lines.map(({ kind, text }) => `${marks[kind]}${text}`),
  };
}

/** Counted from 1; no lines stand after the line before them. */
function firstLine({ start, end }: ReviewHunk['old']): number {
  return start === end ? start : start + 1;
}

/** The commit where the current branch left the default branch; nothing on the default branch itself, or without commits beyond it. */
async function branchBase(
  cwd: string,
  head: string,
): Promise<{ readonly branch: string; readonly commit: string } | undefined> {
  for (const branch of ['origin/HEAD', 'origin/main', 'origin/master', 'main', 'master']) {
    if ((await revision(cwd, branch)) === undefined) continue;
    const commit = await ask(cwd, ['merge-base', branch, 'HEAD']);
    return commit === undefined || commit === head ? undefined : { branch, commit };
  }
  return undefined;
}

function revision(cwd: string, name: string): Promise<string | undefined> {
  return ask(cwd, ['rev-parse', '--verify', '-q', `${name}^{commit}`]);
}

async function ask(cwd: string, args: readonly string[]): Promise<string | undefined> {
  const answer = await askGit(args, { cwd, ...gitLimits });
  return typeof answer === 'string' ? undefined : answer.toString('utf8').trim();
}
