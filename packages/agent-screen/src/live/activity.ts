import { failureName, type SessionEvent } from '@robota-sdk/agent-sdk/front-end';
import type { ToolItem } from '@robota-sdk/agent-sessions';
import { describeSeconds } from '../items/describe-time.ts';

/** The current activity, and its start. */
export interface Activity {
  readonly what: string;
  readonly since: number;
  /** The time of its next attempt, if known. */
  readonly until?: number;
}

/** The activity after an event; undefined if unchanged. */
export function activityAfter(event: SessionEvent, now: number): Activity | undefined {
  switch (event.type) {
    case 'run-start':
    case 'turn-start':
    case 'thinking-delta':
      return { what: 'Thinking', since: now };
    case 'text-delta':
      return { what: 'Answering', since: now };
    case 'compaction-start':
      return { what: 'Compressing the context', since: now };
    case 'compaction-end':
      return { what: 'Thinking', since: now };
    case 'retry-wait': {
      const { model, attempt, maxAttempts, failure, delayMs } = event;
      const what = `waiting for ${model.vendor}, retry ${attempt} of ${maxAttempts} (${failureName(failure.code)})`;
      return { what, since: now, until: now + delayMs };
    }
    default:
      return undefined;
  }
}

/** Describes the running calls. */
export function activityOfTools(running: readonly ToolItem[]): string | undefined {
  const [first] = running;
  if (!first) return undefined;
  if (running.length > 1) return `Running ${running.length} tools`;
  return first.name === 'Bash' ? 'Running the command' : `Running ${first.name}`;
}

/** The duration, `6s`, or the time until the retry, `in 8s`; empty in the first second. */
export function describeWait({ since, until }: Activity, now: number): string {
  if (until !== undefined && until > now) return `in ${describeSeconds(Math.ceil((until - now) / 1000))}`;
  const seconds = Math.floor((now - since) / 1000);
  return seconds < 1 ? '' : describeSeconds(seconds);
}
