import path from 'node:path';
import { baseName } from '../commands/nested-runs.ts';
import type { ShellScope } from '../path/shell-scope.ts';
import { literalOf, type ShellWord } from '../word/shell-word.ts';
import type { GlobTarget } from './expand-glob.ts';
import { type PlacedCommand, placesOf } from './place-commands.ts';

const maximumEntries = 20_000;

/**
 * The targets of links that diff follows inside the directories it compares; undefined if there are too many
 * files. Other read-only commands do not follow links they encounter.
 */
export function linksInside(
  policy: ShellScope,
  placed: PlacedCommand,
  operands: readonly ShellWord[],
): GlobTarget[] | undefined {
  const { files } = policy;
  const options = placed.command.words.slice(1).map((word) => literalOf(word) ?? '');
  const followsLinks = baseName(placed.command.words[0]) === 'diff' && !options.includes('--no-dereference');
  if (files === undefined || !followsLinks) return [];
  const isRecursive = options.some((option) => /^-[A-Za-z]*r|^--rec/.test(option));
  const open = operands.flatMap((word) => placesOf(word, placed, policy) ?? []);
  const found: GlobTarget[] = [];
  let budget = maximumEntries;
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const entries = files.entries(place.real) ?? [];
    budget -= entries.length;
    if (budget < 0) return undefined;
    for (const { name, kind } of entries) {
      const inner = { path: path.posix.join(place.path, name), real: path.posix.join(place.real, name) };
      if (kind === 'link') found.push({ ...inner, real: files.realPath(inner.real) });
      else if (kind === 'directory' && isRecursive) open.push(inner);
    }
  }
  return found;
}
