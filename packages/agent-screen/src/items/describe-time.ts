/** Formats a duration: `0.4s`, `12s`, `4m10s`, `2h 1m`. */
export function describeTime(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 10) return `${Math.max(0, seconds).toFixed(1)}s`;
  return describeSeconds(Math.round(seconds));
}

/** `25m`, `3h 12m`, `4d 2h`. */
export function describeMinutes(whole: number): string {
  if (whole < 60) return `${whole}m`;
  if (whole < 72 * 60) return `${Math.floor(whole / 60)}h ${whole % 60}m`;
  return `${Math.floor(whole / 1440)}d ${Math.floor((whole % 1440) / 60)}h`;
}

/** The same without parts of a second, for times that are still running. */
export function describeSeconds(whole: number): string {
  if (whole < 60) return `${whole}s`;
  if (whole < 3600) return `${Math.floor(whole / 60)}m${whole % 60}s`;
  return `${Math.floor(whole / 3600)}h ${Math.floor((whole % 3600) / 60)}m`;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** A date: `3 Nov`, or `3 Nov 2025` of another year. */
export function describeDate(time: number, now: number): string {
  const date = new Date(time);
  const short = `${date.getDate()} ${months[date.getMonth()]}`;
  return date.getFullYear() === new Date(now).getFullYear() ? short : `${short} ${date.getFullYear()}`;
}
