import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { commandLine, referencedFiles } from '@robota-sdk/agent-config';
import { type HookDefinition, readRegularFile } from '@robota-sdk/agent-core';

/**
 * Throws if a hook would run a script of another directory, such as an agent's worktree, that differs from the
 * project's: the user approved that one, and an agent may have written the other.
 */
export async function assertSameScripts(
  hook: HookDefinition,
  { cwd, project }: { readonly cwd: string; readonly project: string },
): Promise<void> {
  const command = commandLine(hook);
  if (cwd === project || command === undefined) return;
  const places = [project, cwd].flatMap((directory) =>
    referencedFiles(command, directory).map((file) => relative(directory, file)),
  );
  for (const place of new Set(places)) {
    const [agreed, there] = [join(project, place), join(cwd, place)];
    if (existsSync(there) && !(await isSame(agreed, there)))
      throw new Error(`${there} is not the script that you approved, which is ${agreed}`);
  }
}

async function isSame(one: string, other: string): Promise<boolean> {
  try {
    const [first, second] = await Promise.all([readRegularFile(one), readRegularFile(other)]);
    return first.equals(second);
  } catch {
    return false;
  }
}
