import path from 'node:path';
import { gitArguments } from '../commands/git-operands.ts';
import { baseName } from '../commands/nested-runs.ts';
import { parseGitConfig } from '../git/git-config.ts';
import { gitDirectoryOf } from '../git/git-hazard.ts';
import type { PolicyFiles } from '../path/policy-files.ts';
import type { ShellScope } from '../path/shell-scope.ts';
import type { SimpleCommand } from '../word/shell-script.ts';
import { unknownText, valuesOf } from '../word/shell-word.ts';
import type { PlacedCommand } from './place-commands.ts';
import { changesTree } from './tree-changes.ts';

/** A remote URL: `https://host/x`, `git@host:x`. */
const isFar = /^(?!file:)(?:[a-z][a-z0-9+.-]*:\/\/|[^/]{2,}:)/i;
const valuedOptions: ReadonlySet<string> = new Set(['-o', '--push-option', '--receive-pack', '--exec']);

/**
 * The operand of `git push` that may be a local directory, whose hooks would run: a directory, or a remote that points
 * to one or that another command of the line may change.
 */
export function pushedPlace(
  { files }: ShellScope,
  placed: PlacedCommand,
  others: readonly SimpleCommand[],
): string | undefined {
  const { command, directories, isLost } = placed;
  if (files === undefined || isLost || baseName(command.words[0]) !== 'git') return undefined;
  const { subcommand, rest, directory } = gitArguments(command.words.slice(1));
  if (subcommand !== 'push') return undefined;
  const repository = rest.find(({ text }) => text.startsWith('--repo='))?.text.slice('--repo='.length);
  const operand = rest.find(
    ({ text }, index) => !text.startsWith('-') && !valuedOptions.has(rest[index - 1]?.text ?? ''),
  );
  // Values from the environment were set by the user.
  const values = operand === undefined ? [repository] : valuesOf(operand, placed.variables);
  const targets = values.filter((value) => value?.includes(unknownText) !== true);
  if (targets.length > 0 && others.some(changesRemotes)) return targets[0] ?? 'push';
  const found = targets.findIndex((target) =>
    directories.some((here) =>
      leadsNear(files, target, { place: path.posix.resolve(here, directory), others }),
    ),
  );
  return found === -1 ? undefined : (targets[found] ?? 'push');
}

function leadsNear(
  files: PolicyFiles,
  target: string | undefined,
  { place, others }: { readonly place: string; readonly others: readonly SimpleCommand[] },
): boolean {
  const remotes = remotesOf(files, place);
  if (target === undefined) return [...remotes.values()].flat().some((url) => !isFar.test(url));
  const urls = remotes.get(target);
  if (urls !== undefined) return urls.some((url) => !isFar.test(url));
  if (isFar.test(target)) return false;
  return files.look(path.posix.resolve(place, target)) !== undefined || others.some(changesTree);
}

function changesRemotes(command: SimpleCommand): boolean {
  if (baseName(command.words[0]) !== 'git') return command.runs.some(changesRemotes);
  const { subcommand, rest } = gitArguments(command.words.slice(1));
  return (
    subcommand === 'config' ||
    (subcommand === 'remote' && rest.some(({ text }) => /^(?:add|rename|set-)/.test(text)))
  );
}

/** The URLs of a repository's configured remotes. */
function remotesOf(files: PolicyFiles, directory: string): Map<string, string[]> {
  const remotes = new Map<string, string[]>();
  const own = gitDirectoryOf(files, directory);
  if (own === undefined) return remotes;
  const shared = textOf(files, `${own}/commondir`)?.trim();
  const text = textOf(
    files,
    path.posix.join(shared === undefined ? own : path.posix.resolve(own, shared), 'config'),
  );
  const parsed = text === undefined ? undefined : parseGitConfig(text);
  for (const { key, section, name, value } of parsed?.ok ? parsed.settings : []) {
    if (section !== 'remote' || (name !== 'url' && name !== 'pushurl')) continue;
    const remote = key.slice('remote.'.length, -name.length - 1);
    remotes.set(remote, [...(remotes.get(remote) ?? []), value ?? '']);
  }
  return remotes;
}

function textOf(files: PolicyFiles, file: string): string | undefined {
  if (files.look(file)?.kind !== 'file') return undefined;
  return new TextDecoder().decode(files.read(file));
}
