import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type GitFailure, isInRepository, runGit } from './run-git.ts';

/** More files than this are not watched. */
const mostFiles = 20_000;

/** A listing that takes longer is given up. */
const longestListingMs = 1_000;

const largestListing = 16 * 1024 * 1024;

/** The files below a directory. */
export interface Listing {
  /** By path relative to the root: the blob that git's index names, if any. */
  readonly files: ReadonlyMap<string, string | undefined>;
  /** Why there are none. */
  readonly refusal?: string;
}

/**
 * Lists the files a command may change and that are worth keeping: in a repository those that are tracked or not ignored,
 * elsewhere all but a few directories that are made by machines. Links are listed, never followed.
 */
export async function listWorkspace(root: string): Promise<Listing> {
  const files = isInRepository(root) ? await listByGit(root) : 'failed';
  if (files === 'stopped') return tooSlow(root);
  const listing = files === 'failed' ? await listByWalking(root) : { files };
  return listing.files.size <= mostFiles ? listing : tooMany(root);
}

async function listByGit(root: string): Promise<Map<string, string | undefined> | GitFailure> {
  const args = ['ls-files', '-z', '-t', '--stage', '--cached', '--others', '--exclude-standard'];
  const output = await runGit(args, {
    cwd: root,
    timeoutMs: longestListingMs,
    maximumBytes: largestListing,
  });
  if (typeof output === 'string') return output;
  const files = new Map<string, string | undefined>();
  for (const line of output.toString('utf8').split('\0')) {
    const [, tag, tracked, path = ''] = /^(\S) (?:((?:\d+) [0-9a-f]+ \d)\t)?([\s\S]*)$/.exec(line) ?? [];
    // A directory at the end is a repository of its own.
    if (path === '' || path.endsWith('/')) continue;
    if (tag === '?') files.set(line.slice(2), undefined);
    else if (tracked !== undefined) files.set(path, tracked.split(' ')[1]);
  }
  return files;
}

const machineMade = new Set(['.git', '.hg', '.svn', '.jj', 'node_modules', '__pycache__', '.venv', '.cache']);
const directoriesPerBreath = 100;

async function listByWalking(root: string): Promise<Listing> {
  const deadline = Date.now() + longestListingMs;
  const files = new Map<string, string | undefined>();
  const waiting = [''];
  for (let seen = 1; waiting.length > 0; seen++) {
    const directory = waiting.pop() ?? '';
    for (const entry of entriesOf(join(root, directory))) {
      const path = directory === '' ? entry.name : `${directory}/${entry.name}`;
      if (!entry.isDirectory()) files.set(path, undefined);
      else if (!machineMade.has(entry.name)) waiting.push(path);
    }
    if (files.size > mostFiles) return tooMany(root);
    if (Date.now() > deadline) return refuse(`listing ${root} takes more than ${longestListingMs / 1000} s`);
    if (seen % directoriesPerBreath === 0) await new Promise(setImmediate);
  }
  return { files };
}

function entriesOf(directory: string) {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
}

function tooMany(root: string): Listing {
  return refuse(`there are more than ${mostFiles.toLocaleString('en')} files in ${root}`);
}

function tooSlow(root: string): Listing {
  return refuse(`listing ${root} takes more than ${longestListingMs / 1000} s`);
}

function refuse(refusal: string): Listing {
  return { files: new Map(), refusal };
}
