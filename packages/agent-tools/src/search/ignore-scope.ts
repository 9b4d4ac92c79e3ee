import { existsSync, statSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { dirname, join, parse, resolve } from 'node:path';
import { readRegularFile } from '@robota-sdk/agent-core';
import { IgnoreRules, type Verdict } from './ignore-rules.ts';

/** File names that affect what is ignored in a directory. */
export const searchIgnoreNames: ReadonlySet<string> = new Set([
  '.rgignore',
  '.ignore',
  '.gitignore',
  '.git',
  '.jj',
]);

// In order of precedence; git's files apply up to the root of a repository.
const kinds = ['.rgignore', '.ignore', '.gitignore', 'exclude'] as const;
type Kind = (typeof kinds)[number];

/** The ignore files that apply in a directory: its own and its parents'. */
export class IgnoreScope {
  readonly #parent: IgnoreScope | undefined;
  readonly #pathStart: number;
  readonly #rules: ReadonlyMap<Kind, IgnoreRules>;
  readonly #isRepository: boolean;
  readonly #endsAtRepository: boolean;

  private constructor(
    directory: string,
    own: OwnRules & { readonly endsAtRepository: boolean },
    parent: IgnoreScope | undefined,
  ) {
    this.#parent = parent;
    this.#pathStart = directory.endsWith('/') ? directory.length : directory.length + 1;
    this.#rules = own.rules;
    this.#isRepository = own.isRepository;
    this.#endsAtRepository = own.endsAtRepository;
  }

  /** The rules of the parent directories. */
  static async above(directory: string): Promise<IgnoreScope> {
    const endsAtRepository = isInRepository(directory);
    let scope = new IgnoreScope(parse(directory).root, { ...nothing, endsAtRepository }, undefined);
    for (const parent of ancestors(directory).reverse()) {
      const names = await readdir(parent).catch(() => []);
      const relevant = new Set(names.filter((name) => searchIgnoreNames.has(name)));
      if (relevant.size > 0) scope = await scope.enter(parent, relevant);
    }
    return scope;
  }

  /** The scope inside a directory that has some of the `ignoreFileNames`. */
  async enter(directory: string, names: ReadonlySet<string>): Promise<IgnoreScope> {
    const own = await readOwnRules(directory, names);
    return new IgnoreScope(directory, { ...own, endsAtRepository: this.#endsAtRepository }, this);
  }

  /** True if an entry, by absolute path, is ignored. */
  isIgnored(path: string, isDirectory: boolean): boolean {
    for (const kind of kinds) {
      const verdict = this.#judge(kind, path, isDirectory);
      if (verdict !== undefined) return verdict === 'ignore';
    }
    return false;
  }

  /** The nearest file with a verdict decides. */
  #judge(kind: Kind, path: string, isDirectory: boolean): Verdict {
    const endsAtRepository = this.#endsAtRepository && (kind === '.gitignore' || kind === 'exclude');
    for (let scope: IgnoreScope | undefined = this; scope; scope = scope.#parent) {
      const verdict = scope.#rules.get(kind)?.judge(path.slice(scope.#pathStart), isDirectory);
      if (verdict !== undefined) return verdict;
      if (endsAtRepository && scope.#isRepository) return undefined;
    }
    return undefined;
  }
}

/** True if a directory is in a repository. */
export function isInRepository(directory: string): boolean {
  return [directory, ...ancestors(directory)].some((place) =>
    ['.git', '.jj'].some((name) => existsSync(join(place, name))),
  );
}

/**
 * True if one of a directory's `ignoreFileNames` is a pipe or a device. Ripgrep opens those too: it waits for a pipe
 * forever, and reads a device until memory runs out.
 */
export async function hasIrregularIgnoreFile(
  directory: string,
  names: ReadonlySet<string>,
): Promise<boolean> {
  const own = kinds.filter((kind) => names.has(kind)).map((kind) => join(directory, kind));
  const git = names.has('.git') ? await gitFiles(join(directory, '.git')) : [];
  return [...own, ...git].some(isIrregular);
}

/** Like `hasIrregularIgnoreFile`, for a directory and its parents. */
export async function hasIrregularIgnoreFileAbove(directory: string): Promise<boolean> {
  for (const place of [directory, ...ancestors(directory)])
    if (await hasIrregularIgnoreFile(place, searchIgnoreNames)) return true;
  return false;
}

/** Files of a git directory that define what is ignored, or point to such files. */
async function gitFiles(git: string): Promise<string[]> {
  const named = await gitDirectoryOf(git);
  const places = named === undefined ? [git] : [git, named];
  const exclude = await excludePath(dirname(git), searchIgnoreNames);
  return [
    ...places.flatMap((place) => [join(place, 'commondir'), join(place, 'info', 'exclude')]),
    ...(exclude === undefined ? [] : [exclude]),
    git,
  ];
}

function isIrregular(path: string): boolean {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found !== undefined && !found.isFile() && !found.isDirectory();
  } catch {
    return false;
  }
}

/** The parent directories, nearest first. */
function ancestors(directory: string): string[] {
  const above: string[] = [];
  for (let place = dirname(directory); place !== (above.at(-1) ?? directory); place = dirname(place))
    above.push(place);
  return above;
}

const nothing: OwnRules = { rules: new Map(), isRepository: false };

interface OwnRules {
  readonly rules: ReadonlyMap<Kind, IgnoreRules>;
  readonly isRepository: boolean;
}

async function readOwnRules(directory: string, names: ReadonlySet<string>): Promise<OwnRules> {
  const rules = new Map<Kind, IgnoreRules>();
  for (const kind of kinds) {
    const path = kind === 'exclude' ? await excludePath(directory, names) : join(directory, kind);
    if (path === undefined || (kind !== 'exclude' && !names.has(kind))) continue;
    const own = new IgnoreRules((await readRegular(path)) ?? '');
    if (!own.isEmpty) rules.set(kind, own);
  }
  return { rules, isRepository: names.has('.git') || names.has('.jj') };
}

/** `.git` is a directory, or in a linked work tree a file that names one, which names the common one. */
async function excludePath(directory: string, names: ReadonlySet<string>): Promise<string | undefined> {
  if (!names.has('.git')) return undefined;
  const git = join(directory, '.git');
  const isDirectory = await stat(git)
    .then((found) => found.isDirectory())
    .catch(() => true);
  if (isDirectory) return join(git, 'info', 'exclude');
  const linked = await gitDirectoryOf(git);
  if (linked === undefined) return undefined;
  const common = await readRegular(join(linked, 'commondir'));
  return common === undefined ? undefined : join(resolve(linked, common.trim()), 'info', 'exclude');
}

/** The git directory that a `.git` file names. */
async function gitDirectoryOf(git: string): Promise<string | undefined> {
  const named = /^gitdir: (.+)$/m.exec((await readRegular(git)) ?? '')?.[1]?.trimEnd();
  return named === undefined ? undefined : resolve(dirname(git), named);
}

/** The text of a file; undefined if it is missing or not a regular file. */
async function readRegular(path: string): Promise<string | undefined> {
  try {
    return (await readRegularFile(path)).toString();
  } catch {
    return undefined;
  }
}
