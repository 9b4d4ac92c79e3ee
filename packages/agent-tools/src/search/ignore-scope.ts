import { statSync } from 'node:fs';
import { access, readdir, stat } from 'node:fs/promises';
import { dirname, join, parse, resolve } from 'node:path';
import { readRegularFile } from '@robota-sdk/agent-core';
import { IgnoreRules, type Verdict } from './ignore-rules.ts';

/** Names that make a directory matter for what is ignored. */
export const ignoreFileNames: ReadonlySet<string> = new Set([
  '.rgignore',
  '.ignore',
  '.gitignore',
  '.git',
  '.jj',
]);

// In order of precedence; those of git end at the root of a repository.
const kinds = ['.rgignore', '.ignore', '.gitignore', 'exclude'] as const;
type Kind = (typeof kinds)[number];

/** The ignore files that apply in a directory: its own and those of the directories above. */
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
    const endsAtRepository = await isInRepository(directory);
    let scope = new IgnoreScope(parse(directory).root, { ...nothing, endsAtRepository }, undefined);
    for (const parent of ancestors(directory).reverse()) {
      const names = await readdir(parent).catch(() => []);
      const relevant = new Set(names.filter((name) => ignoreFileNames.has(name)));
      if (relevant.size > 0) scope = await scope.enter(parent, relevant);
    }
    return scope;
  }

  /** The scope inside a directory that has some of the `ignoreFileNames`. */
  async enter(directory: string, names: ReadonlySet<string>): Promise<IgnoreScope> {
    const own = await readOwnRules(directory, names);
    return new IgnoreScope(directory, { ...own, endsAtRepository: this.#endsAtRepository }, this);
  }

  /** True if an entry, given by its absolute path, is to be left out. */
  isIgnored(path: string, isDirectory: boolean): boolean {
    for (const kind of kinds) {
      const verdict = this.#judge(kind, path, isDirectory);
      if (verdict !== undefined) return verdict === 'ignore';
    }
    return false;
  }

  /** The nearest file that says something decides. */
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

/** True if a directory or one above it is the root of a repository. */
export async function isInRepository(directory: string): Promise<boolean> {
  for (const place of [directory, ...ancestors(directory)]) {
    for (const name of ['.git', '.jj']) {
      const exists = await access(join(place, name)).then(
        () => true,
        () => false,
      );
      if (exists) return true;
    }
  }
  return false;
}

/**
 * True if an ignore file of a directory, one of the `ignoreFileNames`, is a pipe or a device. Ripgrep opens
 * those too: it waits for a pipe without end, and reads a device until the memory is used up.
 */
export async function hasIrregularIgnoreFile(
  directory: string,
  names: ReadonlySet<string>,
): Promise<boolean> {
  const own = kinds.filter((kind) => names.has(kind)).map((kind) => join(directory, kind));
  const git = names.has('.git') ? await gitFiles(join(directory, '.git')) : [];
  return [...own, ...git].some(isIrregular);
}

/** As `hasIrregularIgnoreFile`, of a directory and those above it. */
export async function hasIrregularIgnoreFileAbove(directory: string): Promise<boolean> {
  for (const place of [directory, ...ancestors(directory)])
    if (await hasIrregularIgnoreFile(place, ignoreFileNames)) return true;
  return false;
}

/** The files of a git directory that say what is ignored, or where that is said. */
async function gitFiles(git: string): Promise<string[]> {
  const named = await gitDirectoryOf(git);
  const places = named === undefined ? [git] : [git, named];
  const exclude = await excludePath(dirname(git), ignoreFileNames);
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

/** The directories above, nearest first. */
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

/** The text of a file; nothing where there is none, or a pipe that would be waited for without end. */
async function readRegular(path: string): Promise<string | undefined> {
  try {
    return (await readRegularFile(path)).toString();
  } catch {
    return undefined;
  }
}
