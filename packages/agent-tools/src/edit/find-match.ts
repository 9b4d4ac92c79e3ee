import { AgentError } from '@robota-sdk/agent-core';
import { commonLength } from '@robota-sdk/agent-diff';
import { indentMapper } from './indent-mapper.ts';
import { describeNearest } from './nearest-block.ts';

/** One replacement of a call. */
export interface Edit {
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all?: boolean;
}

/** A part of the text and its replacement. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface Match {
  readonly replacements: readonly Replacement[];
  /** A note for the model if the match is not exact. */
  readonly note?: string;
}

/**
 * Finds an edit's text in a text with LF line endings: exactly if possible, otherwise with tolerance for typography,
 * trailing blanks and indentation, but then only if a single position matches. Throws with advice if nothing or too
 * much matches.
 */
export function findMatch(text: string, edit: Edit): Match {
  const exact = allIndexes(text, edit.old_string, { overlapping: !edit.replace_all });
  if (exact.length > 1 && !edit.replace_all) throw explainMany(text, exact);
  if (exact.length > 0) {
    const length = edit.old_string.length;
    return { replacements: exact.map((start) => ({ start, end: start + length, text: edit.new_string })) };
  }
  const tolerant = findTypography(text, edit) ?? findLines(text, edit);
  if (tolerant) return tolerant;
  const hint = hasLineNumbers(edit.old_string) ? 'Leave out the line numbers. ' : '';
  throw new AgentError('tool', `old_string was not found. ${hint}${describeNearest(text, edit.old_string)}`, {
    brief: 'text not found',
  });
}

/** True if every line starts as Read shows it: with its number and a tab. */
function hasLineNumbers(text: string): boolean {
  return text.trim() !== '' && text.split('\n').every((line) => line.trim() === '' || /^\s*\d+\t/.test(line));
}

function allIndexes(
  text: string,
  part: string,
  { overlapping }: { readonly overlapping: boolean },
): number[] {
  const indexes: number[] = [];
  const step = overlapping ? 1 : part.length;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + step)) indexes.push(at);
  return indexes;
}

function explainMany(text: string, indexes: readonly number[]): AgentError {
  const lines = indexes.slice(0, 10).map((index) => lineAt(text, index));
  const more = indexes.length > lines.length ? ', ...' : '';
  const places = `old_string occurs ${indexes.length} times (lines ${lines.join(', ')}${more}).`;
  const advice = 'Add surrounding lines to make it unique, or set replace_all.';
  return new AgentError('tool', `${places} ${advice}`, { brief: `text found ${indexes.length} times` });
}

/** The line number of an index. */
export function lineAt(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < index; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}

// Each maps one character to one, so that positions stay the same.
const typography: readonly [RegExp, string][] = [
  [/[\u2018\u2019\u201a\u201b]/g, "'"],
  [/[\u201c\u201d\u201e\u201f]/g, '"'],
  [/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, ' '],
  [/[\u2010-\u2015\u2212]/g, '-'],
];

function plain(text: string): string {
  return typography.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), text);
}

function findTypography(text: string, edit: Edit): Match | undefined {
  const old = plain(edit.old_string);
  const [start, ...others] = allIndexes(plain(text), old, { overlapping: true });
  if (start === undefined || others.length > 0) return undefined;
  // Replaces only what the edit changes: the rest keeps the file's own characters.
  const head = commonLength(edit.old_string, edit.new_string);
  const tail = commonSuffix(edit.old_string.slice(head), edit.new_string.slice(head));
  const replacement = {
    start: start + head,
    end: start + old.length - tail,
    text: edit.new_string.slice(head, edit.new_string.length - tail),
  };
  return {
    replacements: [replacement],
    note: `Line ${lineAt(text, start)} matched although quotes, dashes or special spaces differ from old_string.`,
  };
}

/** Length of the common suffix of two texts. */
export function commonSuffix(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a.at(-1 - length) === b.at(-1 - length)) length += 1;
  return length;
}

interface LineStyle {
  readonly name: string;
  readonly key: (line: string) => string;
}

const lineStyles: readonly LineStyle[] = [
  { name: 'trailing blanks differ', key: (line) => plain(line).trimEnd() },
  { name: 'indentation differs', key: (line) => plain(line).trim() },
];

function findLines(text: string, edit: Edit): Match | undefined {
  if (edit.old_string.trim() === '') return undefined;
  const lines = text.split('\n');
  const old = withoutLastBreak(edit.old_string).split('\n');
  for (const style of lineStyles) {
    const starts = findBlocks(lines, old, style);
    if (starts.length > 1) return undefined;
    if (starts[0] !== undefined) return lineMatch(lines, starts[0], { edit, old, style });
  }
  return undefined;
}

function withoutLastBreak(text: string): string {
  return text.endsWith('\n') ? text.slice(0, -1) : text;
}

function findBlocks(lines: readonly string[], old: readonly string[], { key }: LineStyle): number[] {
  const keys = lines.map(key);
  const oldKeys = old.map(key);
  const starts: number[] = [];
  for (let start = 0; start + old.length <= lines.length; start += 1) {
    if (oldKeys.every((line, index) => keys[start + index] === line)) starts.push(start);
  }
  return starts;
}

function lineMatch(
  lines: readonly string[],
  first: number,
  { edit, old, style }: { readonly edit: Edit; readonly old: readonly string[]; readonly style: LineStyle },
): Match | undefined {
  const found = lines.slice(first, first + old.length);
  const mapIndent = indentMapper(found.map((line, index) => [old[index] ?? '', line]));
  if (!mapIndent) return undefined;
  const next = withoutLastBreak(edit.new_string).split('\n');
  const head = commonLength(old, next);
  const tail = commonLength(old.slice(head).reverse(), next.slice(head).reverse());
  const adapted = next.slice(head, next.length - tail).map(mapIndent);
  const kept = [...found.slice(0, head), ...adapted, ...found.slice(found.length - tail, found.length)];
  const start = lines.slice(0, first).reduce((sum, line) => sum + line.length + 1, 0);
  const end = start + found.join('\n').length;
  const last = first + old.length;
  const place = old.length === 1 ? `Line ${last}` : `Lines ${first + 1}-${last}`;
  const change = breakChange(edit);
  const isAtEnd = last === lines.length;
  return {
    replacements: [
      {
        start,
        end: change === 'removed' && !isAtEnd ? end + 1 : end,
        text: kept.join('\n') + (change === 'added' ? '\n' : ''),
      },
    ],
    note: `${place} matched although ${style.name} from old_string; new lines follow the file.`,
  };
}

/** The effect of an edit on the line break at its end. */
function breakChange(edit: Edit): 'added' | 'removed' | 'none' {
  const before = edit.old_string.endsWith('\n');
  const after = edit.new_string.endsWith('\n');
  if (before === after) return 'none';
  return after ? 'added' : 'removed';
}
