import { pluralize, type ShellRun } from '@robota-sdk/agent-sdk/front-end';
import { filterEscapes, truncateText, wrapText } from '@robota-sdk/agent-tui';

interface CutOptions {
  readonly columns: number;
  readonly ellipsis: string;
  /** Nothing is cut. */
  readonly isWhole: boolean;
}

/** Maximum rows of a message in the scrollback, for pasted files; the pager has it all. */
const promptRows = 40;
const promptLength = 8192;

/** The first rows of a prompt, and a line about what is cut. */
export function cutPrompt(
  text: string,
  { lead = '', columns, ellipsis, isWhole }: CutOptions & { readonly lead?: string },
): { readonly lines: readonly string[]; readonly more?: string } {
  const said = isWhole ? text : text.slice(0, promptLength);
  const written = lead + filterEscapes(said).trimEnd().replaceAll('\t', '  ');
  const lines = wrapText(written, columns);
  // A line that says that one is hidden takes as much room as the one.
  if (isWhole || (lines.length <= promptRows + 1 && said.length === text.length)) return { lines };
  const hidden = text.trimEnd().split('\n').length - wholeLines(written, columns);
  const more = `${ellipsis} ${pluralize(hidden, 'more line')}`;
  return { lines: lines.slice(0, promptRows), more: truncateText(more, columns, ellipsis) };
}

/** Counts the lines of a text that fit into the rows of a prompt as a whole. */
function wholeLines(text: string, columns: number): number {
  let rows = 0;
  const isHidden = (line: string) => {
    rows += wrapText(line, columns).length;
    return rows > promptRows;
  };
  const lines = text.split('\n');
  const count = lines.findIndex(isHidden);
  // Very wide rows show the cut text with its last line, which may be cut.
  return count < 0 ? lines.length - 1 : count;
}

/** Maximum lines of a command's output in the scrollback; the pager has them all. */
const shellRows = 20;

/** The last lines of what a command of the user printed, and lines about what is cut. */
export function cutShellOutput(
  { output, omitted }: Pick<ShellRun, 'output' | 'omitted'>,
  { columns, ellipsis, isWhole }: CutOptions,
): { readonly lines: readonly string[]; readonly more: readonly string[] } {
  if (output.trim() === '') return { lines: [], more: [] };
  const all = filterEscapes(output).trimEnd().split('\n');
  // A line that says that one is hidden takes as much room as the one.
  const hidden = isWhole || all.length <= shellRows + 1 ? 0 : all.length - shellRows;
  const earlier = pluralize(hidden + (omitted?.lines ?? 0), 'earlier line');
  const more = `${ellipsis} ${earlier}${omitted ? `; ${omitted.note}` : ''}`;
  return {
    lines: all.slice(hidden).flatMap((line) => wrapText(line.replaceAll('\t', '  '), columns)),
    more: hidden === 0 && !omitted ? [] : wrapText(filterEscapes(more), columns),
  };
}
