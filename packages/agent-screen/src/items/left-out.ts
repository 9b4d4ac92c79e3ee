/** As outputs that are too long to be kept as a whole tell what is missing in their middle. */
const mark = /\n\n\[\.\.\. \d+ characters \((\d+) lines\) left out; ([^\n]*) \.\.\.\]\n\n/;

/** What an output leaves out: how many lines, and where all of them are. */
export interface LeftOut {
  readonly lines: number;
  readonly note: string;
}

/** What was left out of an output before it got here; nothing where it is whole. */
export function leftOut(output: string): LeftOut | undefined {
  const [, lines, note = ''] = mark.exec(output) ?? [];
  return lines === undefined ? undefined : { lines: Number(lines), note };
}
