import path from 'node:path';
import type { Workspace } from '@robota-sdk/agent-shell';
import { globsOverlap, isInWorkspace, matchGlob } from '@robota-sdk/agent-shell';

/** How a pattern is read: `strict` where a match permits something, `wide` where it forbids. */
export type PathReading = 'strict' | 'wide';

export interface PathMatch {
  readonly workspace: Workspace;
  readonly reading: PathReading;
}

/**
 * True if a path pattern covers an absolute path. Patterns are those of `.gitignore`: a bare name stands at
 * any depth, a slash at the start or inside anchors at the working directory, `//` at the root, `~/` at home,
 * `**` crosses directories. Read widely, letter case and Unicode form don't matter and what lies below a
 * match belongs to it; read strictly, a bare name stays inside the workspace.
 */
export function matchPath(pattern: string, file: string, match: PathMatch): boolean {
  const { wanted, anyDepth } = readyPattern(pattern, match);
  if (match.reading === 'strict' && anyDepth && !isInWorkspace(file, match.workspace)) return false;
  const segments = segmentsOf(fold(file, match.reading));
  if (matchSegments(wanted, segments)) return true;
  if (!coversDescendants(wanted, match.reading)) return false;
  return matchSegments([...wanted, '**'], segments);
}

/**
 * True if a path known only as a glob (`*` and `?` as the shell expands them) might be covered by a pattern.
 */
export function mayMatchPath(pattern: string, glob: string, match: PathMatch): boolean {
  const open = openPattern(pattern, match.workspace);
  const wanted = fold(glob, 'wide');
  return globsOverlap(open, wanted) || globsOverlap(`${open}/*`, wanted);
}

/** The same for what a pattern names itself, not for what lies below it. */
export function mayBePath(pattern: string, glob: string, workspace: Workspace): boolean {
  return globsOverlap(openPattern(pattern, workspace), fold(glob, 'wide'));
}

/** A pattern as one glob whose stars cross directories. */
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

/** A pattern cut into segments; the same few patterns are compared with every file of a workspace. */
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
  // `Edit(src/*)` permits the files of src, not of every directory below it; the same words in a deny list reach them.
  return reading === 'wide' || !(wanted[wanted.length - 1] ?? '').includes('*');
}

function segmentsOf(file: string): string[] {
  return file.split('/').filter((segment) => segment !== '');
}

function fold(text: string, reading: PathReading): string {
  return reading === 'wide' ? text.normalize('NFC').toLowerCase() : text;
}

/** Matches segment by segment; only the last `**` is ever reconsidered, so the cost is at most the product. */
function matchSegments(wanted: readonly string[], segments: readonly string[]): boolean {
  let at = 0;
  let position = 0;
  let resumeAt = -1;
  let resumePosition = 0;
  while (position < segments.length) {
    if (wanted[at] === '**') {
      resumeAt = at + 1;
      resumePosition = position;
      at += 1;
      continue;
    }
    if (at < wanted.length && matchGlob(wanted[at] ?? '', segments[position] ?? '')) {
      at += 1;
      position += 1;
      continue;
    }
    if (resumeAt === -1) return false;
    resumePosition += 1;
    at = resumeAt;
    position = resumePosition;
  }
  return wanted.slice(at).every((segment) => segment === '**');
}
