import {
  collectUsage,
  dayOf,
  type InteractiveSession,
  readUsage,
  spendingReport,
  type TurnSpending,
  type UsageReport,
  type UsageRow,
  usageReport,
  userPaths,
} from '@robota-sdk/agent-sdk/front-end';

/** The time that is added up: this session, so many days, or everything. */
export type UsagePeriod = 'session' | number | 'all';

/** The figures of the first row. */
export interface SessionFigures {
  readonly cost: number;
  readonly sent: number;
  readonly output: number;
  /** From 0 to 1; undefined where nothing was sent. */
  readonly cachedShare: number | undefined;
  readonly durationMs: number;
  /** The use of each prompt, in dollars or tokens. */
  readonly prompts: readonly number[];
  /** US dollars that the session may cost. */
  readonly budget: number | undefined;
}

type UsedTokens = Pick<UsageRow, 'cost' | 'input' | 'output' | 'cacheRead' | 'cacheWrite'>;

const dayMs = 24 * 60 * 60 * 1000;

/** Reads what this session and the stored ones used. */
export class UsageFigures {
  readonly session: SessionFigures;
  readonly dayBudget: number | undefined;
  readonly #own: Parameters<typeof usageReport>[0];
  readonly #root: string;
  #stored: Parameters<typeof usageReport>[0] | undefined;

  constructor(session: InteractiveSession) {
    const { exported } = session.branches;
    this.#own = exported ? [collectUsage(exported.header, exported.entries())] : [];
    this.#root = userPaths(session.place.host).root;
    this.session = figuresOf(session);
    this.dayBudget = session.settings?.budget.day;
  }

  /** The stored sessions were read. */
  get isRead(): boolean {
    return this.#stored !== undefined;
  }

  /** Reads the stored sessions, which may take a moment. */
  read(): void {
    this.#stored ??= readUsage(this.#root).sessions;
  }

  report(period: UsagePeriod, now = Date.now()): UsageReport {
    if (period === 'session') return usageReport(this.#own);
    const since = period === 'all' ? {} : { since: dayOf(now - (period - 1) * dayMs) };
    return usageReport(this.#stored ?? [], since);
  }

  /** US dollars spent today. */
  today(now = Date.now()): number {
    return totalOf(usageReport(this.#stored ?? [], { since: dayOf(now) }))?.cost ?? 0;
  }
}

export function totalOf({ rows }: UsageReport): UsageRow | undefined {
  return rows.find(({ by }) => by === 'total');
}

/** Dollars, or tokens where nothing has a price. */
export function sizeOf(used: UsedTokens): number {
  const { cost, input, output, cacheRead, cacheWrite } = used;
  return cost > 0 ? cost : (input + output + cacheRead + cacheWrite) / 1e12;
}

/** The size of each day of a period, those without usage among them. */
export function daySizes(report: UsageReport, now = Date.now()): readonly number[] {
  const sizes = new Map(report.rows.flatMap((row) => (row.by === 'day' ? [[row.name, sizeOf(row)]] : [])));
  const first = report.since ?? [...sizes.keys()].at(0);
  if (first === undefined) return [];
  const days: number[] = [];
  // Noon, since days with a change of the clock have 23 or 25 hours.
  const noon = new Date(now).setHours(12, 0, 0, 0);
  for (let time = noon; dayOf(time) >= first; time -= dayMs) days.push(sizes.get(dayOf(time)) ?? 0);
  return days.reverse();
}

function figuresOf(session: InteractiveSession): SessionFigures {
  const { usage, cost } = session.totals;
  const sent = usage.input + usage.cacheRead + usage.cacheWrite;
  const { turns } = spendingReport(session.spending.entries());
  return {
    cost,
    sent,
    output: usage.output,
    cachedShare: sent > 0 ? usage.cacheRead / sent : undefined,
    durationMs: workingTime(session, turns),
    prompts: turns.map((turn) => sizeOf({ ...turn.usage, cost: turn.cost })),
    budget: session.settings?.budget.session,
  };
}

/** How long the prompts took, each until its last message. */
function workingTime(session: InteractiveSession, turns: readonly TurnSpending[]): number {
  const ends = turns.map(({ startedAt }) => startedAt);
  let at = -1;
  for (const { type, timestamp } of session.branches.exported?.entries() ?? []) {
    if (type !== 'message') continue;
    const time = Date.parse(timestamp);
    while (time >= (turns[at + 1]?.startedAt ?? Number.POSITIVE_INFINITY)) at++;
    ends[at] = Math.max(time, ends[at] ?? time);
  }
  return turns.reduce((sum, { startedAt }, index) => sum + (ends[index] ?? startedAt) - startedAt, 0);
}
