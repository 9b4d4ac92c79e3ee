import { type AgentEvent, failureName } from '@robota-sdk/agent-sdk/front-end';
import type { ToolItem } from '@robota-sdk/agent-sessions';
import { describeSeconds } from '../items/describe-time.ts';

/** What is being waited for, and since when. */
export interface Activity {
  readonly what: string;
  readonly since: number;
  /** When it goes on by itself, if that is known. */
  readonly until?: number;
}

/** What a run waits for after an event; nothing where that does not change. */
export function activityAfter(event: AgentEvent, now: number): Activity | undefined {
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

/** What calls that run are waited for. */
export function activityOfTools(running: readonly ToolItem[]): string | undefined {
  const [first] = running;
  if (!first) return undefined;
  if (running.length > 1) return `waiting for ${running.length} tools`;
  return first.name === 'Bash' ? 'waiting for the command' : `waiting for ${first.name}`;
}

/** For how long it has been going on, `6s`, or when it goes on, `in 8s`; nothing in the first second. */
export function describeWait({ since, until }: Activity, now: number): string {
  if (until !== undefined && until > now) return `in ${describeSeconds(Math.ceil((until - now) / 1000))}`;
  const seconds = Math.floor((now - since) / 1000);
  return seconds < 1 ? '' : describeSeconds(seconds);
}
