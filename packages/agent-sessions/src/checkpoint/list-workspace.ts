import { isUtf8 } from 'node:buffer';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { askGit, type GitFailure, orElse, repositoryOf } from '@robota-sdk/agent-core';

/** More files than this are not watched. */
const mostFiles = 20_000;

/** Slower listings are abandoned. */
const longestListingMs = 1_000;

const largestListing = 16 * 1024 * 1024;

/** The files below a directory. */
export interface Listing {
  /** By path relative to the root: the blob that the index of the root's own repository names, if any. */
  readonly files: ReadonlyMap<string, string | undefined>;
  /** Relative paths that are not UTF-8; nothing is saved for them. */
  readonly undecodable: readonly Buffer[];
  /** Why there is no listing. */
  readonly refusal?: string;
}

interface Found {
  readonly files: Map<string, string | undefined>;
  readonly undecodable: Buffer[];
}

/** A running listing: a folder below the root, and its deadline. */
interface Search {
  readonly root: string;
  readonly place: string;
  readonly deadline: number;
}

/**
 * Lists the files a command may change and that are worth keeping: in a repository those that are tracked or not ignored,
 * elsewhere all but a few directories that are made by machines. Repositories, worktrees and submodules inside one are
 * listed in the same way. Links are listed, never followed.
 */
export async function listWorkspace(root: string): Promise<Listing> {
  const found: Found = { files: new Map(), undecodable: [] };
  const deadline = Date.now() + longestListingMs;
  const waiting = [''];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const search = { root, place, deadline };
    const hasGit = place === '' ? repositoryOf(root) !== undefined : existsSync(join(root, place, '.git'));
    const inside = hasGit ? await listByGit(search, found) : 'failed';
    const end = inside === 'failed' ? await listByWalking(search, found) : inside;
    if (end === 'stopped') return tooSlow(root);
    if (found.files.size > mostFiles) return tooMany(root);
    waiting.push(...end);
  }
  return found;
}

/** Adds the files of a repository; returns the repositories in it, which git does not look into. */
async function listByGit({ root, place, deadline }: Search, found: Found): Promise<string[] | GitFailure> {
  const timeoutMs = deadline - Date.now();
  if (timeoutMs <= 0) return 'stopped';
  const args = ['ls-files', '-z', '-t', '--stage', '--cached', '--others', '--exclude-standard'];
  const output = await askGit(args, { cwd: join(root, place), timeoutMs, maximumBytes: largestListing });
  if (typeof output === 'string') return output;
  const inside: string[] = [];
  const prefix = place === '' ? '' : `${place}/`;
  const isText = isUtf8(output);
  for (const line of output.toString(isText ? 'utf8' : 'latin1').split('\0')) {
    const listed = parseLine(line);
    if (listed === undefined) continue;
    const path = isText ? listed.path : decoded(listed.path);
    if (path === undefined)
      found.undecodable.push(Buffer.concat([Buffer.from(prefix), Buffer.from(listed.path, 'latin1')]));
    else if (listed.isRepository) inside.push(`${prefix}${path.replace(/\/$/, '')}`);
    // Contents of nested repositories are not read from git.
    else found.files.set(`${prefix}${path}`, place === '' ? listed.blob : undefined);
  }
  return inside;
}

interface ListedLine {
  readonly path: string;
  readonly blob: string | undefined;
  readonly isRepository: boolean;
}

/** The mode of a submodule. */
const submodule = '160000';

function parseLine(line: string): ListedLine | undefined {
  const [, tag, mode, blob, rest = ''] = /^(\S) (?:(\d+) ([0-9a-f]+) \d\t)?([\s\S]*)$/.exec(line) ?? [];
  const isNew = tag === '?';
  // A new path has no mode before it, but its name may look like one.
  const path = isNew ? line.slice(2) : rest;
  if (path === '' || path === './' || path.startsWith('../') || (!isNew && mode === undefined))
    return undefined;
  // A trailing slash marks a nested repository.
  const isRepository = path.endsWith('/') || (!isNew && mode === submodule);
  return { path, blob: isNew ? undefined : blob, isRepository };
}

/** Decodes bytes read as Latin-1; undefined if they are not UTF-8. */
function decoded(bytes: string): string | undefined {
  const buffer = Buffer.from(bytes, 'latin1');
  return isUtf8(buffer) ? buffer.toString('utf8') : undefined;
}

const machineMade = new Set(['.git', '.hg', '.svn', '.jj', 'node_modules', '__pycache__', '.venv', '.cache']);
const directoriesPerBreath = 100;

async function listByWalking(
  { root, place, deadline }: Search,
  { files, undecodable }: Found,
): Promise<'stopped' | readonly string[]> {
  const waiting = [place];
  for (let seen = 1; waiting.length > 0; seen++) {
    const directory = waiting.pop() ?? '';
    const prefix = directory === '' ? '' : `${directory}/`;
    for (const entry of entriesOf(join(root, directory))) {
      if (!isUtf8(entry.name)) undecodable.push(Buffer.concat([Buffer.from(prefix), entry.name]));
      else {
        const name = entry.name.toString('utf8');
        if (!entry.isDirectory()) files.set(`${prefix}${name}`, undefined);
        else if (!machineMade.has(name)) waiting.push(`${prefix}${name}`);
      }
    }
    if (files.size > mostFiles) return [];
    if (Date.now() > deadline) return 'stopped';
    if (seen % directoriesPerBreath === 0) await new Promise(setImmediate);
  }
  return [];
}

function entriesOf(directory: string) {
  return orElse(() => readdirSync(directory, { withFileTypes: true, encoding: 'buffer' }), []);
}

function tooMany(root: string): Listing {
  return refuse(`there are more than ${mostFiles.toLocaleString('en')} files in ${root}`);
}

function tooSlow(root: string): Listing {
  return refuse(`listing ${root} takes more than ${longestListingMs / 1000} s`);
}

function refuse(refusal: string): Listing {
  return { files: new Map(), undecodable: [], refusal };
}
