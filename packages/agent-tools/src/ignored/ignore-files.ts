import { type Dirent, lstatSync, readdirSync, type Stats, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import {
  AgentError,
  childPath,
  type HiddenNames,
  type HiddenPlaces,
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
import {
  IgnoreFileTooLarge,
  type IgnoreLine,
  IgnoreRules,
  ignoreFileLimit,
  largestIgnoreFile,
  type NameJudge,
} from '../match/ignore-rules.ts';
import { Turns } from '../process/turns.ts';

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

interface LoadedLine extends IgnoreLine {
  readonly rule: Rule;
}

/** The lines that may hide files in one directory. */
interface DirectoryRules {
  /** False if the directory is missing: then no file in it or below has a say. */
  readonly exists: boolean;
  /** Set if the directory itself is hidden: nothing in it can be re-included. */
  readonly rule?: Rule | undefined;
  /** For each kind of ignore file the judges of names, of the nearest file first. */
  readonly judges: readonly (readonly NameJudge<LoadedLine>[])[];
  /** For each kind the files that apply, and their directories. */
  readonly files: readonly (readonly OwnFile[])[];
}

interface OwnFile {
  readonly directory: string;
  readonly rules: IgnoreRules<LoadedLine>;
}

/** How long the list of directories with ignore files is cached. */
const listedForMs = 5_000;
/** Limit of directories searched for ignore files and hidden files. */
const mostDirectories = 20_000;
const skipped: ReadonlySet<string> = new Set(['.git', '.hg', '.jj', '.svn', '.venv', 'node_modules']);

/** The ignore files around and below the directories of a session, read again whenever they change. */
export class IgnoreFiles implements IgnoredFiles {
  readonly #sources: IgnoreSources;
  readonly #parsed = new Map<string, { readonly version: string; readonly rules: IgnoreRules<LoadedLine> }>();
  readonly #ignoreCase = new Map<string, boolean>();
  #listed:
    | { readonly at: number; readonly roots: string; readonly directories: readonly string[] }
    | undefined;

  constructor(sources: IgnoreSources) {
    this.#sources = sources;
  }

  /** The line that hides a path, as a rule. Links are not followed: check both ends. */
  ruleFor(path: string): Rule | undefined {
    const question = new Question();
    // A root is judged only by files above it.
    if (this.#roots().includes(path) && this.#topOf(path, question) === path) return undefined;
    const place = this.#rulesOf(dirname(path), question);
    return place.rule ?? ruleIn(place, basename(path), isDirectory(path));
  }

  /** Looks into each directory once. */
  search(): HiddenPlaces {
    const question = new Question();
    return {
      in: (directory): HiddenNames => {
        const place = this.#rulesOf(directory, question);
        if (place.rule !== undefined) return 'all';
        if (place.judges.every((judges) => judges.length === 0)) return 'nothing';
        return (name, isDirectory) => ruleIn(place, name, isDirectory) !== undefined;
      },
    };
  }

  /** Every line that hides something, for files known only as a pattern. */
  get rules(): readonly Rule[] {
    if (this.#freshList === undefined) {
      const directories: string[] = [];
      walk(this.#roots(), (directory, entries) => {
        if (this.#hasIgnoreFile(entries)) directories.push(directory);
        return searchedBelow(directory, entries, this.#roots());
      });
      this.#keepList(directories);
    }
    return this.#listedRules();
  }

  /** `rules`, without keeping the event loop busy. */
  async listRules(): Promise<readonly Rule[]> {
    if (this.#freshList === undefined) {
      const turns = new Turns();
      const directories: string[] = [];
      const waiting = [...this.#roots()];
      for (let at = 0; at < Math.min(waiting.length, mostDirectories); at += 1) {
        const directory = waiting[at] ?? '';
        const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
        if (this.#hasIgnoreFile(entries)) directories.push(directory);
        waiting.push(...searchedBelow(directory, entries, this.#roots()));
        await turns.pause();
      }
      this.#keepList(directories);
    }
    return this.#listedRules();
  }

  /** The topmost hidden paths below the session's directories. */
  hiddenPaths(): readonly string[] {
    if (this.rules.length === 0) return [];
    const paths: string[] = [];
    const question = new Question();
    walk(this.#roots(), (directory, entries) => {
      const place = this.#rulesOf(directory, question);
      const open: string[] = [];
      for (const entry of entries) {
        // A link shows no more than its target, which is checked itself.
        if (entry.isSymbolicLink()) continue;
        const path = join(directory, entry.name);
        const isHidden = place.rule ?? ruleIn(place, entry.name, entry.isDirectory());
        if (isHidden) paths.push(path);
        else if (entry.isDirectory() && !skipped.has(entry.name)) open.push(path);
      }
      return open.filter((path) => !this.#roots().includes(path));
    });
    return paths;
  }

  #rulesOf(directory: string, question: Question): DirectoryRules {
    const found = question.places.get(directory);
    if (found !== undefined) return found;
    const isTop = this.#topOf(directory, question) === directory;
    const outer = isTop ? undefined : this.#rulesOf(dirname(directory), question);
    const rule = outer && (outer.rule ?? ruleIn(outer, basename(directory), true));
    const exists = outer?.exists !== false && statOf(directory, statSync)?.isDirectory() === true;
    const place = rule ? { exists, rule, judges: [], files: [] } : this.#enter(directory, outer, exists);
    question.places.set(directory, place);
    return place;
  }

  #enter(directory: string, outer: DirectoryRules | undefined, exists: boolean): DirectoryRules {
    const { names, userFile } = this.#sources;
    const own = [
      // No other file can re-include what the user's file hides.
      outer === undefined ? this.#load(userFile, directory) : undefined,
      ...names.map((name) => (exists ? this.#load(join(directory, name), directory) : undefined)),
    ];
    const files = own.map((rules, kind) => {
      const above = outer?.files[kind] ?? [];
      return rules === undefined ? above : [{ directory, rules }, ...above];
    });
    const judges = files.map((ofKind) =>
      ofKind.map((file) => file.rules.in(directory.slice(file.directory.length).split(sep).filter(Boolean))),
    );
    return { exists, judges, files };
  }

  /** The highest directory whose ignore files matter for the files in one. */
  #topOf(directory: string, { tops }: Question): string {
    const root = this.#roots()
      .filter((one) => isWithin(one, directory))
      .sort(shorterFirst)[0];
    const start = root ?? directory;
    const top = tops.get(start) ?? repositoryOf(start) ?? start;
    tops.set(start, top);
    return top;
  }

  #roots(): readonly string[] {
    const { cwd, additional } = this.#sources.workspace;
    return [cwd, ...additional];
  }

  #load(file: string, directory: string): IgnoreRules<LoadedLine> | undefined {
    const stats = statOf(file, statSync);
    if (stats === undefined || stats.isDirectory()) return undefined;
    const key = `${file}\0${directory}`;
    const version = [stats.ino, stats.size, stats.mtimeMs, stats.ctimeMs].join(':');
    const known = this.#parsed.get(key);
    if (known?.version === version) return known.rules;
    const ignoreCase = this.#ignoresCase(directory);
    const fold = (text: string) => (ignoreCase ? text.normalize('NFC').toLowerCase() : text.normalize('NFC'));
    const complete = (line: IgnoreLine) => ({ ...line, rule: this.#ruleOf(line, file, directory) });
    const rules = readRules(file, complete, fold);
    this.#parsed.set(key, { version, rules });
    return rules;
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

  get #freshList(): readonly string[] | undefined {
    const listed = this.#listed;
    const isFresh = listed?.roots === this.#roots().join('\0') && Date.now() - listed.at <= listedForMs;
    return isFresh ? listed.directories : undefined;
  }

  #keepList(directories: readonly string[]): void {
    this.#listed = { at: Date.now(), roots: this.#roots().join('\0'), directories };
  }

  #hasIgnoreFile(entries: readonly Dirent[]): boolean {
    return entries.some(({ name }) => this.#sources.names.includes(name));
  }

  #listedRules(): readonly Rule[] {
    const { names, userFile } = this.#sources;
    const question = new Question();
    const above = this.#roots().flatMap((root) => directoriesUpTo(this.#topOf(root, question), root));
    return [...new Set([...above, ...(this.#listed?.directories ?? [])])].flatMap((directory) => {
      const own = names.map((name) => this.#load(join(directory, name), directory));
      const isTop = this.#topOf(directory, question) === directory;
      const files = [...own, isTop ? this.#load(userFile, directory) : undefined];
      return files.flatMap((file) =>
        (file?.lines ?? []).flatMap(({ isNegated, rule }) => (isNegated ? [] : [rule])).reverse(),
      );
    });
  }
}

/** Knowledge kept while one question is answered. */
class Question {
  readonly places = new Map<string, DirectoryRules>();
  readonly tops = new Map<string, string>();
}

/** The line that hides a name in a directory: of each kind, the nearest file that says anything decides. */
function ruleIn({ judges }: DirectoryRules, name: string, isDirectory: boolean): Rule | undefined {
  for (const ofKind of judges) {
    for (const judge of ofKind) {
      const line = judge(name, isDirectory);
      if (line === undefined) continue;
      if (!line.isNegated) return line.rule;
      break;
    }
  }
  return undefined;
}

/** Visits directories, nearest first, up to the limit. */
function walk(
  roots: readonly string[],
  visit: (directory: string, entries: readonly Dirent[]) => readonly string[],
): void {
  const waiting = [...roots];
  for (let at = 0; at < Math.min(waiting.length, mostDirectories); at += 1) {
    const directory = waiting[at] ?? '';
    waiting.push(
      ...visit(
        directory,
        orElse(() => readdirSync(directory, { withFileTypes: true }), []),
      ),
    );
  }
}

/** The directories in one that may hold ignore files of the session. */
function searchedBelow(directory: string, entries: readonly Dirent[], roots: readonly string[]): string[] {
  return entries
    .filter((entry) => entry.isDirectory() && !skipped.has(entry.name))
    .map(({ name }) => childPath(directory, name))
    .filter((path) => !roots.includes(path));
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

/** A file that cannot be read hides everything, because its content is unknown. */
function readRules(
  file: string,
  complete: (line: IgnoreLine) => LoadedLine,
  fold: (text: string) => string,
): IgnoreRules<LoadedLine> {
  try {
    const text = readRegularFileSync(file, { largest: largestIgnoreFile }).toString();
    return new IgnoreRules(text, complete, fold);
  } catch (thrown) {
    const isLarge =
      thrown instanceof IgnoreFileTooLarge || (thrown as NodeJS.ErrnoException).code === 'EFBIG';
    const text = isLarge ? `* (all, since it has more than ${ignoreFileLimit})` : '*';
    return new IgnoreRules('*', (line) => complete({ ...line, text }), fold);
  }
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
