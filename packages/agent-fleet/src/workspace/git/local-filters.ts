import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git } from './git.ts';

/** Variables that switch off filters of a repository's own configuration; those of the user's stay. */
export async function disabledFilters(git: Git, signal: AbortSignal): Promise<Record<string, string>> {
  if (await hasNone(git)) return {};
  const words = ['config', '--show-scope', '--name-only', '-z', '--get-regexp', '^filter\\.'];
  const fields = await git.fields(words, { accepted: [1], signal });
  const drivers = new Set<string>();
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [scope, key = ''] = [fields[at], fields[at + 1]];
    if (scope === 'local' || scope === 'worktree') drivers.add(key.slice(0, key.lastIndexOf('.')));
  }
  const settings = [...drivers].flatMap((driver) => [
    [`${driver}.process`, ''],
    [`${driver}.smudge`, ''],
    [`${driver}.clean`, ''],
    [`${driver}.required`, 'false'],
  ]);
  const named = settings.flatMap(([key = '', value = ''], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(settings.length), ...Object.fromEntries(named) };
}

/** True where the only configuration of a repository names no filter, as in most. */
async function hasNone({ place }: Git): Promise<boolean> {
  const at = (name: string) => join(place.gitDirectory, name);
  if (['commondir', 'config.worktree'].some((name) => existsSync(at(name)))) return false;
  const text = await readFile(at('config'), 'utf8').catch(() => 'filter');
  return !/filter|include/i.test(text);
}
