import path from 'node:path';
import type { Workspace } from '@robota-sdk/agent-shell';
import { globsOverlap, isInWorkspace, matchGlob, matchSteps } from '@robota-sdk/agent-shell';

/** How a pattern is read: `strict` for allow rules, `wide` for deny and ask rules. */
export type PathReading = 'strict' | 'wide';

export interface PathMatch {
  readonly workspace: Workspace;
  readonly reading: PathReading;
}

/**
 * True if a path pattern covers an absolute path. Patterns are those of `.gitignore`: a bare name matches at any depth,
 * a slash at the start or inside anchors at the working directory, `//` at the root, `~/` at home, `**` crosses
 * directories. A wide reading ignores letter case, Unicode form and the kind of slash, and includes everything below a
 * match; in a strict one, a bare name stays inside the workspace.
 */
export function matchPath(pattern: string, file: string, match: PathMatch): boolean {
  const { wanted, anyDepth } = readyPattern(pattern, match);
  if (match.reading === 'strict' && anyDepth && !isInWorkspace(file, match.workspace)) return false;
  const segments = segmentsOf(fold(file, match.reading));
  if (matchSegments(wanted, segments)) return true;
  if (!coversDescendants(wanted, match.reading)) return false;
  return matchSegments([...wanted, '**'], segments);
}

/** Tells for a directory what is hidden in it: everything, nothing, or the names that pass a test. */
export type HiddenNames = 'all' | 'nothing' | ((name: string, isDirectory: boolean) => boolean);

/**
 * Finds the names in a directory that patterns of deny rules hide. A pattern ends with one name, so it can only match there if all
 * before that name matches the directory: asked once, not for every file.
 */
export function deniedNames(
  patterns: readonly string[],
  workspace: Workspace,
): (directory: string) => HiddenNames {
  const prepared = patterns.map((pattern) => {
    const wanted = [...readyPattern(pattern, { workspace, reading: 'wide' }).wanted];
    while (wanted.at(-1) === '**') wanted.pop();
    return { tree: [...wanted, '**'], above: wanted.slice(0, -1), name: wanted.at(-1) };
  });
  return (directory) => {
    const segments = segmentsOf(fold(directory, 'wide'));
    if (prepared.some(({ tree }) => matchSegments(tree, segments))) return 'all';
    const names = prepared.flatMap(({ above, name = '' }) => (matchSegments(above, segments) ? [name] : []));
    return (name) => {
      // A backslash is a slash for deny rules.
      if (name.includes('\\'))
        return patterns.some((one) => matchPath(one, `${directory}/${name}`, { workspace, reading: 'wide' }));
      if (names.length === 0) return false;
      const folded = fold(name, 'wide');
      return names.some((one) => matchGlob(one, folded));
    };
  };
}

/** True if a path known only as a glob (`*` and `?` as the shell expands them) might be covered by a pattern. */
export function mayMatchPath(pattern: string, glob: string, match: PathMatch): boolean {
  const open = openPattern(pattern, match.workspace);
  const wanted = fold(glob, 'wide');
  return globsOverlap(open, wanted) || globsOverlap(`${open}/*`, wanted);
}

/** Like `mayMatchPath`, but without files below a match. */
export function mayBePath(pattern: string, glob: string, workspace: Workspace): boolean {
  return globsOverlap(openPattern(pattern, workspace), fold(glob, 'wide'));
}

/** Turns a pattern into one glob whose stars cross directories. */
function openPattern(pattern: string, workspace: Workspace): string {
  const segments = segmentsOf(fold(anchor(pattern, workspace).pattern, 'wide'));
  while (segments[segments.length - 1] === '**') segments.pop();
  return segments.map((segment) => (segment === '**' ? '*' : `/${segment}`)).join('');
}

interface ReadyPattern {
  readonly wanted: readonly string[];
  readonly anyDepth: boolean;
}

const readyPatterns = new WeakMap<Workspace, Map<string, ReadyPattern>>();

/** Splits a pattern into segments; cached, because the same few patterns are compared with every file. */
function readyPattern(pattern: string, { workspace, reading }: PathMatch): ReadyPattern {
  const known = readyPatterns.get(workspace) ?? new Map<string, ReadyPattern>();
  readyPatterns.set(workspace, known);
  const key = `${reading} ${pattern}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const { pattern: anchored, anyDepth } = anchor(pattern, workspace);
  const ready = { wanted: segmentsOf(fold(anchored, reading)), anyDepth };
  known.set(key, ready);
  return ready;
}

function anchor(pattern: string, workspace: Workspace): { pattern: string; anyDepth: boolean } {
  if (pattern.startsWith('//')) return { pattern: path.posix.normalize(pattern.slice(1)), anyDepth: false };
  if (pattern === '~' || pattern.startsWith('~/'))
    return { pattern: workspace.home + pattern.slice(1), anyDepth: false };
  const inner = pattern.replace(/(?<!\/)\/+$/, '');
  if (!inner.includes('/') && !pattern.startsWith('/')) return { pattern: `/**/${inner}`, anyDepth: true };
  if (pattern.startsWith('**/')) return { pattern: `/${pattern}`, anyDepth: true };
  return { pattern: path.posix.join(workspace.cwd, pattern), anyDepth: false };
}

function coversDescendants(wanted: readonly string[], reading: PathReading): boolean {
  // `Edit(src/*)` allows the files of src, not those in directories below it; in a deny list it covers them too.
  return reading === 'wide' || !(wanted[wanted.length - 1] ?? '').includes('*');
}

function segmentsOf(file: string): string[] {
  return file.split('/').filter((segment) => segment !== '');
}

/** A rule with the backslashes of Windows must protect the same files elsewhere. */
function fold(text: string, reading: PathReading): string {
  return reading === 'wide' ? text.normalize('NFC').toLowerCase().replaceAll('\\', '/') : text;
}

function matchSegments(wanted: readonly string[], segments: readonly string[]): boolean {
  return matchSteps(wanted, segments, '**', matchGlob);
}
