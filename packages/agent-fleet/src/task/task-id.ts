import { randomInt } from 'node:crypto';

const timeDigits = 8;
const randomDigits = 4;
const randomLimit = 36 ** randomDigits;
let last = { time: 0, random: 0 };

/**
 * A new id: the time in milliseconds, then a random number, in base 36. Ids sort by the time they were made. Within one
 * process each is larger than the one before, so the tasks of one command keep their order.
 */
export function newTaskId(now: number = Date.now()): string {
  const isLater = now > last.time;
  // Half of the range stays free for ids of the same millisecond.
  const random = isLater ? randomInt(randomLimit / 2) : last.random + 1;
  const time = Math.max(now, last.time) + (random < randomLimit ? 0 : 1);
  last = { time, random: random % randomLimit };
  return `${digits(time, timeDigits)}${digits(last.random, randomDigits)}`;
}

function digits(value: number, count: number): string {
  return value.toString(36).padStart(count, '0');
}
