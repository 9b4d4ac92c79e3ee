import { alignChanges } from './align-changes.ts';
import { compareLists, type ListChange } from './compare-lists.ts';
import type { DiffLine, FileDiff } from './diff-line.ts';

/** The two states of a file; a missing one means that there is no file. */
export interface FileStates {
  readonly path: string;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

export interface DiffTextsOptions {
  /** How many unchanged lines are shown around a change. */
  readonly context?: number;
}

/** Compares two states of a file by lines. Line breaks count, except that a file of CRLF lines is read as one of LF. */
export function diffTexts(
  { path, before, after }: FileStates,
  { context = 3 }: DiffTextsOptions = {},
): Required<Pick<FileDiff, 'change' | 'added' | 'removed'>> & FileDiff {
  const [old, now] = linesOfBoth(before ?? '', after ?? '');
  const pair = { before: old, after: now };
  const changes = alignChanges(compareLists(old, now), pair);
  const change = before === undefined ? 'create' : after === undefined ? 'delete' : 'edit';
  const added = changes.reduce((sum, { newStart, newEnd }) => sum + newEnd - newStart, 0);
  const removed = changes.reduce((sum, { oldStart, oldEnd }) => sum + oldEnd - oldStart, 0);
  return { path, change, added, removed, lines: new HunkBuilder(old, now, context).build(changes) };
}

/** The lines of two texts, each with its line break. */
function linesOfBoth(before: string, after: string): readonly [readonly string[], readonly string[]] {
  const unify = unifierFor(before, after);
  return [linesOf(unify(before)), linesOf(unify(after))];
}

function linesOf(text: string): readonly string[] {
  if (text === '') return [];
  const parts = text.split('\n');
  const last = parts.pop() ?? '';
  const lines = parts.map((line) => `${line}\n`);
  if (last !== '') lines.push(last);
  return lines;
}

function unifierFor(before: string, after: string): (text: string) => string {
  if (!before.includes('\r') && !after.includes('\r')) return (text) => text;
  const both = [before, after];
  if (both.every((text) => !/(?<!\r)\n|\r(?!\n)/.test(text))) return (text) => text.replaceAll('\r\n', '\n');
  if (both.every((text) => !text.includes('\n'))) return (text) => text.replaceAll('\r', '\n');
  return (text) => text;
}

/** Writes changes as lines, with those around them, and gaps for the unchanged lines between hunks. */
class HunkBuilder {
  readonly #old: readonly string[];
  readonly #now: readonly string[];
  readonly #context: number;
  readonly #lines: DiffLine[] = [];

  constructor(old: readonly string[], now: readonly string[], context: number) {
    this.#old = old;
    this.#now = now;
    this.#context = context;
  }

  build(changes: readonly ListChange[]): readonly DiffLine[] {
    let shownTo = 0;
    for (const [index, change] of changes.entries()) {
      shownTo = this.#addContext(shownTo, change.newStart - this.#context, index > 0);
      for (let line = shownTo; line < change.newStart; line++) this.#add('context', this.#now[line], line);
      for (let line = change.oldStart; line < change.oldEnd; line++)
        this.#add('removed', this.#old[line], line);
      for (let line = change.newStart; line < change.newEnd; line++)
        this.#add('added', this.#now[line], line);
      shownTo = change.newEnd;
    }
    if (changes.length > 0) this.#addContext(shownTo, this.#now.length, false);
    return this.#lines;
  }

  /** Adds what follows a change, and a gap up to the next one; returns the first line that is not shown yet. */
  #addContext(from: number, next: number, hasGap: boolean): number {
    if (!hasGap && this.#lines.length === 0) return Math.max(0, next);
    const end = Math.min(from + this.#context, this.#now.length);
    // A gap line would take as much room as the one line that it hides.
    if (hasGap && next - end <= 1) return from;
    for (let line = from; line < end; line++) this.#add('context', this.#now[line], line);
    if (!hasGap) return end;
    this.#lines.push({ kind: 'gap', text: '', hidden: next - end });
    return next;
  }

  #add(kind: 'added' | 'removed' | 'context', line = '', index = 0): void {
    const isEnded = line.endsWith('\n');
    const text = isEnded ? line.slice(0, -1) : line;
    this.#lines.push({ kind, text, line: index + 1, ...(isEnded ? {} : { noNewline: true }) });
  }
}
