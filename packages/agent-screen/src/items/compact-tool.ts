import {
  countChanges,
  describeMoney,
  describeTokens,
  isJsonObject,
  pluralize,
} from '@robota-sdk/agent-sdk/front-end';
import type { ToolItem } from '@robota-sdk/agent-sessions';
import {
  changeText,
  filterEscapes,
  highlightCode,
  oneLine,
  strike,
  textWidth,
  truncateText,
} from '@robota-sdk/agent-tui';
import { failedOutput, finishedOutput, interruptedOutput, type OutputExcerpt } from './command-output.ts';
import { callTextIn, describeCall, skippedNote, wasSkipped } from './describe-call.ts';
import { describeSeconds, describeTime } from './describe-time.ts';
import type { ReadsItem } from './fold-reads.ts';
import type { ItemView } from './item-view.ts';
import { changeOf, renderDiff } from './render-diff.ts';
import {
  agentType,
  countLines,
  countNote,
  cutLine,
  isReading,
  matchesOf,
  matchText,
  omittedOf,
  renderPlanText,
  renderTodoLines,
  resultLines,
  type TodoSigns,
  wrapLines,
} from './tool-result.ts';

/** Calls begin at column 2, their output at column 4. */
const callIndent = '  ';
const outputIndent = '    ';
/** Rows of an error that is no command's. */
const errorRows = 4;
const noticeableMs = 1000;

/** A call in the compact view: its line, and below it the change or the useful part of the output. */
export function renderCompactTool(item: ToolItem, view: ItemView): readonly string[] {
  const agent = agentType(item);
  if (agent !== undefined) return agentLines(item, agent, view);
  const excerpt = excerptOf(item, view);
  return [titleLine(item, view, excerpt), ...bodyLines(item, view, excerpt)];
}

/** Reads and searches in one line; whole, each of them. */
export function renderReads({ calls }: ReadsItem, view: ItemView): readonly string[] {
  if (view.isWhole) return calls.flatMap((call) => renderCompactTool(call, view));
  const { look, columns } = view;
  const isSearch = ({ name }: ToolItem) => name === 'Grep' || name === 'Glob';
  const searches = calls.filter(isSearch).length;
  const files = new Set(
    calls.filter((call) => !isSearch(call)).map((call) => describeCall(call, view).argument),
  );
  const said = [
    ...(files.size > 0 ? [`Read ${pluralize(files.size, 'file')}`] : []),
    ...(searches > 0
      ? [`${files.size > 0 ? 'searched' : 'Searched'} ${pluralize(searches, 'pattern')}`]
      : []),
  ].join(', ');
  const tail = look.paint('dim', ` ${look.glyphs.separator} ${foundText(calls)}`);
  const line = `${callIndent}${look.paint('success', look.glyphs.success)} ${look.paint('muted', said)}${tail}`;
  return [truncateText(line, columns, look.glyphs.ellipsis)];
}

/** How much some reads and searches gave: `214 lines, 3 matches`. */
function foundText(calls: readonly ToolItem[]): string {
  const matches = calls.flatMap((call) => matchesOf(call) ?? []);
  const rest = calls.filter((call) => matchesOf(call) === undefined);
  // The same lines that are read again add nothing.
  const different = new Map(rest.map((call) => [JSON.stringify([call.name, call.input]), call]));
  const lines = [...different.values()].reduce((sum, call) => sum + resultLines(call), 0);
  const found = matches.reduce((sum, count) => sum + count, 0);
  const texts = [
    ...(rest.length === 0 ? [] : [pluralize(lines, 'line')]),
    ...(matches.length === 0 ? [] : [matchText(found)]),
  ];
  return texts.join(', ');
}

function titleLine(item: ToolItem, view: ItemView, excerpt: OutputExcerpt): string {
  const { look, columns, format } = view;
  const { paint, glyphs } = look;
  const words = describeCall(item, { format, look });
  const exit = exitText(item);
  const separator = ` ${glyphs.separator} `;
  const tailOf = (notes: readonly string[]) =>
    (exit === '' ? '' : `  ${paint('error', exit)}`) +
    notes.map((note) => paint('dim', separator) + note).join('');
  const roomBefore = (tail: string) => columns - callIndent.length - 2 - textWidth(tail);
  // The call says more than the notes about it.
  const needed = Math.min(textWidth(`${words.verb} ${words.argument}`), Math.floor(columns / 2));
  const tail = tailOf(
    fittingNotes(notesOf(item, view, excerpt), (notes) => roomBefore(tailOf(notes)) >= needed),
  );
  const argument = callTextIn(words, Math.max(roomBefore(tail), needed), glyphs.ellipsis);
  const isStruck = item.status === 'denied' || wasSkipped(item);
  const shown = paint('text', isStruck ? strike(argument) : argument);
  const line = `${callIndent}${signOf(item, view)} ${paint('muted', words.verb)}${argument === '' ? '' : ` ${shown}`}${tail}`;
  return truncateText(line, columns, glyphs.ellipsis);
}

/** The notes that leave enough room; the longest goes first, and one stays. */
function fittingNotes(
  notes: readonly string[],
  fits: (notes: readonly string[]) => boolean,
): readonly string[] {
  if (notes.length < 2 || fits(notes)) return notes;
  const longest = notes.reduce((best, note) => (textWidth(note) > textWidth(best) ? note : best));
  return fittingNotes(
    notes.filter((note) => note !== longest),
    fits,
  );
}

function signOf(item: ToolItem, { look: { paint, glyphs } }: ItemView): string {
  if (item.status === 'success' && backgroundNote(item) !== undefined)
    return paint('warning', glyphs.running);
  if (item.display?.kind === 'plan' && item.display.outcome !== 'approved')
    return paint('warning', glyphs.denied);
  switch (item.status) {
    case 'running':
      return paint('warning', glyphs.running);
    case 'success':
      return paint('success', glyphs.success);
    case 'denied':
      return paint('warning', glyphs.denied);
    default:
      return wasSkipped(item) ? paint('warning', glyphs.denied) : paint('error', glyphs.failure);
  }
}

function exitText({ status, exitCode }: ToolItem): string {
  return status === 'error' && typeof exitCode === 'number' && exitCode !== 0 ? `exit ${exitCode}` : '';
}

/** Styled notes behind a call: its result, and how long it took. */
function notesOf(item: ToolItem, view: ItemView, excerpt: OutputExcerpt): readonly string[] {
  const { paint } = view.look;
  const dim = (text: string | undefined) => (text === undefined || text === '' ? [] : [paint('dim', text)]);
  const time = timeOf(item);
  if (item.status === 'running') return dim(time);
  if (wasSkipped(item)) return dim(skippedNote);
  if (item.status === 'denied') return dim(deniedText(item));
  const allowed = dim(allowedText(item));
  if (item.status === 'aborted') return [...dim('interrupted'), ...dim(time)];
  if (isCommand(item)) return [...allowed, ...dim(backgroundNote(item)), ...dim(time), ...dim(excerpt.note)];
  if (item.status === 'error') return [...dim(briefOf(item)), ...dim(time)];
  return [
    ...changeNote(item, view),
    ...dim(item.display?.kind === 'image' ? 'image' : countNote(item)),
    ...allowed,
    ...dim(time),
  ];
}

const allowedFor = {
  once: 'allowed once',
  session: 'allowed in this session',
  project: 'allowed in this project',
} as const;

function allowedText({ permission }: ToolItem): string | undefined {
  const kind = permission?.kind;
  return kind === 'once' || kind === 'session' || kind === 'project' ? allowedFor[kind] : undefined;
}

function deniedText(item: ToolItem): string {
  const { permission } = item;
  if (permission?.kind === 'mode') return `${permission.mode} mode`;
  if (permission?.kind === 'rule') return `blocked by ${oneLine(permission.rule)}`;
  const said = permission?.kind === 'declined' ? permission.said : undefined;
  return said === undefined ? (briefOf(item) ?? 'denied') : `denied: "${oneLine(said)}"`;
}

/** Why a call failed or was denied, in a few words. */
function briefOf({ display, status }: ToolItem): string | undefined {
  if ((status !== 'error' && status !== 'denied') || display?.kind !== 'text' || display.brief === undefined)
    return undefined;
  return oneLine(display.brief);
}

function timeOf(item: ToolItem): string | undefined {
  const { display, status, durationMs } = item;
  // A plan waits for the user.
  if (durationMs === undefined || display?.kind === 'plan') return undefined;
  if (status === 'running')
    return durationMs < noticeableMs ? undefined : describeSeconds(Math.floor(durationMs / 1000));
  const isBrief = durationMs < noticeableMs && (!isCommand(item) || backgroundNote(item) !== undefined);
  return isBrief ? undefined : describeTime(durationMs);
}

function changeNote(item: ToolItem, { look }: ItemView): readonly string[] {
  const diff = changeOf(item);
  if (!diff) return [];
  const { added, removed } = countChanges(diff);
  if (added + removed === 0) {
    if (diff.change === 'rename') return [];
    const isFile = diff.change === 'create' || diff.change === 'delete';
    return [look.paint('dim', isFile ? 'empty' : 'no change')];
  }
  const counts = [
    added > 0 ? look.paint('success', changeText({ added, removed: 0 }, look)) : '',
    removed > 0 ? look.paint('error', changeText({ added: 0, removed }, look)) : '',
  ];
  return [counts.filter((part) => part !== '').join(' ')];
}

function isCommand({ name, input }: ToolItem): boolean {
  return name === 'Bash' && isJsonObject(input) && typeof input['command'] === 'string';
}

/** A command in the background says so in its result; older files do not name the task. */
function backgroundNote({ display, input }: ToolItem): string | undefined {
  if (display?.kind !== 'text') return undefined;
  if (display.task !== undefined) return `${oneLine(display.task)} in the background`;
  return isJsonObject(input) && input['run_in_background'] === true ? 'in the background' : undefined;
}

function excerptOf(item: ToolItem, { isWhole }: ItemView): OutputExcerpt {
  if (isWhole || !isCommand(item)) return { lines: [] };
  const { display, status, input } = item;
  const omitted = omittedOf(item)?.lines;
  if (status === 'error') return failedOutput(resultText(item), omitted);
  if (status === 'aborted') return wasSkipped(item) ? { lines: [] } : interruptedOutput(resultText(item));
  if (status !== 'success' || display?.kind === 'text') return { lines: [] };
  const command = isJsonObject(input) ? String(input['command']) : '';
  return finishedOutput(resultText(item), { command, omitted });
}

function bodyLines(item: ToolItem, view: ItemView, excerpt: OutputExcerpt): readonly string[] {
  const { look, columns } = view;
  const diff = changeOf(item);
  if (diff && item.status === 'success') return diffLines(item, view);
  const inner = { ...view, columns: Math.max(1, columns - outputIndent.length) };
  return resultLinesOf(item, inner, excerpt).map((line) => (line === '' ? '' : outputIndent + line));

  function diffLines(changed: ToolItem, { isWhole }: ItemView): readonly string[] {
    if (diff?.change === 'delete' && !isWhole) return [];
    return renderDiff(changed, { look, columns, margin: 0, form: isWhole ? 'whole' : 'folded' }) ?? [];
  }
}

/** Lines below a call, without their indent. */
function resultLinesOf(item: ToolItem, view: ItemView, excerpt: OutputExcerpt): readonly string[] {
  const { look, columns, isWhole } = view;
  const { display, status } = item;
  if (isWhole && display?.kind === 'file' && status === 'success')
    return wrapLines(highlightCode(display.text.replace(/\n$/, ''), { path: display.path }, look), columns);
  // The list stays in sight above the working line.
  if (display?.kind === 'todos') return isWhole ? renderTodoLines(display, todoSigns(look), view) : [];
  if (display?.kind === 'plan') return renderPlanText(display, view);
  const muted = (line: string) => look.paint('muted', line);
  const text = resultText(item);
  if (isWhole) return wrapLines(filterEscapes(text).split('\n'), columns).map(muted);
  if (status === 'running') return lastLine(text).map((line) => muted(cutLine(line, view)));
  if (isCommand(item) && status !== 'denied') return excerpt.lines.map((line) => muted(cutLine(line, view)));
  // The line of the call says why.
  if ((status === 'denied' && item.permission) || wasSkipped(item) || briefOf(item) !== undefined) return [];
  if (status !== 'success' && text !== '')
    return wrapLines(filterEscapes(text).split('\n'), columns).slice(0, errorRows).map(muted);
  if (display?.kind !== 'text' || isReading(item)) return [];
  return lastLine(text).map((line) => muted(cutLine(line, view)));
}

function todoSigns({ glyphs }: ItemView['look']): TodoSigns {
  return { done: glyphs.success, begun: glyphs.running };
}

/** Only this much of a long output is looked at for its last line. */
const tailLength = 8192;

function lastLine(text: string): readonly string[] {
  const line = filterEscapes(text.slice(-tailLength)).trimEnd().split('\n').at(-1) ?? '';
  return line === '' ? [] : [line];
}

/** The visible text of the result. The exit code of a command stands in its line. */
function resultText({ display, output }: ToolItem): string {
  if (display?.kind === 'terminal') {
    const remark = `[exit code ${display.exitCode}]`;
    const text = display.output === '(no output)' ? '' : display.output;
    return (text.endsWith(remark) ? text.slice(0, -remark.length) : text).replace(/^\n+/, '').trimEnd();
  }
  return (display?.kind === 'text' ? display.text : output).replace(/^\n+/, '').trimEnd();
}

const typeWidth = 9;
const taskWidth = 24;
/** Longer types of agents are cut. */
const longestType = 20;
/** Below this width the counts of agents are left out. */
const countedWidth = 80;

/** An agent in one line: its type, its task, what it used, and what it reports or does. */
function agentLines(item: ToolItem, name: string, view: ItemView): readonly string[] {
  const { look, columns, isWhole } = view;
  const { paint } = look;
  const input = isJsonObject(item.input) ? item.input : {};
  const { description, prompt } = input;
  const task = oneLine(String(description ?? prompt ?? ''));
  const text = resultText(item);
  const counts = agentCounts(item);
  const report =
    item.status === 'running' ? (lastLine(text)[0] ?? '') : oneLine(text.split('\n', 1)[0] ?? '');
  const type = truncateText(name, longestType, look.glyphs.ellipsis).padEnd(typeWidth - 1);
  // A long type takes room from the task, so that the counts stay at their columns.
  const taskRoom = taskWidth + typeWidth - 1 - textWidth(type);
  const shownTask = truncateText(task, taskRoom, look.glyphs.ellipsis);
  const parts = [
    `${callIndent}${signOf(item, view)} ${paint('accent', type)}`,
    paint('text', shownTask + ' '.repeat(taskRoom - textWidth(shownTask))),
    ...(columns < countedWidth || counts.length === 0
      ? []
      : [`${paint('dim', counts.join(` ${look.glyphs.separator} `))} `]),
    paint('muted', wasSkipped(item) ? skippedNote : item.status === 'denied' ? 'denied' : oneLine(report)),
  ];
  const line = truncateText(parts.join(' ').trimEnd(), columns, look.glyphs.ellipsis);
  if (!isWhole) return [line];
  const rest = wrapLines(filterEscapes(text).split('\n'), columns - outputIndent.length);
  return [line, ...rest.map((row) => (row === '' ? '' : outputIndent + paint('muted', row)))];
}

/** Figures of an agent at fixed columns; its calls are counted by their lines while it runs. */
function agentCounts({ display, status, output, durationMs }: ToolItem): readonly string[] {
  const used = display?.kind === 'text' ? display : undefined;
  const calls = used?.calls ?? (status === 'running' ? countLines(output) || undefined : undefined);
  const { tokens, cost = 0 } = used ?? {};
  return [
    ...(calls === undefined ? [] : [pluralize(calls, 'call').padStart(8)]),
    ...(tokens === undefined ? [] : [`${describeTokens(tokens)} tokens`.padStart(12)]),
    ...(cost === 0 ? [] : [describeMoney(cost).padStart(6)]),
    ...(durationMs === undefined ? [] : [describeSeconds(Math.round(durationMs / 1000)).padStart(3)]),
  ];
}
