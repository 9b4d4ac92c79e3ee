import type { SessionEvent } from '@robota-sdk/agent-sdk/front-end';

type EventOf<T extends SessionEvent['type']> = Extract<SessionEvent, { readonly type: T }>;

/** The end of what a call printed that is repeated to a late viewer. */
const mostProgress = 16_384;

/**
 * Keeps what is under way in a session, as the few events that repeat it. A listener that hears them, and then everything
 * after, knows as much as one that heard all events.
 */
export class LiveFold {
  #run: SessionEvent | undefined;
  #turn: SessionEvent | undefined;
  /** The answer that is being written. */
  #answer: SessionEvent[] = [];
  readonly #calls = new Map<string, SessionEvent[]>();
  /** A wait for a vendor, or a compaction. */
  #wait: SessionEvent | undefined;
  #compaction: SessionEvent | undefined;

  /** The events that repeat it, in order. */
  events(): readonly SessionEvent[] {
    const one = [this.#run, this.#turn, ...this.#answer, ...[...this.#calls.values()].flat()];
    return [...one, this.#compaction, this.#wait].filter((event) => event !== undefined);
  }

  take(event: SessionEvent): void {
    if ('agentId' in event && event.agentId !== undefined) return;
    if (endsWait.has(event.type)) this.#wait = undefined;
    switch (event.type) {
      case 'run-start':
        this.#reset();
        this.#run = event;
        return;
      case 'run-end':
      case 'session-close':
        return this.#reset();
      case 'turn-start':
        this.#turn = event;
        return;
      case 'retry-wait':
      case 'limit-wait':
      case 'prompt-progress':
        this.#wait = event;
        return;
      case 'compaction-start':
        this.#compaction = event;
        return;
      case 'compaction-end':
        this.#compaction = undefined;
        return;
      case 'message-append':
        return this.#append(event);
      case 'tool-start':
        this.#calls.set(event.call.id, [event]);
        return;
      case 'tool-progress':
        return this.#progress(event);
      case 'tool-end':
        this.#calls.get(event.call.id)?.push(event);
        return;
      default:
        return this.#write(event);
    }
  }

  #write(event: SessionEvent): void {
    switch (event.type) {
      case 'text-restart':
        this.#answer = [];
        return;
      case 'text-delta':
      case 'thinking-delta': {
        const last = this.#answer.at(-1);
        if (last?.type !== event.type) this.#answer.push(event);
        else this.#answer[this.#answer.length - 1] = { ...last, text: last.text + event.text };
        return;
      }
      case 'text-end':
      case 'thinking-end':
      case 'server-tool':
        this.#answer.push(event);
    }
  }

  #append({ message }: EventOf<'message-append'>): void {
    if (message.role === 'assistant') this.#answer = [];
    if (message.role === 'tool') this.#calls.delete(message.toolCallId);
  }

  #progress(event: EventOf<'tool-progress'>): void {
    const events = this.#calls.get(event.toolCallId);
    const last = events?.at(-1);
    if (last?.type !== 'tool-progress') events?.push(event);
    else events?.splice(-1, 1, { ...event, text: (last.text + event.text).slice(-mostProgress) });
  }

  #reset(): void {
    this.#run = undefined;
    this.#turn = undefined;
    this.#answer = [];
    this.#calls.clear();
    this.#wait = undefined;
    this.#compaction = undefined;
  }
}

const endsWait: ReadonlySet<SessionEvent['type']> = new Set([
  'limit-end',
  'model-switch',
  'text-delta',
  'thinking-delta',
  'tool-start',
  'turn-start',
]);
