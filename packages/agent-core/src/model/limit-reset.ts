import type { AnswerHeaders } from '@robota-sdk/agent-http';
import { isJsonObject } from '../shape/json.ts';

/** A response that refuses a request, with everything that may contain the reset time. */
export interface LimitAnswer {
  readonly headers?: AnswerHeaders | undefined;
  /** The parsed body, or the error object in it. */
  readonly body?: unknown;
  /** The sentence for the user. */
  readonly text: string;
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Longer waits are treated as a mistake or a closed account. */
const longest = 35 * day;

/**
 * Milliseconds until a limit resets; undefined if the response does not say. Times of day are compared with the
 * server's clock, because this machine's may be wrong.
 */
export function resetIn({ headers, body, text }: LimitAnswer, localNow = Date.now()): number | undefined {
  const now = serverTime(headers) ?? localNow;
  return (
    believable(daily(body, now)) ??
    believable(headers && wishIn(headers, now)) ??
    believable(inBody(body, now)) ??
    believable(headers && inLimitHeaders(headers, now)) ??
    believable(inText(text, now))
  );
}

/** Reads `retry-after` (seconds, a date or Unix time) and `retry-after-ms`. */
export function retryAfter(headers: AnswerHeaders, localNow = Date.now()): number | undefined {
  return believable(wishIn(headers, serverTime(headers) ?? localNow));
}

/** A past time means nothing, because the request was refused now; one too far away is a mistake. */
function believable(wait: number | undefined): number | undefined {
  return wait !== undefined && wait > 0 && wait <= longest ? Math.ceil(wait) : undefined;
}

function serverTime(headers: AnswerHeaders | undefined): number | undefined {
  const time = Date.parse(headers?.get('date') ?? '');
  return Number.isNaN(time) ? undefined : time;
}

function wishIn(headers: AnswerHeaders, now: number): number | undefined {
  const milliseconds = Number(headers.get('retry-after-ms') ?? Number.NaN);
  if (Number.isFinite(milliseconds)) return milliseconds;
  const value = headers.get('retry-after');
  return value === null ? undefined : untilTime(value, now);
}

/** Google's daily limits state a wait of seconds, but reset at midnight Pacific time. */
function daily(body: unknown, now: number): number | undefined {
  const isDaily = detailsIn(body).some(
    ({ violations }) =>
      Array.isArray(violations) &&
      violations.some((violation) => isJsonObject(violation) && /PerDay/.test(String(violation.quotaId))),
  );
  return isDaily ? untilClock(0, 'America/Los_Angeles', now) : undefined;
}

function inBody(body: unknown, now: number): number | undefined {
  const error = errorIn(body);
  if (!error) return undefined;
  const { resets_at: at, resets_in_seconds: seconds, metadata } = error;
  if (typeof seconds === 'number') return seconds * second;
  if (typeof at === 'number' || typeof at === 'string') return untilTime(String(at), now);
  for (const { retryDelay } of detailsIn(body))
    if (typeof retryDelay === 'string') return durationOf(retryDelay);
  const copied = isJsonObject(metadata) && isJsonObject(metadata.headers) ? metadata.headers : undefined;
  return copied && inLimitHeaders(headersOf(copied), now);
}

/** A router copies the upstream vendor's headers into the body. */
function headersOf(fields: object): AnswerHeaders {
  const known = new Map(Object.entries(fields).map(([name, value]) => [name.toLowerCase(), String(value)]));
  return { get: (name) => known.get(name) ?? null };
}

function errorIn(body: unknown) {
  const outer = Array.isArray(body) ? body[0] : body;
  if (!isJsonObject(outer)) return undefined;
  return isJsonObject(outer.error) ? outer.error : outer;
}

function detailsIn(body: unknown) {
  const details = errorIn(body)?.details;
  return Array.isArray(details) ? details.filter(isJsonObject) : [];
}

/** Headers with a reset time, each with the header that counts what remains. */
const limitHeaders: readonly (readonly [reset: string, remaining: string])[] = [
  ...['unified', 'requests', 'tokens', 'input-tokens', 'output-tokens'].map(
    (kind) => [`anthropic-ratelimit-${kind}-reset`, `anthropic-ratelimit-${kind}-remaining`] as const,
  ),
  ...['requests', 'tokens']
    .flatMap((kind) => [kind, `${kind}-minute`, `${kind}-hour`, `${kind}-day`])
    .map((kind) => [`x-ratelimit-reset-${kind}`, `x-ratelimit-remaining-${kind}`] as const),
  ['x-ratelimit-reset', 'x-ratelimit-remaining'],
  ['ratelimit-reset', 'ratelimit-remaining'],
];

/** The longest wait among exhausted limits; a limit with something left did not cause the refusal. */
function inLimitHeaders(headers: AnswerHeaders, now: number): number {
  const waits = limitHeaders.flatMap(([reset, remaining]) => {
    const value = headers.get(reset);
    if (value === null || Number(headers.get(remaining) ?? 0) > 0) return [];
    return untilTime(value, now) ?? [];
  });
  return Math.max(...waits, ...inFields(headers.get('ratelimit') ?? ''));
}

/** The drafts of the IETF: `limit=50, remaining=0, reset=30`, and later a list of `"policy";r=0;t=30`. */
function inFields(value: string): readonly number[] {
  const limits = value.includes('"') ? value.split(',') : [value];
  return limits.flatMap((limit) => {
    const fields = new URLSearchParams(limit.replace(/[;,]\s*/g, '&'));
    const seconds = Number(fields.get('t') ?? fields.get('reset') ?? Number.NaN);
    const isSpent = Number(fields.get('r') ?? fields.get('remaining') ?? 0) === 0;
    return isSpent && Number.isFinite(seconds) ? seconds * second : [];
  });
}

/** Parses a date, Unix time in seconds or milliseconds, seconds from now, and durations such as `6m0s`. */
function untilTime(value: string, now: number): number | undefined {
  const number = Number(value);
  if (Number.isFinite(number) && value.trim() !== '') {
    if (number > 1e11) return number - now;
    return number > 1e8 ? number * second - now : number * second;
  }
  const duration = durationOf(value);
  if (duration !== undefined) return duration;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : date - now;
}

const units: Readonly<Record<string, number>> = { ms: 1, s: second, m: minute, h: hour, d: day };

/** `1h2m3.5s`, `26 seconds`, `3 hours and 20 minutes`; undefined if the text does not start with a duration. */
function durationOf(text: string): number | undefined {
  const part =
    /[\s,]*(?:and\s+)?(\d{1,9}(?:\.\d{1,9})?)\s?(milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d)(?![a-z])/iy;
  let sum: number | undefined;
  for (let at = 0; ; at = part.lastIndex) {
    part.lastIndex = at;
    const [, amount, word = ''] = part.exec(text) ?? [];
    if (amount === undefined) return sum;
    sum = (sum ?? 0) + Number(amount) * (units[unitOf(word.toLowerCase())] ?? 0);
  }
}

function unitOf(word: string): string {
  return /^(ms|milli)/.test(word) ? 'ms' : word.slice(0, 1);
}

/** Only the start is read: the time comes first, and server texts can be long. */
const readText = 2_000;
const timeWords = /\b(?:try again|retry|resets?|available again|refreshes)(?:\s+(in|after|at|on))?:?\s/gi;

/** Reads vendors' phrases: `try again in 7m12s`, `resets 3pm (Europe/Berlin)`, `limit reached|1749924000`. */
function inText(whole: string, now: number): number | undefined {
  const text = whole.slice(0, readText);
  const stamp = /\|(\d{10,13})\b/.exec(text)?.[1];
  if (stamp !== undefined) return untilTime(stamp, now);
  for (const found of text.matchAll(timeWords)) {
    const rest = text.slice(found.index + found[0].length, found.index + found[0].length + 60);
    const word = found[1]?.toLowerCase();
    const wait = word === 'in' || word === 'after' ? durationOf(rest) : timeIn(rest, now);
    if (wait !== undefined) return wait;
  }
  return undefined;
}

const dateTime = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?)\s?(Z|UTC|GMT|[+-]\d\d:?\d\d)?/;
const clock = /^(\d{1,2})(?::(\d\d))?\s?(am|pm)?(?:\s?\(([A-Za-z_/+-]{1,40})\)|\s(UTC|GMT))?/i;

function timeIn(text: string, now: number): number | undefined {
  const [, date, time, zone] = dateTime.exec(text) ?? [];
  if (date !== undefined) return untilDate(`${date}T${time}`, zone, now);
  const [, hours, minutes, half, zoneName, shortZone] = clock.exec(text) ?? [];
  if (hours === undefined || (minutes === undefined && half === undefined)) return undefined;
  const inDay = half === undefined ? Number(hours) : (Number(hours) % 12) + (/^p/i.test(half) ? 12 : 0);
  if (inDay > 23 || Number(minutes ?? 0) > 59) return undefined;
  return untilClock(inDay * hour + Number(minutes ?? 0) * minute, zoneName ?? shortZone, now);
}

/** Without a zone it may be local time or UTC: the earlier future one is used, because a retry can be refused again. */
function untilDate(local: string, zone: string | undefined, now: number): number | undefined {
  const offset = zone === 'UTC' || zone === 'GMT' ? 'Z' : zone;
  const times = (offset === undefined ? [local, `${local}Z`] : [`${local}${offset}`]).map(Date.parse);
  const waits = times.filter((time) => !Number.isNaN(time)).map((time) => time - now);
  return Math.min(...waits.filter((wait) => wait > 0));
}

/** The next time a clock in the zone shows so many milliseconds since midnight. */
function untilClock(time: number, zone: string | undefined, now: number): number {
  const wait = time - clockIn(zone, now);
  return wait > 0 ? wait : wait + day;
}

/** Milliseconds since midnight in a zone, by its IANA name; in this machine's without or with an unknown one. */
function clockIn(zone: string | undefined, now: number): number {
  try {
    const shape = { timeZone: zone, timeStyle: 'medium', hourCycle: 'h23' } as const;
    const [hours = 0, minutes = 0, seconds = 0] = new Intl.DateTimeFormat('en-US', shape)
      .format(now)
      .split(':')
      .map(Number);
    return hours * hour + minutes * minute + seconds * second;
  } catch {
    return clockIn(undefined, now);
  }
}
