import { lstatSync, readlinkSync } from 'node:fs';
import { dirname, isAbsolute, join, parse, sep } from 'node:path';
import { orElse } from '../problem/or-else.ts';
import type { PathProblem } from './path-problem.ts';

const isWindows = process.platform === 'win32';
const maxLinks = 40;

/** The result of resolving a path. */
export interface Walk {
  readonly real: string;
  readonly type: 'file' | 'directory' | 'other' | 'missing' | 'unknown';
  /** True if the last names do not exist and hold characters that would garble a terminal. */
  readonly hasControlCharacters: boolean;
  readonly problem?: PathProblem;
}

type Found = { readonly name: string; readonly type: Walk['type'] | 'link' };

/** Resolves all symlinks; for a missing path, those of its existing part. */
export function realPathOf(path: string): string {
  return walkPath(path).real;
}

/**
 * Resolves a path segment by segment, so that every directory and link on the way is seen. Synchronous, because
 * checking a directory entry costs far less than a trip through the thread pool. Relative paths start in the process's
 * working directory.
 */
export function walkPath(path: string): Walk {
  // Not `resolve`, which would remove `..` before the link before it is followed.
  const absolute = isAbsolute(path) ? path : join(process.cwd(), sep) + path;
  let { root: current } = parse(absolute);
  let type: Walk['type'] = 'directory';
  let links = 0;
  let hasControlCharacters = false;
  const names = namesOf(absolute.slice(current.length));
  const stop = (problem: PathProblem, ...rest: string[]): Walk => {
    return { real: join(current, ...rest, ...names), type: 'unknown', hasControlCharacters, problem };
  };
  for (let name = names.shift(); name !== undefined; name = names.shift()) {
    if (type === 'file' || type === 'other') return stop('NotADirectory', name);
    if (name === '..') {
      current = dirname(current);
      type = type === 'directory' ? type : typeOfReal(current);
      continue;
    }
    const found: Found = type === 'directory' ? find(current, name) : { name, type };
    if (found.type === 'link') {
      links += 1;
      if (links > maxLinks) return stop('SymlinkLoop', name);
      const target = targetOf(childPath(current, found.name));
      if (isAbsolute(target)) current = parse(target).root;
      names.unshift(...namesOf(isAbsolute(target) ? target.slice(current.length) : target));
      continue;
    }
    type = found.type;
    current = childPath(current, found.name);
    hasControlCharacters ||= type === 'missing' && isControl.test(name);
    if (isKernelPath(current, names[0])) return stop('OutsideWorkspace');
  }
  return { real: current, type, hasControlCharacters };
}

// Control characters, and those that reorder the text around them.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const isControl = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** Joins a directory and a name that are both normalized; `join` would scan every character again. */
export function childPath(directory: string, name: string): string {
  return directory.endsWith(sep) ? directory + name : directory + sep + name;
}

function namesOf(path: string): string[] {
  return path.split(isWindows ? /[\\/]/ : '/').filter((name) => name !== '' && name !== '.');
}

/** Looks a name up as given, then in the other Unicode forms of the same letters. */
function find(directory: string, name: string): Found {
  const type = typeOf(childPath(directory, name));
  if (type !== 'missing') return { name, type };
  for (const form of ['NFC', 'NFD'] as const) {
    const other = name.normalize(form);
    const otherType = other === name ? 'missing' : typeOf(childPath(directory, other));
    if (otherType !== 'missing') return { name: other, type: otherType };
  }
  return { name, type };
}

function typeOfReal(path: string): Walk['type'] {
  const type = typeOf(path);
  return type === 'link' ? 'unknown' : type;
}

function typeOf(path: string): Found['type'] {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (!stats) return 'missing';
    if (stats.isSymbolicLink()) return 'link';
    if (stats.isDirectory()) return 'directory';
    return stats.isFile() ? 'file' : 'other';
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'ENOTDIR' ? 'missing' : 'unknown';
  }
}

/** The target of a link; empty if it has vanished. */
function targetOf(link: string): string {
  return orElse(() => readlinkSync(link), '');
}

/** `/proc` and `/dev` lead to other processes and devices, whatever they resolve to; `/dev/shm` is plain memory. */
function isKernelPath(path: string, next: string | undefined): boolean {
  if (isWindows) return false;
  return path === '/proc' || (path === '/dev' && next !== 'shm');
}
