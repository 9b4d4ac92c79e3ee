/** A failure is looked for in this many characters; what is longer was cut before it got here. */
const searchedLength = 65_536;
/** Lines from the first failure on, and lines at the end. */
const failureLines = 3;
const endLines = 2;

const failure =
  /\b(?:assert\w*|cannot|error|errors|exception|fail|failed|failing|failure|failures|fatal|not ok|panic|panicked|traceback|undefined reference)\b|[✗✖✘×]/i;
const errorName = /\w(?:Error|Exception)\b/;
/** Sums that say that nothing failed. */
const noFailure = /\b(?:0|no) (?:errors?|fail\w*)\b|\b(?:errors?|fail\w*)\b[ :=]+0\b/i;

/** Lines of a failed command: shown ones, and how many are hidden between them. */
export type FailureExcerpt = readonly (string | { readonly hidden: number })[];

/** The first lines that say what failed, and the last ones; undefined where the end alone says it. */
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

/** A line that says that one is hidden takes as much room as the one. */
function gap(lines: readonly string[]): FailureExcerpt {
  return lines.length < 2 ? lines : [{ hidden: lines.length }];
}

function newlinesAfter(text: string, from: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

/** Most lines of a failure, and lines at the end where none is found. */
const mostFailing = 8;
const lastLines = 5;

/** The lines of a failed command that say why. */
export interface FailingLines {
  readonly lines: readonly string[];
  /** How many lines the output has. */
  readonly total: number;
}

/** The first failure with what is indented below it, or the end of the output. */
export function failingLines(text: string): FailingLines {
  const total = text === '' ? 0 : text.split('\n', 1).length + newlinesAfter(text, 0);
  const lines = text.slice(0, searchedLength).split('\n');
  const at = lines.findIndex(isFailure);
  if (at < 0) return { lines: text.slice(-searchedLength).split('\n').slice(-lastLines), total };
  const first = lines[at] ?? '';
  let end = at + 1;
  while (end < lines.length && belongs(lines[end] ?? '', first)) end++;
  // A traceback ends with the error, at the margin again.
  const isTrace = /^\s*Traceback\b/.test(first);
  const last = isTrace && !errorName.test(lines[end - 1] ?? '') ? end + 1 : end;
  const block = withoutFigures(lines.slice(at, last));
  while (block.at(-1)?.trim() === '') block.pop();
  if (block.length <= mostFailing) return { lines: block, total };
  return { lines: isTrace ? block.slice(-mostFailing) : block.slice(0, mostFailing), total };
}

/** Of the fields that TAP has below a test, those that say why it failed; others are times, codes and stacks. */
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
  return told.length > 1 ? told : block;
}

/** A line below a failure that is about it: further in, blank, or one that names an error. */
function belongs(line: string, first: string): boolean {
  return line.trim() === '' || indentOf(line) > indentOf(first) || errorName.test(line);
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
