import path from 'node:path';
import type { FileLook, PolicyFiles } from '../path/policy-files.ts';
import { type GitSetting, parseGitConfig } from './git-config.ts';
import { isHarmlessSetting } from './harmless-settings.ts';
import { linkedRepositories } from './index-links.ts';

const maximumDepth = 8;
const maximumRepositories = 200;
const maximumConfigBytes = 1_000_000;
const maximumKept = 64;
/** A byte order mark belongs to the first name, as in git. */
const textDecoder = new TextDecoder('utf-8', { ignoreBOM: true });
/** Replaces bytes that are not text. */
const unreadable = '\uFFFD';

interface Kept {
  readonly hazard: string | undefined;
  readonly versions: ReadonlyMap<string, string | undefined>;
}

const kept = new WeakMap<PolicyFiles, Map<string, Kept>>();

/**
 * Why a read-only git command in a directory might run a program: because of the configuration of the repository there,
 * of nested repositories, or a hook. Nothing is started to find out, and the answer is cached until a file it depends
 * on changes.
 */
export function gitHazard(files: PolicyFiles, directory: string): string | undefined {
  const answers = kept.get(files) ?? new Map<string, Kept>();
  kept.set(files, answers);
  const known = answers.get(directory);
  if (
    known !== undefined &&
    [...known.versions].every(([file, version]) => files.look(file)?.version === version)
  )
    return known.hazard;
  const inspection = new Inspection(files);
  const hazard = inspection.hazardAt(files.realPath(directory));
  if (answers.size >= maximumKept) answers.clear();
  answers.set(directory, { hazard, versions: inspection.versions });
  return hazard;
}

/** The git directory that applies to a directory; undefined if there is none. */
export function gitDirectoryOf(files: PolicyFiles, directory: string): string | undefined {
  return new Inspection(files).gitDirectoryAt(files.realPath(directory));
}

/** A path as the system resolves it: not normalized, because `..` after a link leads elsewhere than the text says. */
function placed(directory: string, name: string): string {
  return name.startsWith('/') ? name : `${directory === '/' ? '' : directory}/${name}`;
}

interface Repository {
  readonly gitDirectory: string;
  readonly workTree: string;
}

class Inspection {
  readonly versions = new Map<string, string | undefined>();
  readonly #files: PolicyFiles;
  readonly #seen = new Set<string>();

  constructor(files: PolicyFiles) {
    this.#files = files;
  }

  hazardAt(directory: string): string | undefined {
    const found = this.#repositoryAbove(directory);
    return typeof found === 'object' ? this.#hazardOf(found, 0) : found;
  }

  gitDirectoryAt(directory: string): string | undefined {
    const found = this.#repositoryAbove(directory);
    return typeof found === 'object' ? found.gitDirectory : undefined;
  }

  #repositoryAbove(directory: string): Repository | string | undefined {
    for (let current = directory; ; current = path.dirname(current)) {
      const found = this.#repositoryIn(current);
      if (found !== undefined || path.dirname(current) === current) return found;
    }
  }

  /** The repository that git would use in a directory, or why that is unknown. */
  #repositoryIn(directory: string): Repository | string | undefined {
    const pointer = placed(directory, '.git');
    const look = this.#look(pointer);
    if (look?.kind === 'directory' && this.#has(pointer, 'HEAD'))
      return { gitDirectory: pointer, workTree: directory };
    if (look !== undefined && look.kind !== 'directory') {
      const [, target] = /^gitdir: ([^\r\n\0]+)[\r\n]*$/.exec(this.#text(pointer) ?? '') ?? [];
      if (target === undefined || target.includes(unreadable)) return `${pointer} cannot be read`;
      const gitDirectory = placed(directory, target);
      const kind = this.#look(gitDirectory)?.kind;
      if (kind === 'file' || kind === 'other') return `${pointer} names ${target}, which is not a directory`;
      return { gitDirectory, workTree: directory };
    }
    const isBare =
      this.#has(directory, 'HEAD') &&
      ['objects', 'refs', 'commondir'].some((name) => this.#has(directory, name));
    return isBare ? `git takes ${directory} itself for a repository, and obeys the files in it` : undefined;
  }

  #hazardOf(repository: Repository, depth: number): string | undefined {
    const { gitDirectory } = repository;
    if (this.#seen.has(gitDirectory)) return undefined;
    this.#seen.add(gitDirectory);
    if (depth > maximumDepth || this.#seen.size > maximumRepositories)
      return 'there are too many repositories inside the repository';
    const shared = this.#text(placed(gitDirectory, 'commondir'));
    if (shared?.includes(unreadable)) return `commondir in ${gitDirectory} cannot be read`;
    const common =
      shared === undefined ? gitDirectory : placed(gitDirectory, shared.replace(/(?<![\r\n])[\r\n]+$/, ''));
    const settings = new Settings(
      (file) => this.#text(file),
      repository,
      (file) => this.#files.realPath(file),
    );
    for (const directory of new Set([common, gitDirectory]))
      for (const name of ['config', 'config.worktree']) {
        const file = placed(directory, name);
        if (this.#look(file) !== undefined) settings.read(file, 0);
      }
    if (settings.hazard !== undefined) return settings.hazard;
    const hooks = [common, gitDirectory].map((directory) => placed(directory, 'hooks'));
    const hook = [...hooks, ...settings.hookDirectories]
      .map((directory) => placed(directory, 'post-index-change'))
      .find((file) => this.#look(file) !== undefined);
    if (hook !== undefined) return `git runs the hook ${hook}`;
    return this.#hazardInside(repository, { depth, nameBytes: settings.nameBytes });
  }

  /** Git queries the state of nested repositories. */
  #hazardInside(
    { gitDirectory, workTree }: Repository,
    { depth, nameBytes }: { readonly depth: number; readonly nameBytes: number },
  ): string | undefined {
    this.#look(gitDirectory);
    const names = (this.#files.entries(gitDirectory) ?? []).map(({ name }) => name);
    for (const name of names.filter((one) => one === 'index' || one.startsWith('sharedindex.'))) {
      const file = placed(gitDirectory, name);
      if (this.#look(file)?.kind !== 'file') return `${file} cannot be read`;
      const links = linkedRepositories(this.#files.read(file) ?? new Uint8Array(), { nameBytes });
      if (links === undefined) return `${file} cannot be read`;
      for (const link of links) {
        const inner = placed(workTree, link);
        if (link.endsWith('/')) {
          // The index does not list the files of a directory outside a sparse checkout.
          if (this.#look(inner) !== undefined) return `${file} does not say what ${inner} holds`;
          continue;
        }
        const found = this.#repositoryIn(inner);
        if (typeof found === 'string') return found;
        const hazard = found === undefined ? undefined : this.#hazardOf(found, depth + 1);
        if (hazard !== undefined) return hazard;
      }
    }
    return undefined;
  }

  #has(directory: string, name: string): boolean {
    return this.#look(placed(directory, name)) !== undefined;
  }

  #look(file: string): FileLook | undefined {
    const look = this.#files.look(file);
    this.versions.set(file, look?.version);
    return look;
  }

  /** The text of a small file; undefined if missing, and unparsable text if it cannot be read. */
  #text(file: string): string | undefined {
    const look = this.#look(file);
    if (look === undefined) return undefined;
    if (look.kind !== 'file' || look.size > maximumConfigBytes) return '\0';
    const bytes = this.#files.read(file);
    return bytes === undefined ? '\0' : textDecoder.decode(bytes);
  }
}

/** The settings of a repository, including those of included files. */
class Settings {
  hazard: string | undefined;
  nameBytes = 20;
  readonly hookDirectories: string[] = [];
  readonly #text: (file: string) => string | undefined;
  readonly #repository: Repository;
  readonly #realPath: (file: string) => string;

  constructor(
    text: (file: string) => string | undefined,
    repository: Repository,
    realPath: (file: string) => string,
  ) {
    this.#text = text;
    this.#repository = repository;
    this.#realPath = realPath;
  }

  read(file: string, depth: number): void {
    const text = this.#text(file);
    if (text === undefined) return;
    const parsed = parseGitConfig(text);
    if (!parsed.ok) {
      this.hazard ??= `line ${parsed.line} of ${file} cannot be read`;
      return;
    }
    for (const setting of parsed.settings) this.#judge(setting, file, depth);
  }

  #judge(setting: GitSetting, file: string, depth: number): void {
    const { key, section, name, value } = setting;
    const { gitDirectory, workTree } = this.#repository;
    if (key === 'extensions.objectformat') this.nameBytes = value === 'sha256' ? 32 : 20;
    if (value !== undefined && !/^~|^%|^$/.test(value)) {
      if ((section === 'include' || section === 'includeif') && name === 'path' && depth < maximumDepth)
        return this.read(placed(path.dirname(file), value), depth + 1);
      if (key === 'core.hookspath') {
        this.hookDirectories.push(placed(workTree, value), placed(gitDirectory, value));
        return;
      }
      if (key === 'core.worktree' && this.#realPath(placed(gitDirectory, value)) === this.#realPath(workTree))
        return;
    }
    if (isHarmlessSetting(setting)) return;
    this.hazard ??= `git obeys ${key} in ${file}`;
  }
}
