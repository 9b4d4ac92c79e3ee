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
