import { AgentError } from '@robota-sdk/agent-core';
import { type HostEnvironment, loadConfig, type Model } from '@robota-sdk/agent-sdk/front-end';
import type { BudgetLimits } from '@robota-sdk/agent-sessions';
import {
  dayOf,
  readUsage,
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
  return [
    {
      method: 'GET',
      path: '/api/usage',
      handle: async (request) => ({ json: await usageOf(queryOf(request, now()), options) }),
    },
    {
      method: 'GET',
      path: '/api/usage.csv',
      handle: (request) => {
        const query = queryOf(request, now());
        const { rows } = usageReport(readUsage(root).sessions, query);
        const fileName = `robota-usage-${query.since}-${query.until}.csv`;
        return { text: usageCsv(rows), type: 'text/csv; charset=utf-8', fileName };
      },
    },
  ];
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

async function usageOf(query: DayQuery, options: UsageRoutesOptions): Promise<UsageReply> {
  const { root, now = Date.now } = options;
  const { sessions } = readUsage(root);
  const report = usageReport(sessions, query);
  const everything = usageReport(sessions);
  const config = await loadConfig(options.host.home, { host: options.host });
  const saved = savedBy(report, config.catalogue.models);
  return {
    report,
    series: usageSeries(sessions, query),
    since: query.since,
    until: query.until,
    projects: everything.rows.flatMap(({ by, name }) => (by === 'project' ? name : [])),
    projectSessions: sessionsByProject(sessions, query),
    budgets: budgetsOf(sessions, { limits: config.settings.budget, now: now(), query }),
    ...(saved === undefined ? {} : { saved }),
    unpriced: report.rows.flatMap(({ by, name, cost, calls }) =>
      by === 'model' && cost === 0 && calls > 0 ? name : [],
    ),
  };
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
  const spent = (since: string) => usageReport(sessions, { since, until: today }).rows[0]?.cost ?? 0;
  const month = spent(first);
  const [year = 0, number = 1, day = 1] = today.split('-').map(Number);
  const days = new Date(year, number, 0).getDate();
  const costs = sessions.map((session) =>
    session.spent.reduce((sum, { day: on, cost }) => sum + (isWithin(on, query) ? cost : 0), 0),
  );
  const dearest = costs.reduce((most, cost) => Math.max(most, cost), 0);
  return { ...limits, today: spent(today), dearest, month, forecast: (month / day) * days };
}
