import { sep } from 'node:path';
import { nothingUsed, type SessionFacts, type Used } from '../facts/session-facts.ts';

/** The subjects of rows. */
export const usageDimensions = [
  'total',
  'day',
  'project',
  'model',
  'agent',
  'tool',
  'purpose',
  'cache-break',
] as const;

export type UsageDimension = (typeof usageDimensions)[number];

/** One line of any table or chart of usage. */
export interface UsageRow extends Used {
  readonly by: UsageDimension;
  readonly name: string;
  /** The part of the tokens sent that came from the cache, from 0 to 1; null where none were sent. */
  readonly cachedShare: number | null;
  /** Of a break of the cache: what changed the last time. */
  readonly detail?: string;
}

export interface UsageQuery {
  /** The first and the last day, `2026-01-31`. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** Only sessions in this directory, and in those below it. */
  readonly project?: string | undefined;
}

/** Everything that front ends show of usage. */
export interface UsageReport extends UsageQuery {
  /** How many sessions used something. */
  readonly sessions: number;
  readonly rows: readonly UsageRow[];
}

/** Makes the rows of all tables; days in their order, the rest by cost. */
export function usageReport(sessions: readonly SessionFacts[], query: UsageQuery = {}): UsageReport {
  const sums = new Map(usageDimensions.map((by) => [by, new Sums()]));
  const add = (by: UsageDimension, name: string, used: Used) => sums.get(by)?.add(name, used);
  const details = new Map<string, { readonly day: string; readonly detail: string }>();
  let count = 0;
  for (const facts of sessions) {
    if (!isWithinProject(facts.project, query.project)) continue;
    const { spent, tools, breaks } = within(facts, query);
    if (spent.length === 0) continue;
    count += 1;
    for (const fact of spent) {
      add('total', 'total', fact);
      add('project', facts.project, fact);
      for (const by of ['day', 'model', 'agent', 'purpose'] as const) add(by, fact[by], fact);
    }
    for (const fact of tools) add('tool', fact.tool, fact);
    for (const fact of breaks) {
      add('cache-break', fact.reason, fact);
      if (fact.day >= (details.get(fact.reason)?.day ?? '')) details.set(fact.reason, fact);
    }
  }
  if (count === 0) add('total', 'total', nothingUsed);
  const rows = usageDimensions.flatMap((by) => sums.get(by)?.rows(by) ?? []);
  const detailed = (row: UsageRow) => ({
    ...row,
    cachedShare: null,
    detail: details.get(row.name)?.detail ?? '',
  });
  return {
    ...query,
    sessions: count,
    rows: rows.map((row) => (row.by === 'cache-break' ? detailed(row) : row)),
  };
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Adds up in place: tens of thousands of sessions have hundreds of thousands of facts. */
class Sums {
  readonly #byName = new Map<string, Writable<Used>>();

  add(name: string, { calls, input, output, cacheRead, cacheWrite, cost }: Used): void {
    const sum = this.#byName.get(name) ?? { ...nothingUsed };
    sum.calls += calls;
    sum.input += input;
    sum.output += output;
    sum.cacheRead += cacheRead;
    sum.cacheWrite += cacheWrite;
    sum.cost += cost;
    this.#byName.set(name, sum);
  }

  rows(by: UsageDimension): UsageRow[] {
    const rows = [...this.#byName].map(([name, used]) => rowOf(by, name, used));
    return by === 'day' ? rows.sort((a, b) => (a.name < b.name ? -1 : 1)) : rows.sort(byCost);
  }
}

/** Models without a price are ordered by their tokens. */
function byCost(a: UsageRow, b: UsageRow): number {
  const tokens = ({ input, output, cacheRead, cacheWrite }: Used) => input + output + cacheRead + cacheWrite;
  return b.cost - a.cost || tokens(b) - tokens(a) || (a.name < b.name ? -1 : 1);
}

function rowOf(by: UsageDimension, name: string, { calls, cost, ...tokens }: Used): UsageRow {
  const { input, output, cacheRead, cacheWrite } = tokens;
  const sent = input + cacheRead + cacheWrite;
  return {
    by,
    name,
    calls,
    input: Math.round(input),
    output: Math.round(output),
    cacheRead: Math.round(cacheRead),
    cacheWrite: Math.round(cacheWrite),
    cost: Math.round(cost * 1e8) / 1e8,
    cachedShare: sent > 0 ? Math.round((cacheRead / sent) * 1e4) / 1e4 : null,
  };
}

function within(facts: SessionFacts, { since = '', until = '9999' }: UsageQuery): SessionFacts {
  if (since === '' && until === '9999') return facts;
  const isWanted = ({ day }: { readonly day: string }) => day >= since && day <= until;
  return {
    project: facts.project,
    spent: facts.spent.filter(isWanted),
    tools: facts.tools.filter(isWanted),
    breaks: facts.breaks.filter(isWanted),
  };
}

/** True for the directory of a project and those below it. */
export function isWithinProject(directory: string, project: string | undefined): boolean {
  return project === undefined || directory === project || directory.startsWith(`${project}${sep}`);
}
