import { describeCost, pluralize, windowText } from '@robota-sdk/agent-core';
import type { UsageDimension, UsageReport, UsageRow } from '../rows/usage-rows.ts';

export interface UsageTextOptions {
  /** The width of the screen. */
  readonly columns: number;
  /** False for terminals that only show ASCII. */
  readonly unicode?: boolean;
  /** The tables to print, whole; the usual ones, with their largest rows, unless given. */
  readonly by?: readonly UsageDimension[] | undefined;
  /** Shortens the names of projects. */
  shorten?(path: string): string;
}

const titles: Readonly<Record<UsageDimension, string>> = {
  total: 'In all',
  day: 'By day',
  project: 'By project',
  model: 'By model',
  agent: 'By agent',
  tool: 'By tool',
  purpose: 'By purpose',
  'cache-break': 'Prompt cache, sent again',
};

const usual: readonly UsageDimension[] = [
  'day',
  'project',
  'model',
  'agent',
  'tool',
  'purpose',
  'cache-break',
];

/** Rows of a table that is not asked for alone: days from the end, the others from the top. */
const shownRows = 8;
const shownDays = 14;
/** Columns of a bar, on wide screens and on others. */
const barWidths = { wide: 20, narrow: 10 };
const wideColumns = 90;

/** The report as tables with bars. */
export function usageText({ rows, sessions, since, until }: UsageReport, options: UsageTextOptions): string {
  const total = rows.find(({ by }) => by === 'total');
  if (!total || sessions === 0) return 'No usage is stored for this time.\n';
  const tables = (options.by ?? usual).flatMap((by) => tableOf(by, rows, options));
  const span = [since, until].some(Boolean) ? ` from ${since ?? 'the first day'} to ${until ?? 'today'}` : '';
  const count = pluralize(sessions, 'session');
  return `${[`${totalLine(total)} in ${count}${span}`, ...tables].join('\n')}\n`;
}

/** The same of one session, for which days and projects say nothing. */
export function sessionUsageText(report: UsageReport, options: UsageTextOptions): string {
  const by: readonly UsageDimension[] = ['model', 'agent', 'tool', 'purpose', 'cache-break'];
  return usageText(report, { by, ...options });
}

function totalLine(row: UsageRow): string {
  const sent = row.input + row.cacheRead + row.cacheWrite;
  const calls = pluralize(row.calls, 'model call');
  return `${describeCost(row.cost)}, ${calls}, ${windowText(sent)} tokens in${cachedText(row)}, ${windowText(row.output)} out`;
}

function cachedText(row: UsageRow): string {
  return row.cachedShare === null ? '' : ` (${shareText(row)} cached)`;
}

function tableOf(
  by: UsageDimension,
  rows: readonly UsageRow[],
  options: UsageTextOptions,
): readonly string[] {
  const all = rows.filter((row) => row.by === by);
  if (all.length === 0) return [];
  const isWhole = options.by !== undefined;
  const most = by === 'day' ? shownDays : shownRows;
  const shown = isWhole ? all : by === 'day' ? all.slice(-most) : all.slice(0, most);
  const left = all.length - shown.length;
  const largest = Math.max(...shown.map(sizeOf));
  const name = (row: UsageRow) => (by === 'project' ? (options.shorten?.(row.name) ?? row.name) : row.name);
  const room = Math.max(12, Math.min(40, options.columns - barWidthOf(options) - 46));
  const width = Math.min(room, Math.max(...shown.map((row) => name(row).length)));
  return [
    '',
    titles[by],
    ...shown.flatMap((row) => linesOf(row, { name: fit(name(row), width), largest, options })),
    ...(left > 0 ? [`  … ${left} more: --by ${by}`] : []),
  ];
}

interface LineOptions {
  readonly name: string;
  readonly largest: number;
  readonly options: UsageTextOptions;
}

function linesOf(row: UsageRow, { name, largest, options }: LineOptions): readonly string[] {
  const sent = row.input + row.cacheRead + row.cacheWrite;
  const isBreak = row.by === 'cache-break';
  const unit = isBreak ? 'times' : row.by === 'tool' ? 'calls' : 'model calls';
  const numbers = [
    describeCost(row.cost).padStart(9),
    `${windowText(sent).padStart(6)}${isBreak ? '' : ' in'}`,
    ...(isBreak ? [] : [shareText(row).padStart(4)]),
    `${row.calls} ${row.calls === 1 ? unit.slice(0, -1) : unit}`,
  ];
  const line = `  ${name}  ${bar(sizeOf(row) / largest, options)} ${numbers.join('  ')}`;
  const detail = row.detail ? [`    last: ${row.detail}`] : [];
  return [line, ...detail].map((each) => each.slice(0, options.columns));
}

function shareText({ cachedShare }: UsageRow): string {
  return cachedShare === null ? '' : `${Math.round(cachedShare * 100)}%`;
}

/** Bars show dollars, and tokens where nothing has a price. */
function sizeOf({ cost, input, output, cacheRead, cacheWrite }: UsageRow): number {
  return cost > 0 ? cost : (input + output + cacheRead + cacheWrite) / 1e12;
}

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

function barWidthOf({ columns }: UsageTextOptions): number {
  return columns < wideColumns ? barWidths.narrow : barWidths.wide;
}

function bar(share: number, options: UsageTextOptions): string {
  const { unicode = true } = options;
  const barWidth = barWidthOf(options);
  const parts = Math.round((Number.isFinite(share) ? share : 0) * barWidth * 8);
  const full = Math.floor(parts / 8);
  const text = unicode ? '█'.repeat(full) + (eighths[parts % 8] ?? '') : '#'.repeat(Math.round(parts / 8));
  return text.padEnd(barWidth);
}

/** The end of a long name says more than its beginning. */
function fit(name: string, width: number): string {
  return name.length > width ? `…${name.slice(name.length - width + 1)}` : name.padEnd(width);
}
