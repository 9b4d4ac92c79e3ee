import type { SimpleCommand } from '@robota-sdk/agent-shell';
import {
  baseName,
  gitArguments,
  globsOverlap,
  literalOf,
  openGlob,
  type PlacedCommand,
  placesOf,
  type ShellWord,
  wordOf,
} from '@robota-sdk/agent-shell';
import { mayMatchPath } from './match-path.ts';
import type { PermissionPolicy, Rule } from './policy/permission.ts';

const grepRecursion = /^-[A-Za-z]*[dDrR]|^--(?:r|deref|dir)/;

/** Options by which a command that only reads goes through whole directories. */
const recursion: Readonly<Record<string, RegExp>> = {
  diff: /^-[A-Za-z]*r|^--r/,
  egrep: grepRecursion,
  fgrep: grepRecursion,
  git: /^grep$/,
  grep: grepRecursion,
  'git grep': /^/,
  rg: /^/,
};

/** A deny or ask rule for a file that a command may come across on its way through a directory. */
export function ruleInTree(
  policy: PermissionPolicy,
  placed: PlacedCommand,
  files: readonly ShellWord[],
): Rule | undefined {
  const rules = [...policy.rules.deny, ...policy.rules.ask].filter(({ tool }) => tool === 'Read');
  const name = programName(placed.command);
  const options = Object.hasOwn(recursion, name) ? recursion[name] : undefined;
  if (rules.length === 0 || options === undefined) return undefined;
  const given = placed.command.words.slice(1).map((word) => literalOf(word) ?? '');
  if (!given.some((text) => options.test(text))) return undefined;
  const leavesHidden = name === 'rg' && !given.some((text) => /^-[A-Za-z]*[u.]|^--(?:hid|unr)/.test(text));
  const globs = name === 'rg' ? searchedGlobs(given) : [];
  // An operand of `git grep` may be a revision; then everything is searched.
  const searched = name === 'git' ? [...files, wordOf('.')] : files;
  const roots = (searched.length > 0 ? searched : [wordOf('.')]).flatMap(
    (file) => placesOf(file, placed, policy) ?? [],
  );
  return rules.find(({ specifier }) => {
    if (specifier === undefined) return true;
    if (leavesHidden && isHidden(specifier) && !reincludes(globs, specifier)) return false;
    return roots.some(({ path }) =>
      mayMatchPath(specifier, `${path === '/' ? '' : path}/*`, {
        workspace: policy.workspace,
        reading: 'wide',
      }),
    );
  });
}

/** The name of a program, with its subcommand where that is git's search. */
function programName({ words }: SimpleCommand): string {
  const name = baseName(words[0]) ?? '';
  return name === 'git' && gitArguments(words.slice(1)).subcommand === 'grep' ? 'git grep' : name;
}

/** The globs of ripgrep that choose files; what is not literal may be any of them. */
function searchedGlobs(given: readonly string[]): string[] {
  return given.flatMap((text, index) => {
    const [, attached] = /^(?:-[A-Za-z0-9.]*?g|--i?glob)=?(.*)$/s.exec(text) ?? [];
    if (attached === undefined) return [];
    const glob = attached === '' ? (given[index + 1] ?? '') : attached;
    return glob.startsWith('!') ? [] : [glob === '' ? '*' : glob];
  });
}

/** A glob that fits a hidden file makes ripgrep search it all the same. */
function reincludes(globs: readonly string[], specifier: string): boolean {
  const names = specifier.toLowerCase().split('/');
  return globs.some((glob) => {
    const parts = openGlob(openBraces(glob.toLowerCase())).split('/');
    const last = parts.pop() ?? '*';
    return [...parts.filter((part) => part !== '**' && part !== ''), last].some((part) =>
      names.some((name) => /^\.[^.]/.test(name) && globsOverlap(part, name)),
    );
  });
}

/** The choices of a glob as one `*`. */
function openBraces(glob: string): string {
  const start = glob.indexOf('{');
  const end = glob.lastIndexOf('}');
  return start < 0 || end < start ? glob : `${glob.slice(0, start)}*${glob.slice(end + 1)}`;
}

function isHidden(specifier: string): boolean {
  return specifier.split('/').some((name) => /^\.[^.]/.test(name));
}
