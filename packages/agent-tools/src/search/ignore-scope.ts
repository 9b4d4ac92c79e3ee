import { existsSync, statSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { orElse, readRegularFile } from '@robota-sdk/agent-core';
import { IgnoreFileTooLarge, IgnoreRules, largestIgnoreFile, type NameJudge } from '../match/ignore-rules.ts';

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

interface ScopedFile {
  readonly kind: Kind;
  readonly directory: string;
  readonly rules: IgnoreRules;
}

/** The ignore files that apply in a directory: its own and its parents', nearest first. */
export class IgnoreScope {
  readonly #files: readonly ScopedFile[];
  readonly #endsAtRepository: boolean;

  private constructor(files: readonly ScopedFile[], endsAtRepository: boolean) {
    this.#files = files;
    this.#endsAtRepository = endsAtRepository;
  }

  /** The rules of the parent directories. */
  static async above(directory: string): Promise<IgnoreScope> {
    let scope = new IgnoreScope([], isInRepository(directory));
    for (const parent of ancestors(directory).reverse()) {
      const names = await readdir(parent).catch(() => []);
      const relevant = new Set(names.filter((name) => searchIgnoreNames.has(name)));
      if (relevant.size > 0) scope = await scope.enter(parent, relevant);
    }
    return scope;
  }

  /** The scope inside a directory that has some of the `searchIgnoreNames`. */
  async enter(directory: string, names: ReadonlySet<string>): Promise<IgnoreScope> {
    const isRepository = names.has('.git') || names.has('.jj');
    const outer =
      isRepository && this.#endsAtRepository
        ? this.#files.filter(({ kind }) => kind === '.rgignore' || kind === '.ignore')
        : this.#files;
    return new IgnoreScope([...(await readOwnRules(directory, names)), ...outer], this.#endsAtRepository);
  }

  /** Judges the names in a directory: the nearest file of the first kind that says anything decides. */
  in(directory: string): (name: string, isDirectory: boolean) => boolean {
    const judges = kinds.flatMap((kind): NameJudge[] =>
      this.#files
        .filter((file) => file.kind === kind)
        .map((file) => file.rules.in(directory.slice(file.directory.length).split('/').filter(Boolean))),
    );
    return (name, isDirectory) => {
      for (const judge of judges) {
        const line = judge(name, isDirectory);
        if (line !== undefined) return !line.isNegated;
      }
      return false;
    };
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

/** Throws for a file that is too large: ripgrep may take minutes to read its patterns, or drop all of them. */
function isIrregular(path: string): boolean {
  const found = orElse(() => statSync(path, { throwIfNoEntry: false }), undefined);
  if (found?.isFile() && found.size > largestIgnoreFile) throw new IgnoreFileTooLarge(path);
  return found !== undefined && !found.isFile() && !found.isDirectory();
}

/** The parent directories, nearest first. */
function ancestors(directory: string): string[] {
  const above: string[] = [];
  for (let place = dirname(directory); place !== (above.at(-1) ?? directory); place = dirname(place))
    above.push(place);
  return above;
}

async function readOwnRules(directory: string, names: ReadonlySet<string>): Promise<ScopedFile[]> {
  const files: ScopedFile[] = [];
  for (const kind of kinds) {
    const path = kind === 'exclude' ? await excludePath(directory, names) : join(directory, kind);
    if (path === undefined || (kind !== 'exclude' && !names.has(kind))) continue;
    const text = await readRegular(path);
    if (text !== undefined) files.push({ kind, directory, rules: rulesOf(path, text) });
  }
  return files;
}

function rulesOf(path: string, text: string): IgnoreRules {
  try {
    return new IgnoreRules(text, (line) => line);
  } catch {
    throw new IgnoreFileTooLarge(path);
  }
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
    return (await readRegularFile(path, { largest: largestIgnoreFile })).toString();
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'EFBIG') throw new IgnoreFileTooLarge(path);
    return undefined;
  }
}
