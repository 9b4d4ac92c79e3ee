import { sep } from 'node:path';
import {
  addUsed,
  nothingUsed,
  type SessionFacts,
  type SpentFact,
  type Used,
} from '../facts/session-facts.ts';

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
  const wanted = sessions
    .filter(({ project }) => isWithinProject(project, query.project))
    .map((facts) => within(facts, query))
    .filter(({ spent }) => spent.length > 0);
  const spent = wanted.flatMap((facts) => facts.spent);
  const projects = wanted.flatMap(({ project, spent: own }) => own.map((fact) => ({ ...fact, project })));
  const by = (dimension: UsageDimension, name: (fact: SpentFact) => string) =>
    grouped(dimension, spent, name);
  const breaks = wanted.flatMap((facts) => facts.breaks);
  const details = new Map(
    breaks.toSorted((a, b) => (a.day < b.day ? -1 : 1)).map(({ reason, detail }) => [reason, detail]),
  );
  return {
    ...query,
    sessions: wanted.length,
    rows: [
      rowOf('total', 'total', spent.reduce<Used>(addUsed, nothingUsed)),
      ...by('day', ({ day }) => day).toSorted((a, b) => (a.name < b.name ? -1 : 1)),
      ...grouped('project', projects, ({ project }) => project),
      ...by('model', ({ model }) => model),
      ...by('agent', ({ agent }) => agent),
      ...grouped(
        'tool',
        wanted.flatMap((facts) => facts.tools),
        ({ tool }) => tool,
      ),
      ...by('purpose', ({ purpose }) => purpose),
      ...grouped('cache-break', breaks, ({ reason }) => reason).map((row) => ({
        ...row,
        cachedShare: null,
        detail: details.get(row.name) ?? '',
      })),
    ],
  };
}

function grouped<F extends Used>(
  by: UsageDimension,
  facts: readonly F[],
  nameOf: (fact: F) => string,
): UsageRow[] {
  const sums = new Map<string, Used>();
  for (const fact of facts) {
    const name = nameOf(fact);
    sums.set(name, addUsed(sums.get(name) ?? nothingUsed, fact));
  }
  return [...sums].map(([name, used]) => rowOf(by, name, used)).sort(byCost);
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
