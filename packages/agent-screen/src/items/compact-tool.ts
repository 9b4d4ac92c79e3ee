import {
  countChanges,
  describeMoney,
  describeState,
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
import { callSign, commandOf, paintedSign, resultText } from './call-sign.ts';
import { failedOutput, finishedOutput, interruptedOutput, type OutputExcerpt } from './command-output.ts';
import { callTextIn, describeCall } from './describe-call.ts';
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
  omittedLines,
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
  const shown = paint('text', callSign(item).isStruck ? strike(argument) : argument);
  const line = `${callIndent}${paintedSign(item, look)} ${paint('muted', words.verb)}${argument === '' ? '' : ` ${shown}`}${tail}`;
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

function exitText({ state, exitCode }: ToolItem): string {
  return state === 'failed' && typeof exitCode === 'number' && exitCode !== 0 ? `exit ${exitCode}` : '';
}

/** Styled notes behind a call: its result, and how long it took. */
function notesOf(item: ToolItem, view: ItemView, excerpt: OutputExcerpt): readonly string[] {
  const { paint } = view.look;
  const dim = (text: string | undefined) => (text === undefined || text === '' ? [] : [paint('dim', text)]);
  const time = timeOf(item);
  const { state } = item;
  if (state === 'running') return dim(time);
  if (state === 'skipped') return dim(describeState(state));
  if (state === 'denied') return dim(deniedText(item));
  const allowed = dim(allowedText(item));
  if (state === 'stopped' || state === 'lost') return [...dim(describeState(state)), ...dim(time)];
  if (commandOf(item) !== undefined)
    return [...allowed, ...dim(backgroundNote(item)), ...dim(time), ...dim(excerpt.note)];
  if (state === 'failed') return [...dim(briefOf(item)), ...dim(time)];
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
function briefOf({ display, state }: ToolItem): string | undefined {
  if ((state !== 'failed' && state !== 'denied') || display?.kind !== 'text' || display.brief === undefined)
    return undefined;
  return oneLine(display.brief);
}

function timeOf(item: ToolItem): string | undefined {
  const { display, state, durationMs } = item;
  // A plan waits for the user.
  if (durationMs === undefined || display?.kind === 'plan') return undefined;
  if (state === 'running')
    return durationMs < noticeableMs ? undefined : describeSeconds(Math.floor(durationMs / 1000));
  const isBrief = durationMs < noticeableMs && (commandOf(item) === undefined || state === 'background');
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

/** Names the background task that a command became; older files do not name the task. */
function backgroundNote({ state, display, input }: ToolItem): string | undefined {
  if (state !== 'background') return undefined;
  const isAsked = isJsonObject(input) && input['run_in_background'] === true;
  const where = isAsked ? 'in the background' : 'moved to the background';
  const task = display?.kind === 'text' ? display.task : undefined;
  return task === undefined ? where : `${where} as ${oneLine(task)}`;
}

function excerptOf(item: ToolItem, { isWhole }: ItemView): OutputExcerpt {
  const command = commandOf(item);
  if (isWhole || command === undefined) return { lines: [] };
  const omitted = omittedOf(item)?.lines;
  switch (item.state) {
    case 'failed':
      return failedOutput(resultText(item), omitted);
    case 'stopped':
    case 'lost':
      return interruptedOutput(resultText(item));
    case 'done':
      return item.display?.kind === 'text'
        ? { lines: [] }
        : finishedOutput(resultText(item), { command, omitted });
    default:
      return { lines: [] };
  }
}

function bodyLines(item: ToolItem, view: ItemView, excerpt: OutputExcerpt): readonly string[] {
  const { look, columns } = view;
  const diff = changeOf(item);
  if (diff && item.state === 'done') return diffLines(item, view);
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
  const { display, state } = item;
  if (isWhole && display?.kind === 'file' && state === 'done')
    return wrapLines(highlightCode(display.text.replace(/\n$/, ''), { path: display.path }, look), columns);
  // The list stays in sight above the working line.
  if (display?.kind === 'todos') return isWhole ? renderTodoLines(display, todoSigns(look), view) : [];
  if (display?.kind === 'plan') return renderPlanText(display, view);
  const muted = (line: string) => look.paint('muted', line);
  const text = resultText(item);
  if (isWhole)
    return [...wrapLines(filterEscapes(text).split('\n'), columns), ...omittedLines(item, view)].map(muted);
  if (state === 'running') return lastLine(text).map((line) => muted(cutLine(line, view)));
  if (commandOf(item) !== undefined && state !== 'denied')
    return excerpt.lines.map((line) => muted(cutLine(line, view)));
  // The line of the call says why.
  if ((state === 'denied' && item.permission) || state === 'skipped' || briefOf(item) !== undefined)
    return [];
  const isFine = state === 'done' || state === 'background' || state === 'open';
  if (!isFine && text !== '')
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
  const report = item.state === 'running' ? (lastLine(text)[0] ?? '') : oneLine(text.split('\n', 1)[0] ?? '');
  const type = truncateText(name, longestType, look.glyphs.ellipsis).padEnd(typeWidth - 1);
  // A long type takes room from the task, so that the counts stay at their columns.
  const taskRoom = taskWidth + typeWidth - 1 - textWidth(type);
  const shownTask = truncateText(task, taskRoom, look.glyphs.ellipsis);
  const parts = [
    `${callIndent}${paintedSign(item, look)} ${paint('accent', type)}`,
    paint('text', shownTask + ' '.repeat(taskRoom - textWidth(shownTask))),
    ...(columns < countedWidth || counts.length === 0
      ? []
      : [`${paint('dim', counts.join(` ${look.glyphs.separator} `))} `]),
    paint('muted', isAgentTold(item) ? describeState(item.state) : oneLine(report)),
  ];
  const line = truncateText(parts.join(' ').trimEnd(), columns, look.glyphs.ellipsis);
  if (!isWhole) return [line];
  const rest = wrapLines(filterEscapes(text).split('\n'), columns - outputIndent.length);
  return [line, ...rest.map((row) => (row === '' ? '' : outputIndent + paint('muted', row)))];
}

/** The state says more than the first line of the result. */
function isAgentTold({ state }: ToolItem): boolean {
  return state === 'skipped' || state === 'denied' || state === 'lost';
}

/** Figures of an agent at fixed columns; its calls are counted by their lines while it runs. */
function agentCounts({ display, state, output, durationMs }: ToolItem): readonly string[] {
  const used = display?.kind === 'text' ? display : undefined;
  const calls = used?.calls ?? (state === 'running' ? countLines(output) || undefined : undefined);
  const { tokens, cost = 0 } = used ?? {};
  return [
    ...(calls === undefined ? [] : [pluralize(calls, 'call').padStart(8)]),
    ...(tokens === undefined ? [] : [`${describeTokens(tokens)} tokens`.padStart(12)]),
    ...(cost === 0 ? [] : [describeMoney(cost).padStart(6)]),
    ...(durationMs === undefined ? [] : [describeSeconds(Math.round(durationMs / 1000)).padStart(3)]),
  ];
}
