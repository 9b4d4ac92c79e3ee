const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** How long ago something was: `now`, `5m ago`, `3h ago`, `2d ago`, `6w ago`, `2y ago`. */
export function describeAge(time: number, now = Date.now()): string {
  const age = Math.max(0, now - time);
  if (Number.isNaN(age)) return '';
  if (age < minute) return 'now';
  if (age < hour) return `${Math.floor(age / minute)}m ago`;
  if (age < day) return `${Math.floor(age / hour)}h ago`;
  if (age < 14 * day) return `${Math.floor(age / day)}d ago`;
  if (age < 365 * day) return `${Math.floor(age / (7 * day))}w ago`;
  return `${Math.floor(age / (365 * day))}y ago`;
}
