import type { SessionEvent } from '@robota-sdk/agent-sdk/front-end';
import type { StreamEvent } from '../contract/stream.ts';
import { type FeedChange, RecentIds, type SessionFeed } from './session-feed.ts';
import { WakeUp } from './wake-up.ts';

/** Events that wait for the page; beyond, it gets what is under way instead. */
const mostQueued = 2000;
/** An entry waits so long for the event that announces it, so that text and entry never show twice. */
const heldMs = 300;
/** An event waits so long for its entry, which a failing disk may never get. */
const missingMs = 2000;

/** Streams a session: the lines after `lastId`, what is under way, then everything new in the order it happened. */
export async function* streamSession(
  feed: SessionFeed,
  { lastId, signal }: { readonly lastId: string | undefined; readonly signal: AbortSignal },
): AsyncGenerator<StreamEvent> {
  const stream = new SessionStream(feed, signal);
  try {
    yield* stream.events(lastId);
  } finally {
    stream.close();
  }
}

class SessionStream {
  readonly #feed: SessionFeed;
  readonly #signal: AbortSignal;
  readonly #wake = new WakeUp();
  readonly #stop: readonly (() => void)[];
  #queue: SessionEvent[] = [];
  /** Messages whose entries were sent before their events came. */
  readonly #early = new RecentIds();
  #position = 0;
  #needsSync = true;
  #isFileChanged = false;
  #isStateDue = false;
  #lastState: StreamEvent | undefined;
  #heldSince: number | undefined;
  #heldTimer: NodeJS.Timeout | undefined;

  constructor(feed: SessionFeed, signal: AbortSignal) {
    this.#feed = feed;
    this.#signal = signal;
    const wake = () => this.#wake.set();
    signal.addEventListener('abort', wake, { once: true });
    this.#stop = [
      () => signal.removeEventListener('abort', wake),
      feed.subscribe((change) => this.#take(change)),
    ];
  }

  close(): void {
    clearTimeout(this.#heldTimer);
    for (const stop of this.#stop) stop();
  }

  async *events(lastId: string | undefined): AsyncGenerator<StreamEvent> {
    const index = await this.#feed.index();
    const found = lastId === undefined || lastId === '' ? -1 : index?.positionOf(lastId);
    if (!index || found === undefined) return yield { type: 'reset' };
    this.#position = found + 1;
    while (!this.#signal.aborted) {
      if (this.#needsSync) {
        if (!(yield* this.#sync())) return;
        continue;
      }
      const event = this.#queue.shift();
      if (event) {
        if (!(yield* this.#relay(event))) return;
      } else if (this.#isFileChanged) {
        this.#isFileChanged = false;
        if (!(yield* this.#readOn({ holds: true }))) return;
      } else if (this.#isStateDue) {
        this.#isStateDue = false;
        yield* this.#state();
      } else await this.#wake.wait();
    }
  }

  /** Sends everything on disk, and then what is under way. False at the end of the stream. */
  async *#sync(): AsyncGenerator<StreamEvent, boolean> {
    // The last message that was announced is on disk, unless the disk fails.
    const announced = this.#queue.findLast((event) => event.type === 'message-append');
    const id = announced?.type === 'message-append' ? announced.message.id : undefined;
    if (!(yield* this.#readUntil(id))) return false;
    this.#needsSync = false;
    this.#queue = [];
    yield { type: 'live', events: this.#feed.live() };
    yield* this.#state();
    return true;
  }

  async *#relay(event: SessionEvent): AsyncGenerator<StreamEvent, boolean> {
    if (event.type !== 'message-append') {
      yield { type: 'event', event };
      return true;
    }
    const { id } = event.message;
    if (this.#early.has(id)) this.#needsSync = true;
    return this.#isSent(id) || (yield* this.#readUntil(id));
  }

  /** Reads on until the entry of a message was sent, or for as long as a disk may need. */
  async *#readUntil(messageId: string | undefined): AsyncGenerator<StreamEvent, boolean> {
    const deadline = Date.now() + missingMs;
    for (;;) {
      if (!(yield* this.#readOn({ holds: false, last: messageId }))) return false;
      if (messageId === undefined || this.#isSent(messageId) || this.#signal.aborted) return true;
      if (Date.now() > deadline) return true;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  /**
   * Sends the new lines of the file. With `holds`, an answer waits for the event that announces it; with `last`, lines after that
   * message wait for the events before them.
   */
  async *#readOn({
    holds,
    last,
  }: {
    readonly holds: boolean;
    readonly last?: string | undefined;
  }): AsyncGenerator<StreamEvent, boolean> {
    const index = await this.#feed.index();
    if (!index || index.length < this.#position) {
      yield { type: 'reset' };
      return false;
    }
    while (this.#position < index.length && !this.#signal.aborted) {
      const line = this.#feed.line(this.#position, index);
      const id = line?.messageId;
      if (holds && id !== undefined && this.#isHeld(id)) return true;
      this.#position += 1;
      if (id !== undefined && this.#feed.isLinked && !this.#feed.announced.has(id)) this.#early.add(id);
      if (line) yield line.event;
      if (last !== undefined && id === last) {
        this.#isFileChanged = true;
        return true;
      }
    }
    return true;
  }

  #isSent(messageId: string): boolean {
    return this.#feed.read.has(messageId, this.#position);
  }

  #isHeld(id: string): boolean {
    if (!this.#feed.isLinked || this.#feed.announced.has(id)) return this.#unhold();
    this.#heldSince ??= Date.now();
    const left = this.#heldSince + heldMs - Date.now();
    if (left <= 0) return this.#unhold();
    this.#isFileChanged = false;
    this.#heldTimer ??= setTimeout(() => {
      this.#heldTimer = undefined;
      this.#isFileChanged = true;
      this.#wake.set();
    }, left);
    return true;
  }

  #unhold(): false {
    this.#heldSince = undefined;
    clearTimeout(this.#heldTimer);
    this.#heldTimer = undefined;
    return false;
  }

  async *#state(): AsyncGenerator<StreamEvent> {
    const state = await this.#feed.state();
    if (!state || state === this.#lastState) return;
    this.#lastState = state;
    yield state;
  }

  #take(change: FeedChange): void {
    if (change === 'file') this.#isFileChanged = true;
    else if (change === 'state') this.#isStateDue = true;
    else if (change === 'sync') this.#needsSync = true;
    else this.#takeEvent(change);
    this.#wake.set();
  }

  #takeEvent(event: SessionEvent): void {
    this.#queue.push(event);
    if (this.#queue.length <= mostQueued) return;
    // Its last announcement is enough to know how far to read.
    this.#queue = this.#queue.filter(({ type }) => type === 'message-append').slice(-1);
    this.#needsSync = true;
  }
}
