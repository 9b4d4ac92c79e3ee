import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { atomicWrite, isWithin, realPathOf } from '@robota-sdk/agent-core';
import { projectPaths } from '../host/paths.ts';

/** Names itself too, so that nothing new turns up in `git status`. */
const ignored = '# Your own settings, not for others.\nsettings.local.json\n.gitignore\n';

/** Keeps the user's own settings of a project out of its commits, where nothing is said about them yet. */
export async function ignoreLocalSettings(cwd: string): Promise<void> {
  const file = join(dirname(projectPaths(cwd).localSettings), '.gitignore');
  const isThere = lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  if (isThere || !isWithin(realPathOf(cwd), realPathOf(file))) return;
  // The settings are what matters; where this fails, git shows them.
  await atomicWrite(file, Buffer.from(ignored)).catch(() => {});
}
