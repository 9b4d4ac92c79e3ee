import type { UsageRow } from '../rows/usage-rows.ts';

const columns = [
  'by',
  'name',
  'calls',
  'input',
  'output',
  'cacheRead',
  'cacheWrite',
  'cost',
  'cachedShare',
  'detail',
] as const satisfies readonly (keyof UsageRow)[];

/** The rows as comma-separated values, with a line of names (RFC 4180). */
export function usageCsv(rows: readonly UsageRow[]): string {
  const lines = rows.map((row) => columns.map((column) => cellOf(row[column])).join(','));
  return [columns.join(','), ...lines].map((line) => `${line}\r\n`).join('');
}

function cellOf(value: string | number | null | undefined): string {
  if (typeof value === 'number') return String(value);
  // A spreadsheet would run a text that begins like a formula.
  const text = (value ?? '').replace(/^[=+@\t\r-]/, "'$&");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
