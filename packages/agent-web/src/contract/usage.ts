import type { UsageReport, UsageSeries } from '@robota-sdk/agent-usage';

/** Everything the page shows of usage. */
export interface UsageReply {
  /** The rows of `robota usage --json` for the same days and project. */
  readonly report: UsageReport;
  /** The same, cut by day. */
  readonly series: UsageSeries;
  /** The first and the last day that were asked for, `2026-01-31`. */
  readonly since: string;
  readonly until: string;
  /** Directories of all projects with usage, those that cost most first. */
  readonly projects: readonly string[];
  /** How many sessions of each project used something. */
  readonly projectSessions: Readonly<Record<string, number>>;
  readonly budgets: {
    /** US dollars of the settings. */
    readonly turn?: number;
    readonly session?: number;
    readonly day?: number;
    /** Spent today by every session together. */
    readonly today: number;
    /** Spent by the session that cost most in the time asked for. */
    readonly dearest: number;
    /** Spent since the first day of this month, and at this pace until its end. */
    readonly month: number;
    readonly forecast: number;
  };
  /** US dollars that the cache saved, as far as prices are known. */
  readonly saved?: number;
  /** Models of the report without a known price: they count in tokens only. */
  readonly unpriced: readonly string[];
}
