import {
  type Display,
  describeState,
  describeTokens,
  type FailureExcerpt,
  failureExcerpt,
  type OmittedOutput,
  pluralize,
} from '@robota-sdk/agent-sdk/front-end';
import type { ToolItem } from '@robota-sdk/agent-sessions';
import { filterEscapes, highlightCode, oneLine, truncateText, wrapText } from '@robota-sdk/agent-tui';
import type { AppStyle } from '../theme/app-tokens.ts';
import { describePlan } from './plan-steps.ts';
import { renderDiff } from './render-diff.ts';
import {
  agentType,
  countLines,
  countNote,
  cutLine,
  isReading,
  omittedLines,
  omittedOf,
  renderPlanText,
  renderTodoLines,
  type TodoSigns,
  wrapLines,
} from './tool-result.ts';
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
const shownLines = {
  running: 4,
  background: 2,
  done: 2,
  open: 2,
  denied: 2,
  skipped: 0,
  failed: 4,
  stopped: 4,
  lost: 4,
} as const;
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
  if (view.isWhole && display?.kind === 'file' && item.state === 'done')
    return wrapLines(highlightCode(display.text, { path: display.path }, view.look), view.columns);
  if (display?.kind === 'todos') return renderTodoLines(display, todoSigns(view.look), view);
  if (display?.kind === 'plan') return planLines(display, view);
  if (display?.kind === 'image') return [imageLine(display, view)];
  const text = textOfResult(item);
  if (view.isWhole)
    return [...wrapLines(filterEscapes(text).split('\n'), view.columns), ...omittedLines(item, view)].map(
      dimmed(view.look),
    );
  if (isQuiet(item) || item.state === 'skipped') return [];
  return tailOf(text, item, view);
}

/** The visible text of the result. */
function textOfResult({ display, output }: ToolItem): string {
  const text =
    display?.kind === 'terminal' ? display.output : display?.kind === 'text' ? display.text : output;
  return text.replace(/^\n+/, '').trimEnd();
}

/** Reading and searching is told by its line alone. */
function isQuiet(item: ToolItem): boolean {
  const { state, display } = item;
  if (state !== 'done') return false;
  return display?.kind === 'file' || display?.kind === 'list' || isReading(item);
}

/** The note of a call: the number of results, or the agent and its usage. */
function noteOf(item: ToolItem): string | undefined {
  const { state, exitCode } = item;
  if (state === 'failed') return exitCode ? `exit ${exitCode}` : undefined;
  if (state !== 'done' && state !== 'running' && state !== 'denied' && state !== 'open')
    return describeState(state);
  if (isQuiet(item)) return countNote(item);
  const name = agentType(item);
  const tokens = item.display?.kind === 'text' ? item.display.tokens : undefined;
  return name === undefined || tokens === undefined ? name : `${name}, ${describeTokens(tokens)} tokens`;
}

function tailOf(text: string, item: ToolItem, { look, columns }: ToolView): readonly string[] {
  if (text === '') return [];
  const { state } = item;
  const omitted = omittedOf(item);
  const lines = filterEscapes(text.slice(-tailLength)).trimEnd().split('\n');
  if (state === 'denied') return deniedLines(lines, { look, columns });
  const failed = state === 'failed' ? failureExcerpt(filterEscapes(text)) : undefined;
  if (failed) return failedLines(failed, omitted, { look, columns });
  // A line that says that one is hidden takes as much room as the one.
  const most = countLines(text) === shownLines[state] + 1 ? shownLines[state] + 1 : shownLines[state];
  const shown = lines.slice(-most);
  const hidden = countLines(text) - shown.length + (omitted?.lines ?? 0);
  const colour = state === 'failed' ? 'error' : 'toolOutput';
  const painted = shown.map((line) => look.paint(colour, cutLine(line, { look, columns })));
  if (hidden <= 0) return painted;
  return [...hiddenLines(hidden, omitted, { look, columns }), ...painted];
}

/** The first failure, and the end; lines omitted from the output itself count as hidden after the failure. */
function failedLines(
  excerpt: FailureExcerpt,
  omitted: OmittedOutput | undefined,
  view: ToolView,
): readonly string[] {
  const last = excerpt.findLastIndex((part) => typeof part !== 'string');
  return excerpt.flatMap((part, index) => {
    if (typeof part === 'string') return view.look.paint('error', cutLine(part, view));
    if (index !== last) return hiddenLines(part.hidden, undefined, view);
    return hiddenLines(part.hidden + (omitted?.lines ?? 0), omitted, view);
  });
}

function hiddenLines(
  count: number,
  omitted: OmittedOutput | undefined,
  { look, columns }: ToolView,
): readonly string[] {
  const where = omitted ? `; ${omitted.note}` : '';
  const told = filterEscapes(`${look.glyphs.ellipsis} ${pluralize(count, 'more line')}${where}`);
  return wrapText(told, columns).map((line) => look.paint('dim', line));
}

/** Why it was denied ends with what to do instead, so all of it is shown. */
function deniedLines(lines: readonly string[], { look, columns }: ToolView): readonly string[] {
  return wrapLines(lines, columns).map((line) => look.paint('toolOutput', line));
}

/** A plan, and below it how it was decided. */
function planLines(display: Extract<Display, { kind: 'plan' }>, view: ToolView): readonly string[] {
  const { success, separator } = view.look.glyphs;
  const sign = display.outcome === 'approved' ? `${success} ` : '';
  const decision = view.look.paint('dim', sign + describePlan(display, separator));
  return [...renderPlanText(display, view), decision];
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

function todoSigns({ glyphs }: AppStyle): TodoSigns {
  return { done: glyphs.taskDone, begun: glyphs.taskBegun };
}

function dimmed(look: AppStyle): (line: string) => string {
  return (line) => look.paint('toolOutput', line);
}
