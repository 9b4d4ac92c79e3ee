import { mayMatchPath } from './match-path.ts';
import type { PermissionPolicy, Rule } from './permission.ts';
import { baseName } from './shell/nested-runs.ts';
import { type PlacedCommand, placesOf } from './shell/place-commands.ts';
import { literalOf, type ShellWord, wordOf } from './shell/shell-word.ts';

const grepRecursion = /^-[A-Za-z]*[dDrR]|^--(?:r|deref|dir)/;

/** Options by which a command that only reads goes through whole directories. */
const recursion: Readonly<Record<string, RegExp>> = {
  diff: /^-[A-Za-z]*r|^--r/,
  egrep: grepRecursion,
  fgrep: grepRecursion,
  grep: grepRecursion,
  rg: /^/,
};

/** A deny or ask rule for a file that a command may come across on its way through a directory. */
export function ruleInTree(
  policy: PermissionPolicy,
  placed: PlacedCommand,
  files: readonly ShellWord[],
): Rule | undefined {
  const rules = [...policy.rules.deny, ...policy.rules.ask].filter(({ tool }) => tool === 'Read');
  const name = baseName(placed.command.words[0]) ?? '';
  const options = Object.hasOwn(recursion, name) ? recursion[name] : undefined;
  if (rules.length === 0 || options === undefined) return undefined;
  const given = placed.command.words.slice(1).map((word) => literalOf(word) ?? '');
  if (!given.some((text) => options.test(text))) return undefined;
  const leavesHidden = name === 'rg' && !given.some((text) => /^-[A-Za-z]*[u.]|^--(?:hid|unr)/.test(text));
  const roots = (files.length > 0 ? files : [wordOf('.')]).flatMap(
    (file) => placesOf(file, placed, policy) ?? [],
  );
  return rules.find(({ specifier }) => {
    if (specifier === undefined) return true;
    if (leavesHidden && isHidden(specifier)) return false;
    return roots.some(({ path }) =>
      mayMatchPath(specifier, `${path === '/' ? '' : path}/*`, {
        workspace: policy.workspace,
        reading: 'wide',
      }),
    );
  });
}

function isHidden(specifier: string): boolean {
  return specifier.split('/').some((name) => /^\.[^.]/.test(name));
}
