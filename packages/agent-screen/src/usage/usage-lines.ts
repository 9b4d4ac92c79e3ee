import {
  describeMoney,
  describeTokens,
  pluralize,
  type UsageDimension,
  type UsageRow,
} from '@robota-sdk/agent-sdk/front-end';
import { oneLine, textWidth, truncateText } from '@robota-sdk/agent-tui';
import { describeTime } from '../items/describe-time.ts';
import type { AppStyle } from '../theme/app-tokens.ts';
import {
  daySizes,
  type SessionFigures,
  sizeOf,
  totalOf,
  type UsageFigures,
  type UsagePeriod,
} from './usage-figures.ts';

/** Everything the rows are made of. */
export interface UsageView {
  readonly figures: UsageFigures;
  readonly period: UsagePeriod;
  readonly by: UsageDimension;
  readonly look: AppStyle;
  /** The name of a row as users know it. */
  nameOf(row: UsageRow): string;
}

const costWidth = 8;
const chartWidths = { wide: 20, narrow: 10 };
const wideColumns = 100;
const leastLabel = 14;
const gap = '   ';

/** One row: a name, its cost, a chart and notes. */
interface Line {
  readonly label: string;
  readonly cost: number;
  readonly chart: string;
  /** A percentage before the notes, at a width of its own. */
  readonly share?: string;
  readonly notes: readonly string[];
}

/** The rows of the usage screen: this session, the period, and below the rows of a table. */
export function renderUsage(view: UsageView, width: number): readonly string[] {
  const charted = width < wideColumns ? chartWidths.narrow : chartWidths.wide;
  const lines = linesOf(view, charted);
  const most = Math.max(leastLabel, Math.floor(width * 0.3));
  const widest = Math.max(0, ...lines.map(({ label }) => textWidth(label) + 2));
  const labelWidth = Math.min(most, Math.max(leastLabel, widest));
  return lines.map((line) => renderLine(line, { labelWidth, charted, width, look: view.look }));
}

function linesOf(view: UsageView, charted: number): readonly Line[] {
  const { figures, period, by, look } = view;
  const report = figures.report(period);
  const total = totalOf(report);
  const rows = report.rows.filter((row) => row.by === by);
  const whole = rows.reduce((sum, row) => sum + sizeOf(row), 0);
  return [
    sessionLine(figures.session, look, charted),
    ...(period === 'session' || !total ? [] : [periodLine(view, total, charted)]),
    ...rows.map((row) => ({
      label: view.nameOf(row),
      cost: row.cost,
      chart: thinBar(whole === 0 ? 0 : sizeOf(row) / whole, look, charted),
      share: whole === 0 ? '' : `${percent(sizeOf(row) / whole).padStart(4)} ${look.glyphs.separator} `,
      notes: rowNotes(row),
    })),
  ];
}

function sessionLine(session: SessionFigures, look: AppStyle, charted: number): Line {
  const { cost, sent, output, cachedShare, durationMs, budget } = session;
  return {
    label: 'This session',
    cost,
    chart: sparkline(session.prompts, look, charted),
    notes: [
      ...(budget === undefined ? [] : [shareOf(cost, budget)]),
      `${describeTokens(sent)} in`,
      ...(cachedShare === undefined ? [] : [`${percent(cachedShare)} cached`]),
      `${describeTokens(output)} out`,
      ...(durationMs === 0 ? [] : [describeTime(durationMs)]),
    ],
  };
}

function periodLine({ figures, period, look }: UsageView, total: UsageRow, charted: number): Line {
  const report = figures.report(period);
  const lost = report.rows.reduce((sum, row) => sum + (row.by === 'cache-break' ? row.cost : 0), 0);
  const { dayBudget } = figures;
  return {
    label: periodName(period),
    cost: total.cost,
    chart: sparkline(daySizes(report), look, charted),
    notes: [
      ...(dayBudget === undefined ? [] : [`today ${shareOf(figures.today(), dayBudget)}`]),
      ...(lost > 0 ? [`${describeMoney(lost)} lost to a broken cache: /context`] : []),
      pluralize(report.sessions, 'session'),
    ],
  };
}

/** `14 days`. */
export function periodName(period: UsagePeriod): string {
  if (period === 'session') return 'this session';
  return period === 'all' ? 'All days' : pluralize(period, 'day');
}

function rowNotes({ by, calls, detail = '', ...row }: UsageRow): readonly string[] {
  if (by === 'cache-break') return [pluralize(calls, 'time'), ...(detail === '' ? [] : [detail])];
  const sent = row.input + row.cacheRead + row.cacheWrite;
  return [pluralize(calls, by === 'tool' ? 'call' : 'model call'), `${describeTokens(sent)} in`];
}

function shareOf(cost: number, budget: number): string {
  return `${budget === 0 ? '100%' : percent(cost / budget)} of ${describeMoney(budget).replace(/\.00$/, '')}`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}

interface LineLayout {
  readonly labelWidth: number;
  readonly charted: number;
  readonly width: number;
  readonly look: AppStyle;
}

/** Below this width charts are left out. */
const chartedWidth = 60;

function renderLine(line: Line, { labelWidth, charted, width, look }: LineLayout): string {
  const { glyphs, paint } = look;
  const label = truncateText(oneLine(line.label), labelWidth - 1, glyphs.ellipsis);
  const money = describeMoney(line.cost).padStart(costWidth);
  const chart =
    width < chartedWidth ? '' : gap + line.chart + ' '.repeat(Math.max(0, charted - textWidth(line.chart)));
  const notes = paint('dim', `${line.share ?? ''}${line.notes.map(oneLine).join(` ${glyphs.separator} `)}`);
  const left = label + ' '.repeat(labelWidth - textWidth(label));
  return truncateText(`${left}${money}${chart}${gap}${notes}`, width, glyphs.ellipsis);
}

/** A bar of a share from 0 to 1. */
function thinBar(share: number, { glyphs, paint }: AppStyle, columns: number): string {
  const filled = Math.max(share > 0 ? 1 : 0, Math.round(share * columns));
  return (
    paint('accent', glyphs.barThin.repeat(filled)) +
    paint('border', glyphs.horizontal.repeat(columns - filled))
  );
}

/** Sizes one after the other as columns of different height; neighbours are added up where there are too many. */
function sparkline(sizes: readonly number[], { glyphs, paint }: AppStyle, columns: number): string {
  const step = Math.ceil(sizes.length / columns);
  const sums: number[] = [];
  // From the end, so that the last column is whole.
  for (let end = sizes.length; end > 0; end -= step)
    sums.unshift(sizes.slice(Math.max(0, end - step), end).reduce((sum, size) => sum + size, 0));
  const largest = Math.max(0, ...sums);
  const { spark } = glyphs;
  const heights = sums.map((sum) =>
    largest === 0 ? spark[0] : spark[Math.min(spark.length - 1, Math.floor((sum / largest) * spark.length))],
  );
  return paint('accent', heights.join(''));
}
