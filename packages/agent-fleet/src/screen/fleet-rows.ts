import { describeMoney } from '@robota-sdk/agent-core';
import {
  bold,
  oneLine,
  type RenderStyle,
  renderStatusLine,
  textWidth,
  truncateText,
} from '@robota-sdk/agent-tui';
import { deliveredOf, fleetTime, formatSpan } from '../console/describe-task.ts';
import { isEnded, type TaskRecord, taskStates } from '../contract/task.ts';

/** The rows that the table shows: what matters now, what has ended, or what waits. */
export type Section = 'now' | 'ended' | 'queued';

/** The tasks of a section: those that need the user first, then running ones, then ended ones, the latest first. */
export function tasksOf(section: Section, tasks: readonly TaskRecord[]): readonly TaskRecord[] {
  const ended = tasks.filter(({ state }) => isEnded(state)).toSorted((a, b) => endOf(b) - endOf(a));
  if (section === 'ended') return ended;
  if (section === 'queued') return tasks.filter(({ state }) => state === 'queued');
  const open = tasks.filter(({ state }) => !isEnded(state) && state !== 'queued');
  const parked = open.filter((task) => task.state === 'parked' && !needsUser(task));
  return [...open.filter(needsUser), ...open.filter(({ state }) => state !== 'parked'), ...parked, ...ended];
}

/** True if a task waits for an answer of its user. */
export function needsUser({ state, question }: TaskRecord): boolean {
  return state === 'parked' && question !== undefined;
}

function endOf({ endedAt, updatedAt }: TaskRecord): number {
  return Date.parse(endedAt ?? updatedAt);
}

/** Facts for the first line. */
export interface FleetFacts {
  /** The directory, or the database of a fleet of many machines. */
  readonly name: string;
  readonly jobs: number;
  readonly tasks: readonly TaskRecord[];
  /** Spent by this fleet, and the limit that is nearest. */
  readonly spent: { readonly amount: number; readonly limit?: number; readonly of?: 'today' };
  readonly elapsedMs: number;
  readonly isStarting: boolean;
}

/** `Fleet  shop · 4 of 4 slots · 23 queued, 4 running · $14.20 of $50.00 · 41m`. */
export function renderFleetHeader(facts: FleetFacts, columns: number, look: RenderStyle): string {
  const { name, jobs, tasks, spent, isStarting } = facts;
  // Tasks that a killed worker held are shown as they were until the fleet has started.
  const held = isStarting ? 0 : tasks.filter(({ worker }) => worker !== undefined).length;
  const limit =
    spent.limit === undefined ? '' : ` of ${describeMoney(spent.limit)}${spent.of ? ` ${spent.of}` : ''}`;
  const fields = [
    { text: `${bold('Fleet')}  ${oneLine(name)}`, priority: 3 },
    { text: `${Math.min(held, jobs)} of ${jobs} ${jobs === 1 ? 'slot' : 'slots'}`, priority: 2 },
    { text: countsOf(tasks), priority: 5 },
    { text: `${describeMoney(spent.amount)}${limit}`, priority: 4 },
    { text: formatSpan(facts.elapsedMs), priority: 1 },
  ];
  return renderStatusLine(fields, columns, look);
}

/** The number of tasks in each state: `23 queued, 4 running, 1 parked`. */
export function countsOf(tasks: readonly TaskRecord[]): string {
  const counts = taskStates.flatMap((state) => {
    const count = tasks.filter((task) => task.state === state).length;
    return count === 0 ? [] : [`${count} ${state}`];
  });
  return counts.join(', ');
}

interface Column {
  readonly head: string;
  readonly width: number;
  readonly isNumber?: boolean;
  cell(task: TaskRecord, look: RenderStyle, now: number): string;
}

const gap = '  ';
const idWidth = 12;
const stateWidth = 11;

/** The columns that there is room for: numbers of turns go first, then all but id, sign and task. */
function columnsFor(width: number): readonly Column[] {
  const id: Column = { head: 'ID', width: idWidth, cell: (task) => task.id };
  const name = (room: number): Column => ({ head: 'TASK', width: room, cell: (task) => oneLine(task.name) });
  if (width < 60) {
    const sign: Column = { head: ' ', width: 1, cell: (task, look) => signOf(task, look) };
    return [id, sign, name(Math.max(8, width - idWidth - 1 - 2 * gap.length))];
  }
  const turns: Column = { head: 'TURNS', width: 5, isNumber: true, cell: (task) => String(task.turns) };
  const numbers: readonly Column[] = [
    ...(width < 96 ? [] : [turns]),
    { head: 'COST', width: 6, isNumber: true, cell: (task) => describeMoney(task.cost) },
    { head: 'TIME', width: 6, isNumber: true, cell: (task, _, now) => timeOf(task, now) },
  ];
  const fixed = [idWidth, stateWidth, ...numbers.map((each) => each.width)];
  const room = width - fixed.reduce((sum, each) => sum + each + gap.length, 0) - gap.length;
  const nameWidth = Math.max(10, Math.min(32, Math.floor(room * 0.45)));
  return [
    id,
    name(nameWidth),
    { head: 'STATE', width: stateWidth, cell: (task, look) => `${signOf(task, look)} ${task.state}` },
    { head: 'STEP', width: Math.max(8, room - nameWidth), cell: stepOf },
    ...numbers,
  ];
}

/** The head of the table, as wide as its rows. */
export function renderHead(width: number, look: RenderStyle): string {
  const cells = columnsFor(width - 2).map((column) => fit(column.head, column, look));
  return look.paint('dim', truncateText(`  ${cells.join(gap)}`, width).trimEnd());
}

export interface RowView {
  readonly width: number;
  readonly isSelected: boolean;
  readonly look: RenderStyle;
  readonly now: number;
}

/** One task in one row. */
export function renderRow(task: TaskRecord, { width, isSelected, look, now }: RowView): string {
  const { paint, glyphs } = look;
  const cells = columnsFor(width - 2).map((column) => {
    const cell = fit(column.cell(task, look, now), column, look);
    if (column.head === 'TASK') return isSelected ? paint('accent', bold(cell)) : cell;
    if (column.head === 'STATE' || column.head === ' ') return paint(toneOf(task), cell);
    if (column.head === 'STEP' && needsUser(task)) return paint('warning', cell);
    return isSelected || column.head === 'STEP' ? cell : paint('dim', cell);
  });
  const line = truncateText(`${isSelected ? glyphs.cursor : ' '} ${cells.join(gap)}`, width, glyphs.ellipsis);
  if (!isSelected) return line.trimEnd();
  return paint('selectedBg', line + ' '.repeat(Math.max(0, width - textWidth(line))));
}

function fit(text: string, { width, isNumber, head }: Column, { glyphs }: RenderStyle): string {
  const cut = head === 'STEP' && text.startsWith(branchStart) ? cutBranch : truncateText;
  const shown = cut(text, width, glyphs.ellipsis);
  const space = ' '.repeat(Math.max(0, width - textWidth(shown)));
  return isNumber ? space + shown : shown + space;
}

const branchStart = 'robota/';

/** The end of a branch is its name, and the changed lines; its id is in the row already. */
function cutBranch(text: string, width: number, mark: string): string {
  if (textWidth(text) <= width) return text;
  const room = width - branchStart.length - textWidth(mark);
  return room < 1 ? truncateText(text, width, mark) : `${branchStart}${mark}${text.slice(-room)}`;
}

function signOf(task: TaskRecord, { glyphs }: RenderStyle): string {
  switch (task.state) {
    case 'done':
      return glyphs.success;
    case 'failed':
      return glyphs.failure;
    case 'stopped':
      return glyphs.denied;
    case 'parked':
      return glyphs.waiting;
    case 'queued':
      return glyphs.pending;
    default:
      return glyphs.running;
  }
}

function toneOf(task: TaskRecord): 'success' | 'error' | 'warning' | 'dim' {
  switch (task.state) {
    case 'done':
      return 'success';
    case 'failed':
      return 'error';
    case 'stopped':
      return 'warning';
    case 'parked':
      return needsUser(task) ? 'warning' : 'dim';
    case 'queued':
      return 'dim';
    default:
      return 'warning';
  }
}

const usualSteps = {
  preparing: 'set-up and baseline',
  running: 'starting the agent',
  checking: 'check and delivery',
};

/** The action, question or result of a task. */
export function stepOf(task: TaskRecord, { glyphs }: Pick<RenderStyle, 'glyphs'>): string {
  const { state, question, reason, activity } = task;
  if (question && needsUser(task)) return `asks: ${oneLine(question.text)}`;
  if (reason) {
    const until = reason.until === undefined ? '' : `until ${fleetTime(reason.until)}: `;
    return `${until}${oneLine(reason.message)}`;
  }
  if (state === 'done') return deliveredOf(task).replace('−', glyphs.minus);
  if (state === 'running') return activity === undefined ? usualSteps.running : oneLine(activity);
  return state === 'preparing' || state === 'checking' ? usualSteps[state] : '';
}

/** The time a task takes or took; that of a parked task rests. */
function timeOf({ state, startedAt, endedAt, updatedAt }: TaskRecord, now: number): string {
  if (startedAt === undefined) return '';
  const rests = state === 'parked' || state === 'queued' || isEnded(state);
  const until = rests ? Date.parse(endedAt ?? updatedAt) : now;
  return formatSpan(until - Date.parse(startedAt));
}
