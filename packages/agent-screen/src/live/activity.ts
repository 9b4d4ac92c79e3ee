import type { SessionEvent } from '@robota-sdk/agent-sdk/front-end';
import type { ToolItem } from '@robota-sdk/agent-sessions';
import { truncateMiddle } from '@robota-sdk/agent-tui';
import { describeCall } from '../items/describe-call.ts';
import { describeDate, describeMinutes, describeSeconds } from '../items/describe-time.ts';
import type { ItemView } from '../items/item-view.ts';
import type { AppStyle } from '../theme/app-tokens.ts';
import { describeRetry, type VendorName } from './retry-line.ts';

/** The current activity, and its start. */
export interface Activity {
  readonly what: string;
  readonly since: number;
  /** The time of its next attempt, if known. */
  readonly until?: number;
  /** The server reads the prompt; one activity, whatever its percentage. */
  readonly isReading?: boolean;
  /** True if a rate limit is waited for, which can take hours. */
  readonly isParked?: true;
  /** Tokens that the model has written in this turn, roughly. */
  readonly tokens?: number;
}

interface ActivityContext {
  readonly look: AppStyle;
  readonly vendorName: VendorName;
  readonly before?: Activity | undefined;
}

/** The activity after an event; undefined if unchanged. */
export function activityAfter(
  event: SessionEvent,
  now: number,
  { look: { glyphs }, vendorName, before }: ActivityContext,
): Activity | undefined {
  switch (event.type) {
    case 'run-start':
    case 'turn-start':
    case 'thinking-delta':
      return { what: 'Thinking', since: now };
    case 'text-delta':
      return { what: 'Answering', since: now };
    case 'prompt-progress':
      return {
        what: `Reading ${readPercent(event)}%`,
        since: before?.isReading ? before.since : now,
        isReading: true,
      };
    case 'compaction-start':
      return { what: 'Compacting', since: now };
    case 'compaction-end':
      return { what: 'Thinking', since: now };
    case 'retry-wait': {
      const { attempt, maxAttempts, delayMs } = event;
      const what = `${describeRetry(event, vendorName)} ${glyphs.separator} retry ${attempt} of ${maxAttempts}`;
      return { what, since: now, until: now + delayMs };
    }
    case 'limit-wait': {
      const what = `${describeRetry(event, vendorName)} ${glyphs.separator} resumes ${clockTime(event.until, now)}`;
      return { what, since: now, until: event.until, isParked: true };
    }
    case 'limit-end':
      return { what: 'Thinking', since: now };
    default:
      return undefined;
  }
}

/** The part of a prompt that its server has read, rounded down: 100 is reached only at the end. */
function readPercent({ processed, total }: Extract<SessionEvent, { type: 'prompt-progress' }>): number {
  return total <= 0 ? 100 : Math.min(100, Math.floor((processed / total) * 100));
}

/** A wait for longer than this is told in minutes, so that the screen changes once a minute. */
const calmMs = 10 * 60_000;

/** Milliseconds between two looks at the clock; undefined for those of an activity that is drawn as it goes. */
export function paceOf({ isParked, until = 0 }: Activity, now: number): number | undefined {
  if (!isParked) return undefined;
  return until - now > calmMs ? 60_000 : 1_000;
}

/** The time of the day, with the date if that is a day or more away. */
function clockTime(time: number, now: number): string {
  const date = new Date(time);
  const two = (part: number) => String(part).padStart(2, '0');
  const clock = `${two(date.getHours())}:${two(date.getMinutes())}`;
  return time - now < dayMs ? clock : `${describeDate(time, now)} ${clock}`;
}

const dayMs = 24 * 60 * 60_000;

/** Columns of a call in the working line. */
const shownCall = 48;

/** Describes the running calls. */
export function activityOfTools(
  running: readonly ToolItem[],
  view: Pick<ItemView, 'look' | 'format'>,
): string | undefined {
  const [first] = running;
  if (!first) return undefined;
  if (running.length > 1) return `Running ${running.length} calls`;
  const { verb, argument } = describeCall(first, view);
  const call = verb === '$' ? argument : `${verb} ${argument}`.trim();
  return `Running ${truncateMiddle(call, shownCall, { endWidth: shownCall / 2, mark: view.look.glyphs.ellipsis })}`;
}

/** The duration, `6s`, or the time until the retry, `in 8s`; empty in the first second. */
export function describeWait({ since, until, isParked }: Activity, now: number): string {
  if (until !== undefined && isParked && until - now > calmMs)
    return `in ${describeMinutes(Math.ceil((until - now) / 60_000))}`;
  if (until !== undefined && until > now) return `in ${describeSeconds(Math.ceil((until - now) / 1000))}`;
  const seconds = Math.floor((now - since) / 1000);
  return seconds < 1 ? '' : describeSeconds(seconds);
}
