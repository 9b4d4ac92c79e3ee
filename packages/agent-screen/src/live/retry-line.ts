import { failureName, type SessionEvent } from '@robota-sdk/agent-sdk/front-end';
import { describeSeconds } from '../items/describe-time.ts';

type RetryWait = Pick<Extract<SessionEvent, { type: 'retry-wait' }>, 'model' | 'failure' | 'delayMs'>;

/** Events that end a series of retries: the model answers, another one is asked, or the run is over. */
const ends: ReadonlySet<SessionEvent['type']> = new Set([
  'text-delta',
  'text-end',
  'thinking-delta',
  'server-tool',
  'message-append',
  'model-switch',
  'run-end',
]);

/** The name of a vendor by its id. */
export type VendorName = (id: string) => string;

/** The cause of a retry: `Anthropic is overloaded (529)`, once it is over `Anthropic was overloaded (529)`. */
export function describeRetry(
  { model, failure }: Omit<RetryWait, 'delayMs'>,
  nameOf: VendorName,
  verb: 'is' | 'was' = 'is',
): string {
  const status = failure.status === undefined ? '' : ` (${failure.status})`;
  const name = nameOf(model.vendor);
  if (failure.code === 'overloaded') return `${name} ${verb} overloaded${status}`;
  if (failure.code === 'rate-limit') return `Rate limited by ${name}${status}`;
  return `${name}: ${failureName(failure.code)}${status}`;
}

interface RetrySeries {
  readonly since: number;
  /** The time of the next attempt. */
  readonly until: number;
  readonly count: number;
  readonly last: RetryWait;
}

/** Counts the retries of a request, and describes them in one line once they are over. */
export class RetryLine {
  readonly #nameOf: VendorName;
  #waits: RetrySeries | undefined;

  constructor(nameOf: VendorName) {
    this.#nameOf = nameOf;
  }

  add(last: RetryWait, now: number): void {
    const { since = now, count = 0 } = this.#waits ?? {};
    this.#waits = { since, until: now + last.delayMs, count: count + 1, last };
  }

  /** The line, if an event ends a series of retries. */
  after(event: SessionEvent, now: number): string | undefined {
    const waits = this.#waits;
    if (!waits || !ends.has(event.type)) return undefined;
    this.#waits = undefined;
    const time = describeSeconds(Math.round((now - waits.since) / 1000));
    // The last wait may have been cut short, and no retry followed it.
    const count = now < waits.until ? waits.count - 1 : waits.count;
    const retries = count === 0 ? '' : count === 1 ? ', 1 retry' : `, ${count} retries`;
    return `${describeRetry(waits.last, this.#nameOf, 'was')} for ${time}${retries}.`;
  }
}
