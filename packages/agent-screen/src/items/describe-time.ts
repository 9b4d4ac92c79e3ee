/** Formats a duration: `0.4s`, `12s`, `4m10s`, `2h 1m`. */
export function describeTime(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 10) return `${Math.max(0, seconds).toFixed(1)}s`;
  return describeSeconds(Math.round(seconds));
}

/** The same without parts of a second, for times that are still running. */
export function describeSeconds(whole: number): string {
  if (whole < 60) return `${whole}s`;
  if (whole < 3600) return `${Math.floor(whole / 60)}m${whole % 60}s`;
  return `${Math.floor(whole / 3600)}h ${Math.floor((whole % 3600) / 60)}m`;
}
