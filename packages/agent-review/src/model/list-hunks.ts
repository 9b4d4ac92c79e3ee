import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { countChanges, type DiffLine, diffTexts, hunksOf } from '@robota-sdk/agent-diff';
import type { FileVersions, ReviewFile, ReviewHunk } from './review-file.ts';

/** The hunks of a changed file; undefined if nothing changed. */
export function reviewFileOf(file: FileVersions, name: string): ReviewFile | undefined {
  const { path, before, after, refusal } = file;
  if (before === undefined && after === undefined) return undefined;
  if (before && after && before.equals(after)) return undefined;
  const known = { path, name, ...(refusal === undefined ? {} : { refusal }) };
  const change = before === undefined ? 'create' : after === undefined ? 'delete' : 'edit';
  if (isBinary(before) || isBinary(after)) {
    const binary = {
      ...(before === undefined ? {} : { before: before.length }),
      ...(after === undefined ? {} : { after: after.length }),
    };
    const hunks = [wholeHunk(file, name, [])];
    const diff = { path: name, change, lines: [], added: 0, removed: 0 } as const;
    return { ...known, change, diff, hunks, added: 0, removed: 0, binary };
  }
  const diff = diffTexts({ path: name, before: before?.toString('utf8'), after: after?.toString('utf8') });
  const { added, removed } = diff;
  const lineEnd = hasCarriageReturns(file) ? ({ lineEnd: '\r\n' } as const) : {};
  return { ...known, change, diff, hunks: hunksIn(file, name, diff.lines), added, removed, ...lineEnd };
}

/** The lines of a text, each with its line break. */
function linesOf(text: string): readonly string[] {
  const lines = text.split('\n');
  const last = lines.pop() ?? '';
  return [...lines.map((line) => `${line}\n`), ...(last === '' ? [] : [last])];
}

/** The new content of a file without some of its hunks; undefined if there is no file then. */
export function contentWithout(
  file: FileVersions,
  hunks: readonly ReviewHunk[],
  taken: ReadonlySet<ReviewHunk>,
): Buffer | undefined {
  if (taken.size === 0) return file.after;
  if (hunks.every((hunk) => taken.has(hunk))) return file.before;
  const old = linesOf(file.before?.toString('utf8') ?? '');
  const now = linesOf(file.after?.toString('utf8') ?? '');
  const parts: string[] = [];
  let at = 0;
  for (const hunk of hunks) {
    if (!taken.has(hunk)) continue;
    parts.push(...now.slice(at, hunk.now.start), ...old.slice(hunk.old.start, hunk.old.end));
    at = hunk.now.end;
  }
  return Buffer.from([...parts, ...now.slice(at)].join(''));
}

function isBinary(bytes: Buffer | undefined): boolean {
  return bytes !== undefined && (bytes.includes(0) || !isUtf8(bytes));
}

function hunksIn(file: FileVersions, name: string, lines: readonly DiffLine[]): readonly ReviewHunk[] {
  const groups = hunksOf(lines);
  if (groups.length === 0 || !isSplitAtLineFeeds(file)) return [wholeHunk(file, name, lines)];
  const keys = new HunkKeys(name);
  let shift = 0;
  return groups.map((group) => {
    const counts = countChanges({ lines: group });
    const context = group.length - counts.added - counts.removed;
    const [first] = group;
    const number = (first?.line ?? 1) - 1;
    const start = first?.kind === 'removed' ? number : number - shift;
    const oldRange = { start, end: start + context + counts.removed };
    const nowRange = { start: start + shift, end: start + shift + context + counts.added };
    shift += counts.added - counts.removed;
    const key = keys.next(textOf(group, 'removed'), textOf(group, 'added'));
    return { key, lines: group, ...counts, old: oldRange, now: nowRange };
  });
}

/** Files whose only line breaks are carriage returns are compared by those, and taken back as a whole. */
function isSplitAtLineFeeds({ before, after }: FileVersions): boolean {
  const both = [before, after].flatMap((bytes) => bytes ?? []);
  return both.some((bytes) => bytes.includes(0x0a)) || !both.some((bytes) => bytes.includes(0x0d));
}

/** True if every line of both contents ends with a carriage return and a line feed. */
function hasCarriageReturns({ before, after }: FileVersions): boolean {
  const texts = [before, after].flatMap((bytes) => (bytes === undefined ? [] : bytes.toString('utf8')));
  return (
    texts.some((text) => text.includes('\r\n')) && !texts.some((text) => /(?<!\r)\n|\r(?!\n)/.test(text))
  );
}

function wholeHunk(file: FileVersions, name: string, lines: readonly DiffLine[]): ReviewHunk {
  const sideOf = (bytes: Buffer | undefined) => bytes?.toString('latin1') ?? '';
  const key = new HunkKeys(name).next(sideOf(file.before), sideOf(file.after));
  const none = { start: 0, end: 0 };
  return { key, lines, ...countChanges({ lines }), old: none, now: none };
}

function textOf(lines: readonly DiffLine[], wanted: DiffLine['kind']): string {
  return lines.flatMap(({ kind, text }) => (kind === wanted ? [text] : [])).join('\n');
}

/** Keys of hunks: the same change in the same file has the same one, the second time another. */
class HunkKeys {
  readonly #name: string;
  readonly #seen = new Map<string, number>();

  constructor(name: string) {
    this.#name = name;
  }

  next(old: string, now: string): string {
    const text = JSON.stringify([this.#name, old, now]);
    const digest = createHash('sha256').update(text).digest('hex').slice(0, 16);
    const count = this.#seen.get(digest) ?? 0;
    this.#seen.set(digest, count + 1);
    return count === 0 ? digest : `${digest}-${count}`;
  }
}
