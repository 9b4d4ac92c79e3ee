/** Formats a number of tokens: `950`, `12.4K`, `200K`, `1M`. */
export function describeTokens(count: number): string {
  if (count < 1000) return String(Math.round(count));
  if (count < 999_500) return `${shortNumber(count / 1000)}K`;
  return `${shortNumber(count / 1_000_000)}M`;
}

function shortNumber(value: number): string {
  const rounded = value < 100 ? Math.round(value * 10) / 10 : Math.round(value);
  return String(rounded);
}
