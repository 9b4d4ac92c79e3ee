import {
  type Display,
  type FailureExcerpt,
  failureExcerpt,
  isJsonObject,
  pluralize,
} from '@robota-sdk/agent-sdk/front-end';
import type { ToolItem } from '@robota-sdk/agent-sessions';
import {
  filterEscapes,
  highlightCode,
  Markdown,
  oneLine,
  truncateText,
  wrapText,
} from '@robota-sdk/agent-tui';
import type { AppStyle } from '../theme/app-tokens.ts';
import { skippedNote, wasSkipped } from './describe-call.ts';
import { describeTokens } from './describe-count.ts';
import { type LeftOut, leftOut } from './left-out.ts';
import { describePlan } from './plan-steps.ts';
import { renderDiff } from './render-diff.ts';
import { toolTitle } from './tool-title.ts';

export interface ToolView {
  readonly look: AppStyle;
  readonly columns: number;
  /** The whole output; else the last lines of it. */
  readonly isWhole?: boolean | undefined;
  /** Diffs have the lines around a change. */
  readonly isHistory?: boolean | undefined;
}

/** How many lines of output stand below a call: while it runs and where it failed more than where all went well. */
const shownLines = { running: 4, success: 2, error: 4, denied: 2, aborted: 4 } as const;
/** Only this much of a long output is looked at for its last lines. */
const tailLength = 8192;

/** A call with what it did: its line, and below it the difference or the output. */
export function renderTool(item: ToolItem, view: ToolView): readonly string[] {
  const { look, columns } = view;
  const title = toolTitle(item, { look, columns, note: noteOf(item) });
  const bar = `  ${look.paint('dim', look.glyphs.vertical)} `;
  const inner = { ...view, columns: Math.max(1, columns - 4) };
  return [title, ...bodyOf(item, inner).map((line) => bar + line)];
}

function bodyOf(item: ToolItem, view: ToolView): readonly string[] {
  const form = view.isWhole ? 'whole' : view.isHistory ? 'folded' : 'brief';
  const diff = renderDiff(item, { ...view, form });
  if (diff) return diff;
  const { display } = item;
  if (view.isWhole && display?.kind === 'file' && item.status === 'success')
    return wrapped(highlightCode(display.text, { path: display.path }, view.look), view.columns);
  if (display?.kind === 'todos') return todoLines(display, view);
  if (display?.kind === 'plan') return planLines(display, view);
  if (display?.kind === 'image') return [imageLine(display, view)];
  const text = textOfResult(item);
  if (view.isWhole) return wrapped(filterEscapes(text).split('\n'), view.columns).map(dimmed(view.look));
  if (isQuiet(item) || wasSkipped(item)) return [];
  return tailOf(text, item, view);
}

/** The visible text of the result. */
function textOfResult({ display, output }: ToolItem): string {
  const text =
    display?.kind === 'terminal' ? display.output : display?.kind === 'text' ? display.text : output;
  return text.replace(/^\n+/, '').trimEnd();
}

/** Reading and searching is told by its line alone. */
function isQuiet({ status, display, name }: ToolItem): boolean {
  if (status !== 'success') return false;
  return display?.kind === 'file' || display?.kind === 'list' || /^(Read|Glob|Grep|Skill)$/.test(name);
}

/** The note of a call: the number of results, or the agent and its usage. */
function noteOf(item: ToolItem): string | undefined {
  if (wasSkipped(item)) return skippedNote;
  if (isQuiet(item)) return countText(item);
  if (!/^(?:Agent|Task)$/.test(item.name) || !isJsonObject(item.input)) return undefined;
  const { subagent_type: type, prompt } = item.input;
  if (prompt === undefined) return undefined;
  const tokens = item.display?.kind === 'text' ? item.display.tokens : undefined;
  const name = typeof type === 'string' && type !== '' ? oneLine(type) : 'general-purpose';
  return tokens === undefined ? name : `${name}, ${describeTokens(tokens)} tokens`;
}

/** How much was found or read, in a few words. */
function countText({ name, display, output }: ToolItem): string | undefined {
  const matches =
    display?.kind === 'list' ? display.total : display?.kind === 'text' ? display.matches : undefined;
  if (matches !== undefined) return matches === 1 ? '1 match' : `${matches} matches`;
  if (display?.kind === 'file') return pluralize(linesIn(display.text), 'line');
  const text = output.trim();
  return name === 'Grep' && text !== '' ? pluralize(countLines(text), 'line') : undefined;
}

function linesIn(text: string): number {
  return text === '' ? 0 : countLines(text.endsWith('\n') ? text.slice(0, -1) : text);
}

function tailOf(text: string, { status }: ToolItem, { look, columns }: ToolView): readonly string[] {
  if (text === '') return [];
  const lines = filterEscapes(text.slice(-tailLength)).trimEnd().split('\n');
  if (status === 'denied') return deniedLines(lines, { look, columns });
  const failed = status === 'error' ? failureExcerpt(filterEscapes(text)) : undefined;
  if (failed) return failedLines(failed, text, { look, columns });
  // A line that says that one is hidden takes as much room as the one.
  const most = countLines(text) === shownLines[status] + 1 ? shownLines[status] + 1 : shownLines[status];
  const shown = lines.slice(-most);
  const missing = leftOut(text);
  const hidden = countLines(text) - shown.length + (missing?.lines ?? 0);
  const colour = status === 'error' ? 'error' : 'toolOutput';
  const painted = shown.map((line) => look.paint(colour, cutLine(line, { look, columns })));
  if (hidden <= 0) return painted;
  return [...hiddenLines(hidden, missing, { look, columns }), ...painted];
}

/** The first failure, and the end; lines omitted from the output itself count as hidden after the failure. */
function failedLines(excerpt: FailureExcerpt, text: string, view: ToolView): readonly string[] {
  const missing = leftOut(text);
  const last = excerpt.findLastIndex((part) => typeof part !== 'string');
  return excerpt.flatMap((part, index) => {
    if (typeof part === 'string') return view.look.paint('error', cutLine(part, view));
    if (index !== last) return hiddenLines(part.hidden, undefined, view);
    return hiddenLines(part.hidden + (missing?.lines ?? 0), missing, view);
  });
}

function cutLine(line: string, { look, columns }: ToolView): string {
  return truncateText(line.replaceAll('\t', '  '), columns, look.glyphs.ellipsis);
}

function hiddenLines(
  count: number,
  missing: LeftOut | undefined,
  { look, columns }: ToolView,
): readonly string[] {
  const where = missing ? `; ${missing.note}` : '';
  const told = filterEscapes(`${look.glyphs.ellipsis} ${pluralize(count, 'more line')}${where}`);
  return wrapText(told, columns).map((line) => look.paint('dim', line));
}

/** Why it was denied ends with what to do instead, so all of it is shown. */
function deniedLines(lines: readonly string[], { look, columns }: ToolView): readonly string[] {
  return wrapped(lines, columns).map((line) => look.paint('toolOutput', line));
}

function countLines(text: string): number {
  let count = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

function todoLines(
  { items }: Extract<Display, { kind: 'todos' }>,
  { look, columns }: ToolView,
): readonly string[] {
  return items.map(({ text, status }) => {
    const isDone = status === 'completed';
    const { taskDone, taskOpen, taskBegun } = look.glyphs;
    const box = isDone ? taskDone : status === 'in_progress' ? taskBegun : taskOpen;
    const line = truncateText(`${box} ${oneLine(text)}`, columns, look.glyphs.ellipsis);
    return look.paint(isDone ? 'dim' : status === 'in_progress' ? 'accent' : 'text', line);
  });
}

/** A plan stays readable in the transcript: it is what the user agreed to. */
function planLines(
  display: Extract<Display, { kind: 'plan' }>,
  { look, columns }: ToolView,
): readonly string[] {
  const markdown = new Markdown({ look });
  markdown.append(filterEscapes(display.text));
  markdown.finish();
  const { success, separator } = look.glyphs;
  const sign = display.outcome === 'approved' ? `${success} ` : '';
  return [...markdown.render(columns), look.paint('dim', sign + describePlan(display, separator))];
}

function imageLine(
  { mimeType, path }: Extract<Display, { kind: 'image' }>,
  { look, columns }: ToolView,
): string {
  return look.paint(
    'dim',
    truncateText(`[image ${oneLine(path ?? mimeType)}]`, columns, look.glyphs.ellipsis),
  );
}

function wrapped(lines: readonly string[], columns: number): readonly string[] {
  return lines.flatMap((line) => wrapText(line.replaceAll('\t', '  '), columns));
}

function dimmed(look: AppStyle): (line: string) => string {
  return (line) => look.paint('toolOutput', line);
}
