export { collectUsage } from './facts/collect-facts.ts';
export { readUsage, readUsageInTurns, usageOfStore } from './facts/read-usage.ts';
export { dayOf, type SessionFacts } from './facts/session-facts.ts';
export { usageCsv } from './print/usage-csv.ts';
export { sessionUsageText, type UsageTextOptions, usageText } from './print/usage-text.ts';
export { type ModelSpending, spendingReport, type TurnSpending } from './rows/spending-report.ts';
export {
  type UsageDimension,
  type UsageQuery,
  type UsageReport,
  type UsageRow,
  usageDimensions,
  usageReport,
} from './rows/usage-rows.ts';
export { type DayBreaks, type DayUsage, type UsageSeries, usageSeries } from './rows/usage-series.ts';
