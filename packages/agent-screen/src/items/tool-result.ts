import { type Display, isJsonObject, type OmittedOutput, pluralize } from '@robota-sdk/agent-sdk/front-end';
import type { ToolItem } from '@robota-sdk/agent-sessions';
import { filterEscapes, Markdown, oneLine, truncateText, wrapText } from '@robota-sdk/agent-tui';
import type { AppStyle } from '../theme/app-tokens.ts';

/** The style and width that a result is drawn with. */
interface ResultView {
  readonly look: AppStyle;
  readonly columns: number;
}

/** Counts the lines of a text without copying it; blank lines at the end do not count. */
export function countLines(output: string): number {
  const text = output.trimEnd();
  if (text === '') return 0;
  let count = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

/** How many lines a read or a search gave. */
export function resultLines({ display, output }: ToolItem): number {
  return countLines(display?.kind === 'file' ? display.text : output);
}

/** The part of a command's output that was not kept. */
export function omittedOf({ display }: ToolItem): OmittedOutput | undefined {
  return display?.kind === 'terminal' ? display.omitted : undefined;
}

/** Says below an output that part of it was not kept, and where it is. */
export function omittedLines(item: ToolItem, { look, columns }: ResultView): readonly string[] {
  const omitted = omittedOf(item);
  if (!omitted) return [];
  const told = `${look.glyphs.ellipsis} ${pluralize(omitted.lines, 'more line')}; ${omitted.note}`;
  return wrapText(filterEscapes(told), columns);
}

/** How much a search found; undefined for other calls, and for those of older files. */
export function matchesOf({ display }: ToolItem): number | undefined {
  if (display?.kind === 'list') return display.total;
  return display?.kind === 'text' ? display.matches : undefined;
}

export function matchText(count: number): string {
  return count === 1 ? '1 match' : `${count} matches`;
}

/** How much was found or read, in a few words. */
export function countNote(item: ToolItem): string | undefined {
  const matches = matchesOf(item);
  if (matches !== undefined) return matchText(matches);
  const lines = resultLines(item);
  const isCounted = item.display?.kind === 'file' || (item.name === 'Grep' && lines > 0);
  return isCounted ? pluralize(lines, 'line') : undefined;
}

/** The type of a subagent that a call starts; undefined for other calls. */
export function agentType({ name, input }: ToolItem): string | undefined {
  if (!/^(?:Agent|Task)$/.test(name) || !isJsonObject(input) || input['prompt'] === undefined)
    return undefined;
  const { subagent_type: type } = input;
  return typeof type === 'string' && type !== '' ? oneLine(type) : 'general-purpose';
}

/** Reads and searches, which their line describes well enough. */
export function isReading({ name }: ToolItem): boolean {
  return /^(?:Read|Glob|Grep|Skill)$/.test(name);
}

export function cutLine(line: string, { look, columns }: ResultView): string {
  return truncateText(line.replaceAll('\t', '  '), columns, look.glyphs.ellipsis);
}

export function wrapLines(lines: readonly string[], columns: number): readonly string[] {
  return lines.flatMap((line) => wrapText(line.replaceAll('\t', '  '), columns));
}

/** The signs of tasks that are done and begun. */
export interface TodoSigns {
  readonly done: string;
  readonly begun: string;
}

export function renderTodoLines(
  { items }: Extract<Display, { kind: 'todos' }>,
  { done, begun }: TodoSigns,
  { look, columns }: ResultView,
): readonly string[] {
  return items.map(({ text, status }) => {
    const isDone = status === 'completed';
    const box = isDone ? done : status === 'in_progress' ? begun : look.glyphs.taskOpen;
    const line = truncateText(`${box} ${oneLine(text)}`, columns, look.glyphs.ellipsis);
    return look.paint(isDone ? 'dim' : status === 'in_progress' ? 'accent' : 'text', line);
  });
}

/** A plan stays readable in the transcript: it is what the user agreed to. */
export function renderPlanText(
  { text, comments }: Pick<Extract<Display, { kind: 'plan' }>, 'text' | 'comments'>,
  { look, columns }: ResultView,
): readonly string[] {
  const markdown = new Markdown({ look });
  markdown.append(filterEscapes(text));
  markdown.finish();
  const rows = markdown.render(columns);
  if (comments === undefined) return rows;
  const bar = `${look.glyphs.vertical} `;
  const said = wrapLines(filterEscapes(comments).trim().split('\n'), Math.max(1, columns - bar.length));
  return [...rows, '', ...said.map((line) => look.paint('accent', bar + line))];
}
