import { changeFiles, type FileEdits, type TextEdit } from '../engine/change-files.ts';
import { explainFailure } from '../engine/explain-failure.ts';
import { failed, type Plan } from '../engine/plan.ts';
import { escapePattern, type FileText, parsePaths } from '../engine/tool-output.ts';
import type { Intent } from './intent.ts';
import { grep, inPlace } from './search-text.ts';

const thing =
  '[(function|class|variable|method|symbol|type|interface|constant|const|identifier|component|struct|enum|property|field)]';

/** "rename function foo to bar": whole words only, in every file. */
export const renameSymbolIntent: Intent = {
  name: 'rename a symbol',
  examples: ['rename function loadConfig to readConfig'],
  patterns: [
    `rename ${thing} {from:identifier} (to|into|as) {to:identifier} [(in|under|within) {path:path}]`,
    `rename ${thing} {from:identifier} (to|into|as) {to:identifier} (everywhere|in all files)`,
  ],
  plan: ({ from = '', to = '', path }) =>
    rename({ from: from.replace(/\(\)$/, ''), to: to.replace(/\(\)$/, ''), path }),
};

function* rename({ from, to, path }: { from: string; to: string; path: string | undefined }): Plan {
  if (from === to) return { text: 'Both names are the same; there is nothing to rename.' };
  const found = yield* grep({ pattern: wholeWord(from), output_mode: 'files' }, path);
  if (found.isError) return failed(explainFailure('Grep', found));
  const { paths, total } = parsePaths(found);
  if (paths.length === 0) {
    return { text: `The word \`${from}\` does not occur${inPlace(path)}. Nothing was changed.` };
  }
  const taken = yield* grep({ pattern: wholeWord(to), output_mode: 'files' }, path);
  if (taken.isError) return failed(explainFailure('Grep', taken));
  const [clash] = parsePaths(taken).paths;
  if (clash !== undefined) {
    const why = 'the two would be mixed up. Nothing was changed.';
    return failed(`\`${to}\` is already used, for example in ${clash}; ${why}`);
  }
  const change = (file: FileText) => wordChange(file, from, to);
  const answer = yield* changeFiles({ paths, total, done: `Renamed \`${from}\` to \`${to}\``, change });
  const caution = '\n\nThis goes by whole words, also in comments and strings; run the tests.';
  return answer.failed ? answer : { text: answer.text + caution };
}

function wholeWord(name: string): string {
  return `\\b${escapePattern(name)}\\b`;
}

/** Changes whole words only, by replacing just enough lines around each to be unique in the file. */
function wordChange({ lines }: FileText, from: string, to: string): FileEdits | undefined {
  const word = new RegExp(`(?<![\\p{L}\\p{N}_$])${escapePattern(from)}(?![\\p{L}\\p{N}_$])`, 'gu');
  const places = lines.reduce((sum, line) => sum + (line.match(word)?.length ?? 0), 0);
  if (places === 0) return undefined;
  const anywhere = lines.reduce((sum, line) => sum + line.split(from).length - 1, 0);
  if (anywhere === places) return { places, edit: { old_string: from, new_string: to, replace_all: true } };
  const ranges = mergeRanges(
    lines.flatMap((line, index) => (line.search(word) >= 0 ? [uniqueRange(lines, index)] : [])),
  );
  const edits = ranges.map(({ start, end }): TextEdit => {
    const text = lines.slice(start, end).join('\n');
    return { old_string: text, new_string: text.replace(word, () => to) };
  });
  return { places, edit: { edits } };
}

interface Range {
  readonly start: number;
  readonly end: number;
}

function uniqueRange(lines: readonly string[], index: number): Range {
  const whole = lines.join('\n');
  let start = index;
  let end = index + 1;
  while (start > 0 || end < lines.length) {
    const text = lines.slice(start, end).join('\n');
    if (whole.indexOf(text) === whole.lastIndexOf(text)) break;
    start = Math.max(0, start - 1);
    end = Math.min(lines.length, end + 1);
  }
  return { start, end };
}

function mergeRanges(ranges: readonly Range[]): readonly Range[] {
  const merged: Range[] = [];
  for (const range of ranges) {
    const last = merged.at(-1);
    if (last && range.start <= last.end)
      merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, range.end) };
    else merged.push(range);
  }
  return merged;
}
