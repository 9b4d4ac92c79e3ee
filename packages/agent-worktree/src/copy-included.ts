import { closeSync, fstatSync } from 'node:fs';
import { lstat, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentError, askGit, openBeneath, orElse, readBeneath, writeBeneath } from '@robota-sdk/agent-core';

/** The file at the top of a repository that lists ignored files to copy, in the syntax of `.gitignore`. */
const includeFile = '.worktreeinclude';
const limits = { timeoutMs: 30_000, maximumBytes: 16 * 1024 * 1024 };
/** More files are a directory of packages, which are better installed. */
const mostFiles = 2_000;

/** Copies files into a new worktree that git ignores and that are listed, by the repository or by the user. */
export async function copyIncluded(
  repository: string,
  worktree: string,
  patterns: readonly string[],
): Promise<readonly string[]> {
  const files = await includedFiles(repository, patterns);
  if (files.length > mostFiles)
    throw new AgentError(
      'config',
      `${includeFile} and the setting worktree.include list ${files.length} files; at most ${mostFiles} are copied.`,
      { hint: 'List fewer files, and install packages in the worktree.' },
    );
  const copied: string[] = [];
  for (const file of files) if (copyFile(repository, worktree, file)) copied.push(file);
  return copied;
}

/**
 * Copies a file that is not there yet. Folders of the worktree come from a commit, which may hold links that lead anywhere,
 * so nothing is copied through a link on either side.
 */
function copyFile(repository: string, worktree: string, file: string): boolean {
  try {
    const source = openBeneath(repository, file);
    try {
      writeBeneath(worktree, file, source, { mode: fstatSync(source).mode & 0o777, existing: 'refuse' });
      return true;
    } finally {
      closeSync(source);
    }
  } catch {
    return false;
  }
}

/** Files that are listed, and that git really ignores: others come with the commit, or are work in progress. */
async function includedFiles(repository: string, patterns: readonly string[]): Promise<readonly string[]> {
  const own = orElse(() => readBeneath(repository, includeFile).toString('utf8'), '');
  const text = [...patterns, own].join('\n');
  if (text.trim() === '') return [];
  const folder = await mkdtemp(join(tmpdir(), 'robota-include-'));
  try {
    const list = join(folder, 'patterns');
    await writeFile(list, `${text}\n`);
    const listing = ['ls-files', '-z', '--others', '--ignored', `--exclude-from=${list}`];
    const listed = namesIn(await askGit(listing, { cwd: repository, ...limits }));
    if (listed.length === 0) return [];
    const standard = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'];
    const ignored = namesIn(await askGit(standard, { cwd: repository, ...limits }));
    return listed.filter((name) =>
      ignored.some((one) => name === one || (one.endsWith('/') && name.startsWith(one))),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function namesIn(output: Buffer | string): readonly string[] {
  return typeof output === 'string' ? [] : output.toString('utf8').split('\0').filter(Boolean);
}

/** True if an ignored path of a worktree holds nothing but files that are the same in the repository. */
export async function isUnchangedCopy(repository: string, worktree: string, file: string): Promise<boolean> {
  const path = join(worktree, file);
  const stats = await lstat(path).catch(() => undefined);
  if (stats?.isDirectory()) {
    const names = await readdir(path);
    if (names.length > mostFiles) return false;
    const results = await Promise.all(
      names.map((name) => isUnchangedCopy(repository, worktree, join(file, name))),
    );
    return results.every(Boolean);
  }
  if (!stats?.isFile() || stats.size > limits.maximumBytes) return false;
  const [one, other] = await Promise.all([
    readFile(path).catch(() => undefined),
    readFile(join(repository, file)).catch(() => undefined),
  ]);
  return one !== undefined && other !== undefined && one.equals(other);
}
