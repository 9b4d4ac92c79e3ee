/** `1,234` as `1.2k` and `38,100` as `38k`, for places with little room. */
export function shortCount(count: number): string {
  if (count < 1000) return String(Math.round(count));
  if (count < 1_000_000) return `${trimmed(count / 1000)}k`;
  return `${trimmed(count / 1_000_000)}M`;
}

export function count(value: number): string {
  return Math.round(value).toLocaleString('en');
}

export function dollars(cost: number): string {
  if (cost === 0) return '$0';
  const digits = cost < 0.1 ? 4 : 2;
  return `$${cost.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })}`;
}

export function dateTime(time: number): string {
  return time === 0
    ? 'unknown'
    : new Date(time).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
}

export function clock(time: number): string {
  return time === 0 ? '' : new Date(time).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
}

/** `1 line`, `2 lines`. */
export function plural(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? '' : 's'}`;
}

function trimmed(value: number): string {
  return value >= 10 ? String(Math.round(value)) : value.toFixed(1).replace(/\.0$/, '');
}
