import path from 'node:path';
import { fileOperands } from '../commands/file-operands.ts';
import { gitArguments } from '../commands/git-operands.ts';
import { baseName } from '../commands/nested-runs.ts';
import { pathArguments, uploadArguments } from '../commands/path-arguments.ts';
import { isWithin } from '../path/is-within.ts';
import type { ShellScope } from '../path/shell-scope.ts';
import type { SimpleCommand } from '../word/shell-script.ts';
import { literalOf } from '../word/shell-word.ts';
import { wordSet } from '../word/word-set.ts';
import type { GlobTarget } from './expand-glob.ts';
import { type PlacedCommand, placesOf } from './place-commands.ts';
import { gitChangers, installers, installing } from './tree-changes.ts';

/** The links in what `git checkout` would check out, by command; absent where that is unknown. */
export type CheckedOutLinks = ReadonlyMap<SimpleCommand, readonly string[]>;

/** The option of tar, also without its dash. */
const unpacking = /^(?:-[A-Za-wyz]*x|[A-Za-wyz]*x[A-Za-z]*$|--ex|--get)/;
/** Archives, copies and other systems that may bring links of any name, and what shows that they do. */
const bringers: Readonly<Record<string, RegExp>> = {
  '7z': /^x$/,
  '7za': /^x$/,
  '7zr': /^x$/,
  aria2c: /^/,
  bsdtar: unpacking,
  cpio: /^(?:-[A-Za-z]*[ip]|--ex|--pass)/,
  docker: /^cp$/,
  gh: /^(?:checkout|clone|sync|download|co)$/,
  glab: /^(?:checkout|clone)$/,
  gtar: unpacking,
  hg: /^(?:clone|co|checkout|up|update|pull|merge|import)$/,
  jj: /^/,
  kubectl: /^cp$/,
  patch: /^/,
  podman: /^cp$/,
  svn: /^(?:co|checkout|up|update|sw|switch|merge|export|revert)$/,
  tar: unpacking,
  unar: /^/,
  unrar: /^[xe]$/,
  unzip: /^/,
  wget: /^(?:-[A-Za-z]*[rm]|--rec|--mir)/,
};
/** Commands that bring links only to the paths they name. */
const copiers = wordSet('cp ln mv rsync scp sftp');
/** Folders that installers fill; packages may be links to other places. */
const installedNames = /(?:^|\/)(?:node_modules|vendor|\.?venv|site-packages|\.bundle|\.yarn)(?:\/|$)/;
const linkChangers = wordSet('mkdir rm rmdir unlink');
const maximumEntries = 5_000;

/** Why a path may have become a link to any other place when a command uses it; undefined if no earlier command can do that. */
export function plantedLink(
  policy: ShellScope,
  { path: file, real }: GlobTarget,
  { earlier, links }: { readonly earlier: readonly PlacedCommand[]; readonly links: CheckedOutLinks },
): string | undefined {
  const planter = earlier.find((one) => {
    if (one.directories.some((directory) => isWithin(file, directory))) return false;
    return allOf(one.command).some((command) => {
      const found = linksOf(policy, { ...one, command });
      if (found === 'anywhere') {
        const known = links.get(command);
        return known === undefined || known.some((link) => isNear(link, real));
      }
      if (found === 'installed') return installedNames.test(file) || policy.files?.look(real) === undefined;
      return found.some((place) => isNear(place.path, file) || isNear(place.real, real));
    });
  });
  if (planter === undefined) return undefined;
  const name = planter.command.words.slice(0, 2).map(({ text }) => text);
  return `${name.join(' ')} may make ${file} a link to another place. Run it first, on its own.`;
}

function linksOf(policy: ShellScope, placed: PlacedCommand): 'anywhere' | 'installed' | GlobTarget[] {
  const { command } = placed;
  const name = baseName(command.words[0]) ?? '';
  const given = command.words.slice(1).map((word) => literalOf(word) ?? word.text);
  if (name === 'git') {
    const { subcommand } = gitArguments(command.words.slice(1));
    if (subcommand === 'clone') return insideOf(targetsOf(policy, placed));
    return gitChangers.has(subcommand) && !keepsFiles(subcommand, given) ? 'anywhere' : [];
  }
  if (Object.hasOwn(bringers, name) && given.some((text) => bringers[name]?.test(text))) return 'anywhere';
  if (installers.has(name) && given.some((text) => installing.test(text))) return 'installed';
  if (!copiers.has(name)) return [];
  const targets = targetsOf(policy, placed);
  if (targets === undefined || name === 'ln') return targets ?? 'anywhere';
  const sources = fileOperands(command).filter(({ kind }) => kind === 'read');
  const places = sources.map(({ word }) => placesOf(word, placed, policy));
  const isPlain = places.every((one) => one?.every((place) => holdsNoLink(policy, place)));
  return isPlain && ['cp', 'mv'].includes(name) ? [] : targets;
}

/** True if a git command changes no file of the work tree. */
function keepsFiles(subcommand: string, given: readonly string[]): boolean {
  if (subcommand === 'init') return true;
  if (subcommand === 'reset') return !given.some((text) => /^--(?:h|k|m|rec)/.test(text));
  if (subcommand === 'restore') return given.some((text) => /^--st/.test(text)) && !given.some(isWorkTree);
  return ['stash', 'submodule', 'worktree'].includes(subcommand) && given.some((text) => isShown.test(text));
}

const isShown = /^(?:list|show|status|summary|lock|unlock|prune|drop)$/;

function isWorkTree(text: string): boolean {
  return /^(?:--wo|-[A-Za-z]*W)/.test(text);
}

/** A clone makes its directory itself, so only what is inside may be a link. */
function insideOf(targets: GlobTarget[] | undefined): 'anywhere' | GlobTarget[] {
  if (targets === undefined || targets.length === 0) return 'anywhere';
  return targets.map(({ path: file, real }) => ({ path: `${file}/`, real: `${real}/` }));
}

function targetsOf(policy: ShellScope, placed: PlacedCommand): GlobTarget[] | undefined {
  const written = fileOperands(placed.command).filter(({ kind }) => kind === 'write');
  const places = written.map(({ word }) => placesOf(word, placed, policy));
  return places.includes(undefined) ? undefined : places.flatMap((one) => one ?? []);
}

/** True for a file, and for a directory without links. */
function holdsNoLink({ files }: ShellScope, { path: file, real }: GlobTarget): boolean {
  if (files === undefined) return false;
  if (files.realPath(path.posix.dirname(file)) + file.slice(file.lastIndexOf('/')) !== real) return false;
  const open = [real];
  let budget = maximumEntries;
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const entries = files.entries(place) ?? [];
    budget -= entries.length;
    if (budget < 0 || entries.some(({ kind }) => kind === 'link')) return false;
    for (const { name, kind } of entries) if (kind === 'directory') open.push(`${place}/${name}`);
  }
  return true;
}

/** The revision that `git checkout` or `git switch` checks out, if nothing else may change files. */
export function checkedOut({ words }: SimpleCommand): string | undefined {
  if (baseName(words[0]) !== 'git') return undefined;
  const { subcommand, rest, optionCount } = gitArguments(words.slice(1));
  if (optionCount > 0 || !['checkout', 'switch'].includes(subcommand)) return undefined;
  const given = rest.map((word) => literalOf(word));
  const texts = given.filter((text) => text !== undefined);
  if (texts.length < given.length) return undefined;
  const isNew = texts.some((text) => /^-[bBcC]$/.test(text));
  const plain = texts.filter((text) => !/^(?:-[bBcCqfd]|--quiet|--force|--detach|--)$/.test(text));
  if (plain.some((text) => text.startsWith('-'))) return undefined;
  return isNew ? (plain[1] ?? 'HEAD') : plain[0];
}

/** True if one path is the other or below it. A place that ends with a slash means only what is below it. */
function isNear(place: string, file: string): boolean {
  return place.endsWith('/') ? file.startsWith(place) : isWithin(place, file) || isWithin(file, place);
}

/** The commands that may have run before another one: those before it, and in lines with concurrent groups all others. */
export function earlierThan(
  one: PlacedCommand,
  placed: readonly PlacedCommand[],
  source: string,
): PlacedCommand[] {
  const isConcurrent = /[({]|(?<![&>])&(?![&>])|\|&/.test(source);
  const at = placed.indexOf(one);
  return placed.filter((other, index) => other !== one && (isConcurrent || index < at));
}

/** The files a command may write, at the places where a link would lead it elsewhere. */
export function writtenThrough(policy: ShellScope, placed: PlacedCommand): GlobTarget[] {
  const { command } = placed;
  const words = [
    ...fileOperands(command).flatMap(({ kind, word }) => (kind === 'write' ? [word] : [])),
    ...pathArguments(command).flatMap(({ word, ...may }) => (may.isOutput || may.mayBeOutput ? [word] : [])),
    ...uploadArguments(command),
  ];
  const places = words.flatMap((word) => placesOf(word, placed, policy) ?? []);
  // These change a link itself, not what it leads to.
  if (!linkChangers.has(baseName(command.words[0]) ?? '')) return places;
  return places.map(({ path: file, real }) => ({
    path: path.posix.dirname(file),
    real: path.posix.dirname(real),
  }));
}

function allOf(command: SimpleCommand): SimpleCommand[] {
  return [command, ...[...command.runs, ...(command.reaches ?? [])].flatMap(allOf)];
}
