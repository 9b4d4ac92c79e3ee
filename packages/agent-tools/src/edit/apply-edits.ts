import { AgentError } from '@robota-sdk/agent-core';
import { commonLength } from '@robota-sdk/agent-diff';
import { lineBreakOf, withLineFeeds } from '../files/text-file.ts';
import { commonSuffix, type Edit, findMatch, lineAt, type Match, type Replacement } from './find-match.ts';

export interface EditedText {
  readonly text: string;
  readonly replacements: number;
  /** Lines of the first replacements, each in the text before it. */
  readonly lines: readonly number[];
  /** Remarks for the model about inexact matches. */
  readonly notes: readonly string[];
}

/** Only so many replacements are reported to the model. */
const mostLines = 20;

/**
 * Applies edits one after another, all or none; bytes outside the changed parts stay the same, including line endings.
 */
export function applyEdits(original: string, edits: readonly Edit[]): EditedText {
  let text = original;
  let replacements = 0;
  const lines: number[] = [];
  const notes: string[] = [];
  for (const [index, edit] of edits.entries()) {
    const { match, source } = matchEdit(text, edit, { index, count: edits.length });
    replacements += match.replacements.length;
    for (const { start } of match.replacements.slice(0, mostLines)) lines.push(lineAt(source, start));
    if (match.note) notes.push(match.note);
    text = replaceAll(text, match.replacements);
  }
  return { text, replacements, lines, notes };
}

function matchEdit(
  text: string,
  edit: Edit,
  position: { readonly index: number; readonly count: number },
): { readonly match: Match; readonly source: string } {
  const unify = lineBreakOf(text) === '\r' ? withLineFeeds : (part: string) => part.replaceAll('\r\n', '\n');
  const normalized = { ...edit, old_string: unify(edit.old_string), new_string: unify(edit.new_string) };
  try {
    if (normalized.old_string === normalized.new_string) {
      throw new AgentError(
        'tool',
        'old_string and new_string are the same (line endings are always kept), so nothing would change.',
        { brief: 'no change' },
      );
    }
    if (normalized.old_string === '')
      throw new AgentError('tool', 'old_string is empty. Quote the text to replace.');
    const source = withLineFeeds(text);
    return { match: findMatch(source, normalized), source };
  } catch (thrown) {
    if (position.count === 1 || !AgentError.is(thrown)) throw thrown;
    const { brief } = thrown.problem;
    throw new AgentError('tool', `edits[${position.index}]: ${thrown.message}\nNone of the edits was made.`, {
      brief,
    });
  }
}

/** Applies replacements for the LF text to the text with its own line endings. */
function replaceAll(text: string, replacements: readonly Replacement[]): string {
  const source = withLineFeeds(text);
  const toOwn = offsetMapper(text, source);
  let result = '';
  let copied = 0;
  for (const replacement of replacements) {
    const before = source.slice(replacement.start, replacement.end);
    const head = commonLength(before, replacement.text);
    const tail = commonSuffix(before.slice(head), replacement.text.slice(head));
    const from = toOwn(replacement.start);
    const start = toOwn(replacement.start + head);
    const end = toOwn(replacement.end - tail);
    const to = toOwn(replacement.end);
    const inserted = replacement.text.slice(head, replacement.text.length - tail);
    result += text.slice(copied, start) + withEndings(inserted, endingsFor(text, { from, start, end, to }));
    copied = end;
  }
  return result + text.slice(copied);
}

/** Maps positions in the LF text to positions in the original; call it in ascending order. */
function offsetMapper(original: string, source: string): (offset: number) => number {
  if (original.length === source.length) return (offset) => offset;
  let extra = 0;
  let next = original.indexOf('\r\n');
  return (offset) => {
    while (next !== -1 && next < offset + extra) {
      extra += 1;
      next = original.indexOf('\r\n', next + 2);
    }
    return offset + extra;
  };
}

/** The change spans `start` to `end`, within the matched text from `from` to `to`. */
interface Extent {
  readonly from: number;
  readonly start: number;
  readonly end: number;
  readonly to: number;
}

/** The line endings of the replaced text, otherwise the nearest one: in the match, after it, before it. */
function endingsFor(text: string, { from, start, end, to }: Extent): readonly string[] {
  if (lineBreakOf(text) === '\r') return ['\r'];
  const replaced = text.slice(start, end).match(/\r?\n/g);
  if (replaced) return replaced;
  const matched = text.slice(from, to).match(/\r?\n/g);
  if (matched) return matched.slice(-1);
  const after = text.indexOf('\n', to);
  const at = after === -1 ? text.lastIndexOf('\n', from) : after;
  return [text[at - 1] === '\r' ? '\r\n' : '\n'];
}

function withEndings(text: string, endings: readonly string[]): string {
  const [first = '', ...rest] = text.split('\n');
  return rest.reduce(
    (result, line, index) => result + (endings[index] ?? endings.at(-1) ?? '\n') + line,
    first,
  );
}
