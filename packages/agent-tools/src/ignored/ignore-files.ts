import { lstatSync, readdirSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import {
  AgentError,
  type IgnoredFiles,
  isWithin,
  orElse,
  type Rule,
  readRegularFileSync,
  repositoryOf,
  type SessionState,
  type StateKey,
  type Workspace,
} from '@robota-sdk/agent-core';
import { type IgnoreLine, ignorePath, readIgnoreLines } from './ignore-lines.ts';

/** Names of files that hide others from agents, ours first; those of other agents are supported too. */
export const ignoreFileNames: readonly string[] = [
  '.agentignore',
  '.aiexclude',
  '.aiignore',
  '.codexignore',
  '.cursorignore',
  '.geminiignore',
];

/** The ignore files of a session: those of its directories, and the user's global one. */
export interface IgnoreSources {
  /** Directories may be added to it. */
  readonly workspace: Workspace;
  readonly names: readonly string[];
  /** Its patterns start at the root of each repository; no other file can re-include what it hides. */
  readonly userFile: string;
}

/** The ignore files of a session, for its sandbox. */
export const ignoredFiles: StateKey<{ files?: IgnoreFiles }> = { name: 'ignored-files', create: () => ({}) };

/** More paths would slow down each command and exceed its argument limit. */
const mostHiddenPaths = 2_000;

/** The paths that a session's ignore files hide from its commands; throws if there are too many. */
export function hiddenNow(state: SessionState): readonly string[] {
  const paths = state.get(ignoredFiles).files?.hiddenPaths() ?? [];
  if (paths.length <= mostHiddenPaths) return paths;
  throw new AgentError(
    'tool',
    `The command was not started: ignore files hide ${paths.length} paths, and a sandbox can hide ${mostHiddenPaths}.`,
    { hint: 'Ignore whole directories instead of single files, or change the setting ignoreFiles.' },
  );
}

interface LoadedFile {
  /** The directory its patterns are relative to. */
  readonly directory: string;
  readonly ignoreCase: boolean;
  readonly lines: readonly LoadedLine[];
}

interface LoadedLine extends IgnoreLine {
  readonly rule: Rule;
}

/** How long the list of directories with ignore files is cached. */
const listedForMs = 5_000;
/** Limit of directories searched for ignore files and hidden files. */
const mostDirectories = 20_000;
const skipped: ReadonlySet<string> = new Set(['.git', '.hg', '.jj', '.svn', '.venv', 'node_modules']);

/** The ignore files around and below the directories of a session, read again whenever they change. */
export class IgnoreFiles implements IgnoredFiles {
  readonly #sources: IgnoreSources;
  readonly #parsed = new Map<string, { readonly version: string; readonly file: LoadedFile }>();
  readonly #ignoreCase = new Map<string, boolean>();
  #listed:
    | { readonly at: number; readonly roots: string; readonly directories: readonly string[] }
    | undefined;
  #found: Map<string, ReadonlyMap<string, LoadedFile>> | undefined;

  constructor(sources: IgnoreSources) {
    this.#sources = sources;
  }

  /** The line that hides a path, as a rule. Links are not followed: check both ends. */
  ruleFor(path: string): Rule | undefined {
    const top = this.#topOf(path);
    for (const name of [userKind, ...this.#sources.names]) {
      const hidden = this.#judge(name, path, top);
      if (hidden !== undefined) return hidden;
    }
    return undefined;
  }

  /** Every line that hides something, for files known only as a pattern. */
  get rules(): readonly Rule[] {
    const directories = this.#directoriesWithFiles();
    return directories.flatMap((directory) =>
      [...this.#filesIn(directory).values()].flatMap(({ lines }) =>
        lines.flatMap(({ isNegated, rule }) => (isNegated ? [] : [rule])).reverse(),
      ),
    );
  }

  /** The topmost hidden paths below the session's directories. */
  hiddenPaths(): readonly string[] {
    if (this.rules.length === 0) return [];
    const paths: string[] = [];
    walk(this.#roots(), (directory, entries) => {
      const open: string[] = [];
      for (const entry of entries) {
        const path = join(directory, entry.name);
        // A link shows no more than its target, which is checked itself.
        if (entry.isSymbolicLink()) continue;
        if (this.ruleFor(path) !== undefined) paths.push(path);
        else if (entry.isDirectory()) open.push(path);
      }
      return open;
    });
    return paths;
  }

  #judge(name: string, path: string, top: string): Rule | undefined {
    const parts = isWithin(top, path) ? path.slice(top.length).split(sep).filter(Boolean) : [];
    const files: LoadedFile[] = [];
    let directory = top;
    for (const [index, part] of parts.entries()) {
      const file = name === userKind && index > 0 ? undefined : this.#filesIn(directory).get(name);
      if (file !== undefined) files.unshift(file);
      const isLast = index === parts.length - 1;
      directory = join(directory, part);
      if (files.length === 0) continue;
      const line = decisiveLine(files, directory, { isDirectory: () => !isLast || isDirectory(path) });
      // Nothing in a hidden directory can be re-included.
      if (line !== undefined && !line.isNegated) return line.rule;
    }
    return undefined;
  }

  /** The highest directory whose ignore files matter for a path. */
  #topOf(path: string): string {
    const { cwd, additional } = this.#sources.workspace;
    const root = [cwd, ...additional].filter((one) => isWithin(one, path)).sort(shorterFirst)[0];
    const start = root ?? dirname(path);
    return repositoryOf(start) ?? start;
  }

  #roots(): readonly string[] {
    const { cwd, additional } = this.#sources.workspace;
    return [cwd, ...additional];
  }

  /** Cached for this turn of the event loop, because a search asks about every file. */
  #filesIn(directory: string): ReadonlyMap<string, LoadedFile> {
    if (this.#found === undefined) {
      this.#found = new Map();
      setImmediate(() => {
        this.#found = undefined;
      }).unref();
    }
    const known = this.#found.get(directory);
    if (known !== undefined) return known;
    const files = new Map<string, LoadedFile>();
    for (const name of this.#sources.names) {
      const file = this.#load(join(directory, name), directory);
      if (file !== undefined) files.set(name, file);
    }
    const isTop = this.#topOf(join(directory, 'x')) === directory;
    const own = isTop ? this.#load(this.#sources.userFile, directory) : undefined;
    if (own !== undefined) files.set(userKind, own);
    this.#found.set(directory, files);
    return files;
  }

  #load(file: string, directory: string): LoadedFile | undefined {
    const stats = statOf(file, statSync);
    if (stats === undefined || stats.isDirectory()) return undefined;
    const key = `${file}\0${directory}`;
    const version = [stats.ino, stats.size, stats.mtimeMs, stats.ctimeMs].join(':');
    const known = this.#parsed.get(key);
    if (known?.version === version) return known.file;
    const ignoreCase = this.#ignoresCase(directory);
    const lines = readIgnoreLines(textOf(file), { ignoreCase });
    const loaded = {
      directory,
      ignoreCase,
      lines: lines.map((line) => ({ ...line, rule: this.#ruleOf(line, file, directory) })).reverse(),
    };
    this.#parsed.set(key, { version, file: loaded });
    return loaded;
  }

  #ruleOf(line: IgnoreLine, source: string, directory: string): Rule {
    const { text, line: number } = line;
    const specifier = outlineOf(line, directory, this.#sources.workspace.cwd);
    return { tool: 'Read', specifier, text, origin: { source, line: number }, isIgnoreLine: true };
  }

  /** True if the file system ignores letter case. */
  #ignoresCase(directory: string): boolean {
    const known = this.#ignoreCase.get(directory);
    if (known !== undefined) return known;
    const name = basename(directory);
    const swapped = name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase();
    const [own, other] = [directory, join(dirname(directory), swapped)].map((path) =>
      statOf(path, lstatSync),
    );
    const ignores =
      swapped === name
        ? process.platform === 'darwin' || process.platform === 'win32'
        : own !== undefined && own.ino === other?.ino && own.dev === other?.dev;
    this.#ignoreCase.set(directory, ignores);
    return ignores;
  }

  #directoriesWithFiles(): readonly string[] {
    const roots = this.#roots();
    const above = roots.flatMap((root) => directoriesUpTo(this.#topOf(join(root, 'x')), root));
    const key = roots.join('\0');
    if (this.#listed?.roots !== key || Date.now() - this.#listed.at > listedForMs) {
      const names = new Set(this.#sources.names);
      const directories: string[] = [];
      walk(roots, (directory, entries) => {
        if (entries.some(({ name }) => names.has(name))) directories.push(directory);
        return entries.flatMap((entry) => (entry.isDirectory() ? [join(directory, entry.name)] : []));
      });
      this.#listed = { at: Date.now(), roots: key, directories };
    }
    return [...new Set([...above, ...this.#listed.directories])];
  }
}

const userKind = 'user';

/** The last matching line of the nearest file decides. */
function decisiveLine(
  files: readonly LoadedFile[],
  path: string,
  entry: { isDirectory(): boolean },
): LoadedLine | undefined {
  for (const { directory, lines, ignoreCase } of files) {
    const relative = path.slice(directory.length).split(sep).filter(Boolean).join('/');
    const split = ignorePath(relative, { ignoreCase });
    const line = lines.find((one) => one.matches(split) && (!one.onlyDirectories || entry.isDirectory()));
    if (line !== undefined) return line;
  }
  return undefined;
}

/** Visits directories, nearest first, up to the limit. */
function walk(
  roots: readonly string[],
  visit: (directory: string, entries: ReturnType<typeof entriesOf>) => readonly string[],
): void {
  const waiting = [...roots];
  for (let at = 0; at < Math.min(waiting.length, mostDirectories); at += 1) {
    const directory = waiting[at] ?? '';
    const below = visit(directory, entriesOf(directory));
    waiting.push(...below.filter((path) => !skipped.has(basename(path)) && !roots.includes(path)));
  }
}

function entriesOf(directory: string) {
  return orElse(() => readdirSync(directory, { withFileTypes: true }), []);
}

/** The directories from the top of a repository down to one in it. */
function directoriesUpTo(top: string, directory: string): string[] {
  const above = [directory];
  for (let place = directory; place !== top && place !== dirname(place); ) {
    place = dirname(place);
    above.unshift(place);
  }
  return above;
}

/** An unreadable ignore file hides everything, because its content is unknown. */
function textOf(file: string): string {
  return orElse(() => readRegularFileSync(file).toString(), '*');
}

function isDirectory(path: string): boolean {
  return statOf(path, lstatSync)?.isDirectory() === true;
}

function statOf(path: string, read: typeof lstatSync | typeof statSync): Stats | undefined {
  return orElse(() => read(path, { throwIfNoEntry: false }) as Stats | undefined, undefined);
}

function shorterFirst(one: string, other: string): number {
  return one.length - other.length;
}

/**
 * A path rule pattern that covers at least what a line hides, for commands whose files are known only as a pattern.
 * Relative to the working directory if possible, like other rules.
 */
function outlineOf({ glob, isAnchored }: IgnoreLine, directory: string, cwd: string): string {
  const open = openClasses(glob);
  if (!isAnchored) return open;
  const full = [...directory.split(sep), open].join('/');
  const base = `${cwd.split(sep).join('/')}/`;
  if (full.startsWith(base)) return `/${full.slice(base.length)}`;
  // From a parent directory, only an absolute path is unambiguous.
  return `/${full.startsWith('/') ? full : `/${full}`}`;
}

/** Replaces classes, question marks and escapes by stars. */
function openClasses(glob: string): string {
  return glob.replaceAll(/\\.|\[[^\]]{0,200}\]?|\?/gs, '*');
}
