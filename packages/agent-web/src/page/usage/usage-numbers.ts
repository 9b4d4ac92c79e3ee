import type { UsageReply } from '../../contract/usage.ts';
import { modelName } from '../base/format.ts';

/** The page's own names of what is measured. */
export type Measure = 'cost' | 'tokens';

/** A model as a part of each bar, in its colour. */
export interface Series {
  /** `vendor/id` of the models that it stands for. */
  readonly models: readonly string[];
  readonly name: string;
  /** 1 to 4: the colours of plots, always in this order. */
  readonly colour: 1 | 2 | 3 | 4;
}

/** One day of a plot. */
export interface DayColumn {
  /** `2026-01-31`. */
  readonly day: string;
  /** One number for each series. */
  readonly values: readonly number[];
  readonly total: number;
}

const colours = [1, 2, 3, 4] as const;

/** The three models that cost most, and all others together. */
export function seriesOf({ report, unpriced }: UsageReply): readonly Series[] {
  const models = report.rows.filter(({ by }) => by === 'model').map(({ name }) => name);
  const own = models.length <= colours.length ? models : models.slice(0, colours.length - 1);
  const rest = models.slice(own.length);
  const named = own.map((model) => ({ models: [model], name: labelOf(model, unpriced) }));
  const groups = rest.length === 0 ? named : [...named, { models: rest, name: `${rest.length} others` }];
  return groups.map((group, index) => ({ ...group, colour: colours[index] ?? 4 }));
}

function labelOf(model: string, unpriced: readonly string[]): string {
  const name = modelName(model);
  return unpriced.includes(model) ? `${name}, no price` : name;
}

/** Every day of the range, also those without usage. */
export function columnsOf(
  { since, until, series }: UsageReply,
  shown: readonly Series[],
  measure: Measure,
): readonly DayColumn[] {
  const known = new Map(series.days.map(({ day, models }) => [day, models]));
  return daysBetween(since, until).map((day) => {
    const models = known.get(day) ?? [];
    const values = shown.map((group) =>
      models
        .filter(({ model }) => group.models.includes(model))
        .reduce((sum, used) => sum + (measure === 'cost' ? used.cost : tokensOf(used)), 0),
    );
    return { day, values, total: values.reduce((sum, value) => sum + value, 0) };
  });
}

interface Tokens {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

export function tokensOf({ input, output, cacheRead, cacheWrite }: Tokens): number {
  return input + output + cacheRead + cacheWrite;
}

export function sentOf({ input, cacheRead, cacheWrite }: Tokens): number {
  return input + cacheRead + cacheWrite;
}

const dayMs = 24 * 60 * 60 * 1000;

/** All days from the first to the last, in a calendar without time zones. */
export function daysBetween(since: string, until: string): readonly string[] {
  const days: string[] = [];
  for (let day = since; day <= until && days.length < 1000; day = dayAfter(day, 1)) days.push(day);
  return days;
}

/** The day that lies some days before or after another one. */
export function dayAfter(day: string, count: number): string {
  return new Date(Date.parse(day) + count * dayMs).toISOString().slice(0, 10);
}

/** Today, in the time of the device. */
export function today(): string {
  return new Date().toLocaleDateString('sv');
}

/** A day as `4 Nov`, or `Wed 4 Nov`, or `4 November`. */
export function dayName(day: string, form: 'short' | 'weekday' | 'long' = 'short'): string {
  const options: Intl.DateTimeFormatOptions = {
    day: 'numeric',
    month: form === 'long' ? 'long' : 'short',
    ...(form === 'weekday' ? { weekday: 'short' } : {}),
    timeZone: 'UTC',
  };
  return new Date(`${day}T00:00:00Z`).toLocaleDateString('en-GB', options).replace(',', '');
}

/** The end of an axis and its steps: round numbers, at most five steps. */
export function axisFor(largest: number): { readonly end: number; readonly ticks: readonly number[] } {
  if (!(largest > 0)) return { end: 1, ticks: [0, 1] };
  const rough = largest / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step =
    [1, 2, 2.5, 4, 5, 10].map((factor) => factor * power).find((each) => each * 4 >= largest) ?? rough;
  const count = Math.ceil(largest / step - 1e-9);
  return { end: step * count, ticks: Array.from({ length: count + 1 }, (_, index) => index * step) };
}

/** Days that get a label: evenly spaced, the last one among them. */
export function labelledDays(days: readonly string[], most = 8): ReadonlySet<number> {
  const step = Math.max(1, Math.ceil(days.length / most));
  const labelled = new Set<number>();
  for (let index = days.length - 1; index >= 0; index -= step) labelled.add(index);
  return labelled;
}

/** `164.8M` for tokens. */
export function tokenText(count: number): string {
  if (count >= 1e6) return `${(count / 1e6).toFixed(count >= 1e9 ? 0 : 1)}M`;
  if (count >= 1000) return `${Math.round(count / 1000)}k`;
  return String(Math.round(count));
}

/** Cached share of each day, from 0 to 1; undefined for days on which nothing was sent. */
export function sharesOf({ report, since, until }: UsageReply): readonly (number | undefined)[] {
  const rows = new Map(report.rows.filter(({ by }) => by === 'day').map((row) => [row.name, row]));
  return daysBetween(since, until).map((day) => rows.get(day)?.cachedShare ?? undefined);
}

/** A cause of breaks with everything that is said of it. */
export interface BreakCause {
  readonly reason: string;
  readonly title: string;
  readonly detail: string;
  readonly help: string;
  readonly when: string;
  readonly count: number;
  readonly tokens: number;
  readonly cost: number;
  /** The letter of its mark in the plot, for causes of few days. */
  readonly mark?: string;
  /** The day on which it cost most. */
  readonly worst: string;
}

const letters = 'ABCD';
const markedDays = 3;
const markedShare = 0.1;

const causes: Readonly<Record<string, { readonly title: string; readonly help: string }>> = {
  'tools changed': { title: 'Tool list changed', help: 'Defer the tools of servers that restart' },
  'system prompt changed': { title: 'Instructions edited', help: 'Edit instructions between sessions' },
  'provider expired': { title: 'Cache expired', help: 'Answer sooner, or use the one-hour cache' },
  'model changed': { title: 'Model switched', help: 'Keep one model per session' },
  'thinking changed': { title: 'Thinking level changed', help: 'Keep one level per session' },
  'history rewritten': { title: 'History rewritten', help: 'Expected after a compaction' },
  'session resumed': { title: 'Session resumed', help: 'Expected after a break' },
};

/** Causes by their cost. Large ones of a few days get a mark in the plot. */
export function causesOf({ series }: UsageReply): readonly BreakCause[] {
  const reasons = new Map<string, (typeof series.breaks)[number][]>();
  for (const each of series.breaks) reasons.set(each.reason, [...(reasons.get(each.reason) ?? []), each]);
  const rows = [...reasons].map(([reason, days]) => {
    const sum = (pick: (day: (typeof days)[number]) => number) =>
      days.reduce((total, day) => total + pick(day), 0);
    const worst = days.reduce((most, day) => (day.cost > most.cost ? day : most)).day;
    return {
      reason,
      title: causes[reason]?.title ?? reason,
      help: causes[reason]?.help ?? '',
      detail: detailOf(days),
      when: whenOf(days.map(({ day }) => day)),
      count: sum(({ count }) => count),
      tokens: sum(({ tokens }) => tokens),
      cost: sum(({ cost }) => cost),
      worst,
      isShort: days.length <= markedDays,
    };
  });
  const lost = rows.reduce((total, { cost }) => total + cost, 0);
  let marks = 0;
  return rows
    .sort((a, b) => b.cost - a.cost || b.tokens - a.tokens)
    .map(({ isShort, ...row }) => {
      const isMarked = isShort && row.cost > lost * markedShare && marks < letters.length;
      return isMarked ? { ...row, mark: letters[marks++] ?? '' } : row;
    });
}

function detailOf(
  days: readonly { readonly detail: string; readonly count: number; readonly sessions: number }[],
) {
  const count = days.reduce((sum, day) => sum + day.count, 0);
  const last = days.at(-1)?.detail ?? '';
  const times = count === 1 ? 'once' : `${count} times`;
  return last === '' ? times : `${last}, ${times}`;
}

/** `3–4 Nov` for neighbouring days, else how many. */
function whenOf(days: readonly string[]): string {
  const [first = ''] = days;
  const last = days.at(-1) ?? first;
  if (days.length === 1) return dayName(first);
  const isRow = daysBetween(first, last).length === days.length;
  if (!isRow) return `${days.length} days`;
  const isSameMonth = first.slice(0, 7) === last.slice(0, 7);
  return `${isSameMonth ? Number(first.slice(8)) : dayName(first)}–${dayName(last)}`;
}
