import { AgentError } from '@robota-sdk/agent-core';
import { type HostEnvironment, loadConfig, type Model } from '@robota-sdk/agent-sdk/front-end';
import type { BudgetLimits } from '@robota-sdk/agent-sessions';
import {
  dayOf,
  readUsageInTurns,
  type SessionFacts,
  type UsageQuery,
  type UsageReport,
  usageCsv,
  usageReport,
  usageSeries,
} from '@robota-sdk/agent-usage';
import type { WebRequest, WebRoute } from '../contract/route.ts';
import type { UsageReply } from '../contract/usage.ts';

export interface UsageRoutesOptions {
  /** The user's root folder, as `robota usage` reads it. */
  readonly root: string;
  readonly host: HostEnvironment;
  /** The time; that of the machine unless given. */
  readonly now?: () => number;
}

/** Usage of all stored sessions, with the numbers of `robota usage`. */
export function usageRoutes(options: UsageRoutesOptions): WebRoute[] {
  const { root, now = Date.now } = options;
  const read = sharedRead(root);
  return [
    {
      method: 'GET',
      path: '/api/usage',
      handle: async (request) => ({ json: await usageOf(await read(), queryOf(request, now()), options) }),
    },
    {
      method: 'GET',
      path: '/api/usage.csv',
      handle: async (request) => {
        const query = queryOf(request, now());
        const { rows } = usageReport(await read(), query);
        const fileName = `robota-usage-${query.since}-${query.until}.csv`;
        return { text: usageCsv(rows), type: 'text/csv; charset=utf-8', fileName };
      },
    },
  ];
}

/** Reads the usage of all sessions, once for all that ask meanwhile. */
function sharedRead(root: string): () => Promise<readonly SessionFacts[]> {
  let reading: Promise<readonly SessionFacts[]> | undefined;
  const read = async () => (await readUsageInTurns(root)).sessions;
  return () => {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  };
}

type DayQuery = UsageQuery & { readonly since: string; readonly until: string };

const dayMs = 24 * 60 * 60 * 1000;
const usualDays = 30;

/** The last 30 days unless the page names others. */
function queryOf({ query }: WebRequest, now: number): DayQuery {
  const until = dayIn(query, 'until') ?? dayOf(now);
  const since = dayIn(query, 'since') ?? dayOf(now - (usualDays - 1) * dayMs);
  const project = query.get('project') || undefined;
  return { since, until, ...(project === undefined ? {} : { project }) };
}

function dayIn(query: URLSearchParams, name: string): string | undefined {
  const text = query.get(name);
  if (text === null || text === '') return undefined;
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return text;
  throw new AgentError('usage', `Expected a day such as 2026-01-31 as "${name}".`);
}

async function usageOf(
  sessions: readonly SessionFacts[],
  query: DayQuery,
  options: UsageRoutesOptions,
): Promise<UsageReply> {
  const { now = Date.now } = options;
  const report = usageReport(sessions, query);
  const config = await loadConfig(options.host.home, { host: options.host });
  const saved = savedBy(report, config.catalogue.models);
  return {
    report,
    series: usageSeries(sessions, query),
    since: query.since,
    until: query.until,
    projects: projectsOf(sessions),
    projectSessions: sessionsByProject(sessions, query),
    budgets: budgetsOf(sessions, { limits: config.settings.budget, now: now(), query }),
    ...(saved === undefined ? {} : { saved }),
    unpriced: report.rows.flatMap(({ by, name, cost, calls }) =>
      by === 'model' && cost === 0 && calls > 0 ? name : [],
    ),
  };
}

/** Everything that used something, the most expensive first. */
function projectsOf(sessions: readonly SessionFacts[]): readonly string[] {
  const costs = new Map<string, number>();
  for (const { project, spent } of sessions) {
    if (spent.length === 0) continue;
    costs.set(project, (costs.get(project) ?? 0) + costOf(spent, () => true));
  }
  return [...costs].sort(([, a], [, b]) => b - a).map(([project]) => project);
}

function costOf(spent: SessionFacts['spent'], isWanted: (day: string) => boolean): number {
  return spent.reduce((sum, { day, cost }) => sum + (isWanted(day) ? cost : 0), 0);
}

/** How many sessions of each project used something on the days. */
function sessionsByProject(sessions: readonly SessionFacts[], query: DayQuery): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { project, spent } of sessions)
    if (spent.some(({ day }) => isWithin(day, query))) counts[project] = (counts[project] ?? 0) + 1;
  return counts;
}

function isWithin(day: string, { since, until }: DayQuery): boolean {
  return day >= since && day <= until;
}

/** The price of the tokens that came from the cache, above what was paid for them. */
function savedBy(report: UsageReport, models: readonly Model[]): number | undefined {
  const priced = report.rows.flatMap(({ by, name, cacheRead }) => {
    const price = models.find(({ vendor, id }) => by === 'model' && name === `${vendor}/${id}`)?.price;
    return price ? (cacheRead * (price.input - (price.cacheRead ?? price.input))) / 1e6 : [];
  });
  return priced.length === 0 ? undefined : priced.reduce((sum, each) => sum + each, 0);
}

function budgetsOf(
  sessions: readonly SessionFacts[],
  { limits, now, query }: { readonly limits: BudgetLimits; readonly now: number; readonly query: DayQuery },
): UsageReply['budgets'] {
  const today = dayOf(now);
  const first = `${today.slice(0, 8)}01`;
  const sumOf = (isWanted: (day: string) => boolean) =>
    Math.round(sessions.reduce((sum, { spent }) => sum + costOf(spent, isWanted), 0) * 1e8) / 1e8;
  const month = sumOf((on) => on >= first && on <= today);
  const [year = 0, number = 1, day = 1] = today.split('-').map(Number);
  const days = new Date(year, number, 0).getDate();
  const costs = sessions.map(({ spent }) => costOf(spent, (on) => isWithin(on, query)));
  const dearest = costs.reduce((most, cost) => Math.max(most, cost), 0);
  const spentToday = sumOf((on) => on === today);
  return { ...limits, today: spentToday, dearest, month, forecast: (month / day) * days };
}
