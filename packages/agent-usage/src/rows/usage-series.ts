import { addUsed, nothingUsed, type SessionFacts, type Used } from '../facts/session-facts.ts';
import { isWithinProject, type UsageQuery } from './usage-rows.ts';

/** Usage by day, for charts. */
export interface UsageSeries {
  /** Days with usage in their order, each with its models. */
  readonly days: readonly DayUsage[];
  /** Breaks of the prompt cache by reason and day. */
  readonly breaks: readonly DayBreaks[];
}

export interface DayUsage {
  readonly day: string;
  readonly models: readonly (Used & { readonly model: string })[];
}

export interface DayBreaks {
  readonly day: string;
  readonly reason: string;
  /** How often it happened. */
  readonly count: number;
  /** In how many sessions. */
  readonly sessions: number;
  readonly tokens: number;
  readonly cost: number;
  /** Of the last one. */
  readonly detail: string;
}

/** Adds up the same facts as `usageReport`, by day and model. */
export function usageSeries(sessions: readonly SessionFacts[], query: UsageQuery = {}): UsageSeries {
  const { since = '', until = '9999' } = query;
  const isWanted = ({ day }: { readonly day: string }) => day >= since && day <= until;
  const wanted = sessions.filter(({ project }) => isWithinProject(project, query.project));
  return { days: daysOf(wanted, isWanted), breaks: breaksOf(wanted, isWanted) };
}

type IsWanted = (fact: { readonly day: string }) => boolean;

function daysOf(sessions: readonly SessionFacts[], isWanted: IsWanted): readonly DayUsage[] {
  const days = new Map<string, Map<string, Used>>();
  for (const fact of sessions.flatMap(({ spent }) => spent).filter(isWanted)) {
    const models = days.get(fact.day) ?? new Map<string, Used>();
    models.set(fact.model, addUsed(models.get(fact.model) ?? nothingUsed, fact));
    days.set(fact.day, models);
  }
  return [...days]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([day, models]) => ({ day, models: [...models].map(([model, used]) => ({ model, ...used })) }));
}

function breaksOf(sessions: readonly SessionFacts[], isWanted: IsWanted): readonly DayBreaks[] {
  const sums = new Map<string, DayBreaks>();
  for (const fact of sessions.flatMap(({ breaks }) => breaks).filter(isWanted)) {
    const { day, reason, calls, input, cost, detail } = fact;
    const key = JSON.stringify([day, reason]);
    const known = sums.get(key);
    sums.set(key, {
      day,
      reason,
      count: (known?.count ?? 0) + calls,
      sessions: (known?.sessions ?? 0) + 1,
      tokens: (known?.tokens ?? 0) + input,
      cost: (known?.cost ?? 0) + cost,
      detail,
    });
  }
  return [...sums.values()].toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : b.cost - a.cost));
}
