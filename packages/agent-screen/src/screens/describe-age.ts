import { describeDate } from '../items/describe-time.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** How long ago something was: `now`, `5m ago`, `3h ago`, `yesterday`, `3 Nov`, `3 Nov 2025`. */
export function describeAge(time: number, now = Date.now()): string {
  const age = Math.max(0, now - time);
  if (Number.isNaN(age)) return '';
  if (age < minute) return 'now';
  if (age < hour) return `${Math.floor(age / minute)}m ago`;
  if (new Date(time).toDateString() === new Date(now - day).toDateString())
    return age < 6 * hour ? hoursAgo(age) : 'yesterday';
  if (age < day) return hoursAgo(age);
  return describeDate(time, now);
}

function hoursAgo(age: number): string {
  return `${Math.floor(age / hour)}h ago`;
}
