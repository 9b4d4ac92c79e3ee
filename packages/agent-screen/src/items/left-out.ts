/** As outputs that are too long to be kept as a whole tell what is missing in their middle. */
const mark = /\n\n\[\.\.\. \d+ characters \((\d+) lines\) left out; ([^\n]*) \.\.\.\]\n\n/;

/** The omitted part of an output: the number of lines, and the file with all of them. */
export interface LeftOut {
  readonly lines: number;
  readonly note: string;
}

/** Parses the omission note of an output; undefined if it is complete. */
export function leftOut(output: string): LeftOut | undefined {
  const [, lines, note = ''] = mark.exec(output) ?? [];
  return lines === undefined ? undefined : { lines: Number(lines), note };
}
