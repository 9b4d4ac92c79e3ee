import { realpath } from 'node:fs/promises';
import { basename, relative } from 'node:path';
import { askGit } from '@robota-sdk/agent-core';
import type { ReviewTargetChoice } from '../../contract/review.ts';

const mostBranches = 8;

/** Changes to choose from: those of the session, uncommitted ones, those since other branches, and those of worktrees. */
export async function reviewTargets(cwd: string): Promise<readonly ReviewTargetChoice[]> {
  const own = { target: '', text: 'This session' };
  const [root] = await gitLines(['rev-parse', '--show-toplevel'], cwd);
  if (root === undefined) return [own];
  const [current] = await gitLines(['branch', '--show-current'], cwd);
  const branches = await gitLines(['branch', '--sort=-committerdate', '--format=%(refname:short)'], cwd);
  const since = branches
    .filter((name) => name !== current && /^[^-(\s]\S*$/.test(name))
    .slice(0, mostBranches);
  return [
    own,
    { target: 'HEAD', text: 'Uncommitted changes' },
    ...since.map((name) => ({ target: `${name}...HEAD`, text: `Commits since ${name}` })),
    ...(await worktreeChoices(cwd, root)),
  ];
}

async function worktreeChoices(cwd: string, root: string): Promise<readonly ReviewTargetChoice[]> {
  const lines = await gitLines(['worktree', 'list', '--porcelain'], cwd);
  const here = await realpath(root).catch(() => root);
  const folder = await realpath(cwd).catch(() => cwd);
  return lines.flatMap((line) => {
    const path = line.startsWith('worktree ') ? line.slice('worktree '.length) : here;
    if (path === here) return [];
    return [{ target: `worktree ${relative(folder, path)}`, text: `Worktree ${basename(path)}` }];
  });
}

async function gitLines(args: readonly string[], cwd: string): Promise<readonly string[]> {
  const output = await askGit(args, { cwd, timeoutMs: 5000, maximumBytes: 256 * 1024 });
  return typeof output === 'string' ? [] : output.toString('utf8').split('\n').filter(Boolean);
}
