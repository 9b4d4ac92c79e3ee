import path from 'node:path';
import {
  baseName,
  type CheckedOutLinks,
  checkedOut,
  gitArguments,
  globsOverlap,
  hazardOfGit,
  literalOf,
  mayPrintContents,
  mayPrintUntracked,
  openGlob,
  type PlacedCommand,
  type PrintedFiles,
  placesOf,
  printedByGit,
  type ShellWord,
  type TrackedFiles,
  wordOf,
} from '@robota-sdk/agent-shell';
import { pathRule } from './decide-path.ts';
import { mayMatchPath } from './match-path.ts';
import type { PermissionPolicy, Rule } from './policy/permission.ts';

const grepRecursion = /^-[A-Za-z]*[dDrR]|^--(?:r|deref|dir)/;

/** Options that make a read-only command recurse into directories. */
const recursion: Readonly<Record<string, RegExp>> = {
  diff: /^-[A-Za-z]*r|^--r/,
  egrep: grepRecursion,
  fgrep: grepRecursion,
  grep: grepRecursion,
  rg: /^/,
};

/** A deny or ask rule for a file that a command may read while it walks a directory. */
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
  const globs = name === 'rg' ? searchedGlobs(given) : [];
  const roots = (files.length > 0 ? files : [wordOf('.')]).flatMap(
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

/** ripgrep's file globs; one that is not literal may match any file. */
function searchedGlobs(given: readonly string[]): string[] {
  return given.flatMap((text, index) => {
    const [, attached] = /^(?:-[A-Za-z0-9.]*?g|--i?glob)=?(.*)$/s.exec(text) ?? [];
    if (attached === undefined) return [];
    const glob = attached === '' ? (given[index + 1] ?? '') : attached;
    return glob.startsWith('!') ? [] : [glob === '' ? '*' : glob];
  });
}

/** A glob that matches a hidden file makes ripgrep search it anyway. */
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

/** Replaces the alternatives of a glob by one `*`. */
function openBraces(glob: string): string {
  const start = glob.indexOf('{');
  const end = glob.lastIndexOf('}');
  return start < 0 || end < start ? glob : `${glob.slice(0, start)}*${glob.slice(end + 1)}`;
}

function isHidden(specifier: string): boolean {
  return specifier.split('/').some((name) => /^\.[^.]/.test(name));
}

/** The tracked files around directories whose contents git commands of a script may print. */
export type TrackedAt = ReadonlyMap<string, TrackedFiles>;

/** Looks up tracked files for commands whose output may include files under rules. */
export async function trackedFor(
  policy: PermissionPolicy,
  placed: readonly PlacedCommand[],
): Promise<TrackedAt> {
  const found = new Map<string, TrackedFiles>();
  if (readRules(policy).length === 0) return found;
  for (const one of placed) {
    if (!isPrintingGit(one) || hazardOfGit(policy, one, []) !== undefined) continue;
    for (const directory of startsOf(one)) {
      if (found.has(directory)) continue;
      const tracked = await policy.files?.tracked?.(directory);
      if (tracked !== undefined) found.set(directory, tracked);
    }
  }
  return found;
}

/** The links that a checkout at the start of a line brings: later commands of the line may come across them. */
export async function checkedOutLinks(
  policy: PermissionPolicy,
  [first, ...rest]: readonly PlacedCommand[],
): Promise<CheckedOutLinks> {
  const revision = first === undefined || rest.length === 0 ? undefined : checkedOut(first.command);
  const [start = ''] = first?.directories ?? [];
  if (!first || revision === undefined || hazardOfGit(policy, first, []) !== undefined) return new Map();
  const links = await policy.files?.linksIn?.(start, revision);
  return links === undefined ? new Map() : new Map([[first.command, links]]);
}

/** A file that a git command may print, and its deny or ask rule. */
export interface PrintedFile {
  readonly rule: Rule;
  /** Absent if the tracked files are unknown. */
  readonly file?: string;
}

/** The first file under a deny or ask rule that a git command may print, from the work tree or the history. */
export function printedFile(
  policy: PermissionPolicy,
  placed: PlacedCommand,
  tracked: TrackedAt,
): PrintedFile | undefined {
  const [anyRule] = readRules(policy);
  if (anyRule === undefined || !isPrintingGit(placed)) return undefined;
  const words = placed.command.words.slice(1);
  if (placed.isLost || mayPrintUntracked(words)) return { rule: anyRule };
  // Without access to files, commands are judged as written; a search names no file.
  if (policy.files === undefined && gitArguments(words).subcommand !== 'grep') return undefined;
  for (const directory of startsOf(placed)) {
    const { top, paths } = tracked.get(directory) ?? { top: directory, paths: undefined };
    const printed = printedByGit(words, { directory, top, files: policy.files });
    if (paths === undefined) {
      const rule = ruleAmong(policy, top, printed);
      if (rule !== undefined) return { rule };
      continue;
    }
    for (const file of paths) {
      const rule = printed.mayHold(file) ? ruleAbout(policy, path.posix.join(top, file)) : undefined;
      if (rule !== undefined) return { rule, file };
    }
  }
  return undefined;
}

/** A rule that may match one of the files, if the files are unknown. */
function ruleAmong(policy: PermissionPolicy, top: string, { globs }: PrintedFiles): Rule | undefined {
  const { workspace } = policy;
  return readRules(policy).find(({ specifier }) =>
    globs.some(
      (glob) =>
        specifier === undefined ||
        mayMatchPath(specifier, path.posix.join(top, glob), { workspace, reading: 'wide' }),
    ),
  );
}

function ruleAbout(policy: PermissionPolicy, file: string): Rule | undefined {
  const request = { tool: 'Read', access: { kind: 'read', path: file, real: file } } as const;
  return pathRule('deny', policy, request) ?? pathRule('ask', policy, request);
}

function readRules({ rules }: PermissionPolicy): readonly Rule[] {
  return [...rules.deny, ...rules.ask].filter(({ tool }) => tool === 'Read');
}

function isPrintingGit({ command }: PlacedCommand): boolean {
  return baseName(command.words[0]) === 'git' && mayPrintContents(command.words.slice(1));
}

/** The directories that git may start in. */
function startsOf({ command, directories }: PlacedCommand): readonly string[] {
  const { directory } = gitArguments(command.words.slice(1));
  return directories.map((one) => path.posix.resolve(one, directory));
}
