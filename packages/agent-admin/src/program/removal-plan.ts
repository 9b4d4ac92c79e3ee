import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, parse } from 'node:path';
import type { HostEnvironment } from '@robota-sdk/agent-config';
import { askGit, isWithin, orElse, robotaDirectories } from '@robota-sdk/agent-core';
import { commandFiles, type Installation, manualLinks } from './installation.ts';

/** The kinds of files that Robota leaves on a machine. */
type RemovalKind = 'program' | 'completions' | 'caches' | 'settings' | 'keys' | 'sessions';

/** Files of one kind. */
export interface RemovalPart {
  readonly kind: RemovalKind;
  readonly paths: readonly string[];
  readonly bytes: number;
  readonly isRemoved: boolean;
}

/** Everything that an uninstallation finds. */
export interface RemovalPlan {
  readonly parts: readonly RemovalPart[];
  /** Sentences on what is left to the user. */
  readonly notes: readonly string[];
}

/** Names in the user's folder of Robota, by kind; other names there are not ours. */
const names: Readonly<Record<Exclude<RemovalKind, 'program' | 'completions'>, string>> = {
  caches: 'cache toolchain packages logs temporary mcp links',
  keys: 'auth.json web',
  sessions: 'sessions history spending fleet checkpoints worktrees approvals.jsonl',
  settings:
    '.agentignore settings.json models.json keybindings.json trust.json warnings.json ' +
    'wasm-approvals.json mcp.json SYSTEM.md APPEND_SYSTEM.md AGENTS.md CLAUDE.md ROBOTA.md agents ' +
    'commands skills extensions plugins themes rules',
};

const kinds: readonly RemovalKind[] = ['program', 'completions', 'caches', 'settings', 'keys', 'sessions'];
const alwaysRemoved: ReadonlySet<RemovalKind> = new Set(['program', 'completions', 'caches']);

/** Finds what belongs to Robota; `all` also removes settings, keys and sessions. Nothing is followed out of our folders. */
export async function planRemoval(
  installation: Installation,
  { host, all }: { readonly host: HostEnvironment; readonly all: boolean },
): Promise<RemovalPlan> {
  const data = all ? await withoutWork(dataFiles(host)) : dataFiles(host);
  const found: Readonly<Record<RemovalKind, readonly string[]>> = {
    program: programFiles(installation),
    completions: completionFiles(host),
    ...data.found,
  };
  const parts = kinds
    .map((kind) => ({
      kind,
      paths: found[kind],
      bytes: found[kind].reduce((sum, path) => sum + sizeOf(path), 0),
      isRemoved: all || alwaysRemoved.has(kind),
    }))
    .filter(({ paths }) => paths.length > 0);
  return { parts, notes: [...programNotes(installation), ...data.notes, ...startFileNotes(host)] };
}

function programFiles({ kind, path }: Installation): readonly string[] {
  // The commands lead into the folder, so they go first.
  if (kind === 'npm') return [...commandFiles(path), ...manualLinks(path), path];
  return kind === 'executable' ? [path] : [];
}

function programNotes({ kind, path, removeWith }: Installation): readonly string[] {
  if (kind === 'npm' || kind === 'executable') return [];
  if (kind === 'clone') return [`The program is the clone ${path}. Delete that folder to remove it.`];
  const where = kind === 'project' ? ` (in ${path})` : '';
  return [
    removeWith === undefined
      ? `The program in ${path} is not touched. Remove it the way it was installed.`
      : `Remove the program with: ${removeWith}${where}`,
  ];
}

type DataKind = Exclude<RemovalKind, 'program' | 'completions'>;

interface FoundFiles {
  readonly found: Readonly<Record<DataKind, readonly string[]>>;
  readonly notes: readonly string[];
}

/** The user's folders of Robota: one, or those of XDG. */
function dataFiles(host: HostEnvironment): FoundFiles {
  const { layout, config, data, state, cache } = robotaDirectories(host);
  const folders =
    layout === 'single' ? [filesIn(config, host)] : [config, data, state].map((root) => filesIn(root, host));
  const of = (kind: DataKind) => folders.flatMap(({ found }) => found[kind]);
  const caches = layout === 'xdg' && namesIn(cache).length > 0 && !isLink(cache) ? [cache] : [];
  return {
    found: {
      caches: [...of('caches'), ...caches],
      settings: of('settings'),
      keys: of('keys'),
      sessions: of('sessions'),
    },
    notes: folders.flatMap(({ notes }) => notes),
  };
}

/** Leaves out worktrees that may hold work which is nowhere else. */
async function withoutWork({ found, notes }: FoundFiles): Promise<FoundFiles> {
  const root = found.sessions.find((path) => basename(path) === 'worktrees' && !isLink(path));
  if (root === undefined) return { found, notes };
  const all = namesIn(root).flatMap((project) =>
    namesIn(join(root, project)).map((name) => join(root, project, name)),
  );
  const held = await Promise.all(all.map(mayHoldWork));
  const kept = all.filter((_, index) => held[index]);
  if (kept.length === 0) return { found, notes };
  const others = found.sessions.filter((path) => path !== root);
  const note = `Kept, since there may be work in it: ${list(kept)}.`;
  return {
    found: { ...found, sessions: [...others, ...all.filter((path) => !kept.includes(path))] },
    notes: [...notes, note],
  };
}

/** True unless git says that nothing is changed, ignored or committed there alone. */
async function mayHoldWork(worktree: string): Promise<boolean> {
  if (isLink(worktree)) return false;
  const ask = (...args: string[]) =>
    askGit(args, { cwd: worktree, timeoutMs: 10_000, maximumBytes: 1_000_000 });
  const top = await ask('rev-parse', '--show-toplevel');
  if (typeof top === 'string' || basename(top.toString().trim()) !== basename(worktree)) return true;
  const own = `robota/${basename(worktree)}`;
  const answers = [
    await ask('status', '--porcelain', '--ignored'),
    await ask('rev-list', '-1', 'HEAD', '--not', '--remotes', '--tags', `--exclude=${own}`, '--branches'),
  ];
  return answers.some((answer) => typeof answer === 'string' || answer.length > 0);
}

/** A folder of Robota; one that is a link, or that holds the home itself, is left alone. */
function filesIn(root: string, host: HostEnvironment): FoundFiles {
  const none = { caches: [], settings: [], keys: [], sessions: [] };
  if (isLink(root)) return { found: none, notes: [`${root} is a link; its target is kept.`] };
  if (root === parse(root).root || isWithin(root, host.home))
    return { found: none, notes: [`${root} is not a folder of Robota alone, so nothing in it is removed.`] };
  const present = namesIn(root);
  const of = (kind: keyof typeof names) =>
    present.filter((name) => names[kind].split(' ').includes(name)).map((name) => join(root, name));
  const ours = new Set(Object.values(names).join(' ').split(' '));
  const others = present.filter((name) => !ours.has(name) && !name.endsWith('.lock'));
  const linked = present.filter((name) => ours.has(name) && isLink(join(root, name)));
  return {
    found: { caches: of('caches'), settings: of('settings'), keys: of('keys'), sessions: of('sessions') },
    notes: [
      ...linked.map(
        (name) => `${join(root, name)} is a link: only the link can be removed, never its target.`,
      ),
      ...(others.length === 0
        ? []
        : [`Not written by Robota, and kept: ${list(others.map((name) => join(root, name)))}.`]),
    ],
  };
}

/** Scripts for shells and the manual page, where we or package managers suggest to put them; only those of ours. */
function completionFiles({ env, home }: HostEnvironment): readonly string[] {
  const { XDG_CONFIG_HOME = '', XDG_DATA_HOME = '' } = env;
  const config = XDG_CONFIG_HOME || join(home, '.config');
  const data = XDG_DATA_HOME || join(home, '.local/share');
  return [
    join(config, 'fish/completions/robota.fish'),
    join(data, 'bash-completion/completions/robota'),
    join(data, 'zsh/site-functions/_robota'),
    join(home, '.zsh/completions/_robota'),
    join(data, 'man/man1/robota.1'),
  ].filter((file) => !isLink(file) && /completion for robota|^\.TH ROBOTA 1/m.test(read(file)));
}

/** Start files of shells belong to the user. */
function startFileNotes({ home }: HostEnvironment): readonly string[] {
  return ['.bashrc', '.zshrc', '.config/fish/config.fish']
    .map((name) => join(home, name))
    .filter((file) => read(file).includes('robota completion'))
    .map((file) => `Remove the line with "robota completion" from ${file} yourself.`);
}

/** Bytes below a path; links count nothing, and are not followed. */
function sizeOf(path: string): number {
  const info = lstatSync(path, { throwIfNoEntry: false });
  if (info === undefined || info.isSymbolicLink()) return 0;
  if (!info.isDirectory()) return info.size;
  return namesIn(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}

function isLink(path: string): boolean {
  return orElse(() => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false, false);
}

function namesIn(folder: string): readonly string[] {
  return orElse(() => readdirSync(folder).sort(), []);
}

function read(file: string): string {
  return orElse(() => readFileSync(file, 'utf8'), '');
}

/** The first few of many. */
function list(paths: readonly string[]): string {
  const more = paths.length - 3;
  return [...paths.slice(0, 3), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}
