/** Number of characters searched for a failure; longer output was cut before. */
const searchedLength = 65_536;
/** Lines shown from the first failure, and lines at the end. */
const failureLines = 3;
const endLines = 2;

const failure =
  /\b(?:assert\w*|cannot|error|errors|exception|fail|failed|failing|failure|failures|fatal|not ok|panic|panicked|traceback|undefined reference)\b|[✗✖✘×]/i;
const errorName = /\w(?:Error|Exception)\b/;
/** Summaries that report no failure. */
const noFailure = /\b(?:0|no) (?:errors?|fail\w*)\b|\b(?:errors?|fail\w*)\b[ :=]+0\b/i;

/** Lines of a failed command: shown ones, and counts of hidden ones. */
export type FailureExcerpt = readonly (string | { readonly hidden: number })[];

/** The first lines of the failure and the last lines; undefined if the end alone is enough. */
export function failureExcerpt(text: string): FailureExcerpt | undefined {
  const lines = text.slice(0, searchedLength).split('\n');
  const at = lines.findIndex(isFailure);
  const count = lines.length + newlinesAfter(text, searchedLength);
  const between = count - at - failureLines - endLines;
  if (at < 0 || between <= 0) return undefined;
  const end = text.split('\n').slice(-endLines);
  return [
    ...gap(lines.slice(0, at)),
    ...lines.slice(at, at + failureLines),
    ...(between === 1 ? gap(lines.slice(at + failureLines, at + failureLines + 1)) : [{ hidden: between }]),
    ...end,
  ];
}

function isFailure(line: string): boolean {
  return (failure.test(line) || errorName.test(line)) && !noFailure.test(line);
}

/** A line for one hidden line would take as much space as the line. */
function gap(lines: readonly string[]): FailureExcerpt {
  return lines.length < 2 ? lines : [{ hidden: lines.length }];
}

function newlinesAfter(text: string, from: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

/** Maximum lines of a failure, and lines at the end if none is found. */
const mostFailing = 8;
const lastLines = 5;

/** The lines of a failed command that explain the failure. */
export interface FailingLines {
  readonly lines: readonly string[];
  /** Total lines of the output. */
  readonly total: number;
}

/** The first failure with its indented lines, or the end of the output. */
export function failingLines(text: string): FailingLines {
  const total = text === '' ? 0 : text.split('\n', 1).length + newlinesAfter(text, 0);
  const lines = text.slice(0, searchedLength).split('\n');
  const found = lines.findIndex(isFailure);
  if (found < 0) return { lines: text.slice(-searchedLength).split('\n').slice(-lastLines), total };
  const first = lines[found] ?? '';
  // Some test runners name a failure as it happens, and explain it at their end.
  const explained = lines.findIndex((line, index) => line === first && isIndented(lines[index + 1], first));
  const at = Math.max(found, explained);
  let end = at + 1;
  while (end < lines.length && belongs(lines[end] ?? '', first)) end++;
  // A traceback ends with the error, which is not indented.
  const isTrace = /^\s*Traceback\b/.test(first);
  const last = isTrace && !errorName.test(lines[end - 1] ?? '') ? end + 1 : end;
  const block = withoutFigures(lines.slice(at, last));
  while (block.at(-1)?.trim() === '') block.pop();
  if (block.length <= mostFailing) return { lines: block, total };
  return { lines: isTrace ? block.slice(-mostFailing) : block.slice(0, mostFailing), total };
}

/** Keeps the TAP fields that explain a failure, both values at one column; others are times, codes and stacks. */
function withoutFigures(block: string[]): string[] {
  const [, opening = ''] = block;
  if (opening.trim() !== '---') return block;
  const fieldsIn = (name: RegExp) => {
    let isShown = false;
    return block.filter((line, index) => {
      if (indentOf(line) <= indentOf(opening)) isShown = index === 0 || name.test(line);
      return isShown;
    });
  };
  const compared = fieldsIn(/^ *(?:expected|actual):/);
  const told = compared.length > 2 ? compared : fieldsIn(/^ *(?:error|message|expected|actual):/);
  return told.length > 1 ? told.map((line) => line.replace(/^( *actual:) (?=\S)/, '$1   ')) : block;
}

/** True if a line belongs to the failure above: indented, blank, or naming an error. */
function belongs(line: string, first: string): boolean {
  return line.trim() === '' || isIndented(line, first) || errorName.test(line);
}

function isIndented(line = '', first = ''): boolean {
  return line.trim() !== '' && indentOf(line) > indentOf(first);
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
