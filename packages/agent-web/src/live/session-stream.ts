import type { Redactor } from '@robota-sdk/agent-core';
import { redactKeepingImages } from '@robota-sdk/agent-export';
import type { LinkChange, LinkedSession } from '@robota-sdk/agent-link';
import type { SessionEvent } from '@robota-sdk/agent-sdk/front-end';
import type { SessionState } from '../contract/session.ts';
import type { StreamEvent } from '../contract/stream.ts';
import type { IndexedLine, SessionIndex } from './session-index.ts';
import { entryView } from './session-page.ts';
import { WakeUp } from './wake-up.ts';

/** A session that is streamed to a page. */
export interface StreamedSession {
  readonly redact: Redactor;
  /** Read to the end of the file. Throws if the file is gone. */
  index(): Promise<SessionIndex>;
  state(): Promise<SessionState>;
  /** The live session, if a process holds it that can be reached. */
  linked(): LinkedSession | undefined;
  /** Tells that the file has changed. */
  watchFile(listener: () => void): () => void;
  /** Tells that `linked()` is another one. */
  watchLink(listener: () => void): () => void;
}

/** Events that wait for the page; beyond, it gets what is under way instead. */
const mostQueued = 2000;
/** An entry waits so long for the event that announces it, so that text and entry never show twice. */
const heldMs = 300;
/** An event waits so long for its entry, which a failing disk may never get. */
const missingMs = 2000;
const stateMs = 50;
const mostRemembered = 1000;

/** Streams a session: the lines after `lastId`, what is under way, then everything new in the order it happened. */
export async function* streamSession(
  session: StreamedSession,
  { lastId, signal }: { readonly lastId: string | undefined; readonly signal: AbortSignal },
): AsyncGenerator<StreamEvent> {
  const stream = new SessionStream(session, signal);
  try {
    yield* stream.events(lastId);
  } finally {
    stream.close();
  }
}

class SessionStream {
  readonly #session: StreamedSession;
  readonly #signal: AbortSignal;
  readonly #wake = new WakeUp();
  readonly #stop: (() => void)[];
  #leave = () => {};
  #linked: LinkedSession | undefined;
  #queue: SessionEvent[] = [];
  /** Messages that events announced, and messages whose entries were sent. */
  readonly #announced = new RecentIds();
  readonly #sent = new RecentIds();
  /** Entries that were sent before their event came. */
  readonly #early = new RecentIds();
  #position = 0;
  #needsSync = true;
  #isFileChanged = false;
  #isStateDue = false;
  #stateTimer: NodeJS.Timeout | undefined;
  #lastState = '';
  #heldSince: number | undefined;
  #heldTimer: NodeJS.Timeout | undefined;

  constructor(session: StreamedSession, signal: AbortSignal) {
    this.#session = session;
    this.#signal = signal;
    const wake = () => this.#wake.set();
    signal.addEventListener('abort', wake, { once: true });
    this.#stop = [
      () => signal.removeEventListener('abort', wake),
      session.watchFile(() => {
        this.#isFileChanged = true;
        wake();
      }),
      session.watchLink(() => this.#join()),
    ];
    this.#join();
  }

  close(): void {
    this.#leave();
    clearTimeout(this.#stateTimer);
    clearTimeout(this.#heldTimer);
    for (const stop of this.#stop) stop();
  }

  async *events(lastId: string | undefined): AsyncGenerator<StreamEvent> {
    const index = await this.#index();
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
    const events = this.#linked?.live() ?? [];
    yield { type: 'live', events: events.map((event) => this.#redacted(event)) };
    yield* this.#state();
    return true;
  }

  async *#relay(event: SessionEvent): AsyncGenerator<StreamEvent, boolean> {
    if (event.type !== 'message-append') {
      yield { type: 'event', event: this.#redacted(event) };
      return true;
    }
    const { id } = event.message;
    if (this.#early.has(id)) this.#needsSync = true;
    return this.#sent.has(id) || (yield* this.#readUntil(id));
  }

  /** Reads on until the entry of a message was sent, or for as long as a disk may need. */
  async *#readUntil(messageId: string | undefined): AsyncGenerator<StreamEvent, boolean> {
    const deadline = Date.now() + missingMs;
    for (;;) {
      if (!(yield* this.#readOn({ holds: false }))) return false;
      if (messageId === undefined || this.#sent.has(messageId) || this.#signal.aborted) return true;
      if (Date.now() > deadline) return true;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  /** Sends the new lines of the file. With `holds`, an answer waits for the event that announces it. */
  async *#readOn({ holds }: { readonly holds: boolean }): AsyncGenerator<StreamEvent, boolean> {
    const index = await this.#index();
    if (!index || index.length < this.#position) {
      yield { type: 'reset' };
      return false;
    }
    while (this.#position < index.length && !this.#signal.aborted) {
      const line = await index.line(this.#position);
      const id = line && messageIdOf(line);
      if (holds && id !== undefined && this.#isHeld(id)) return true;
      this.#position += 1;
      if (id !== undefined) {
        if (this.#linked && !this.#announced.has(id)) this.#early.add(id);
        this.#sent.add(id);
      }
      if (line) yield this.#eventOf(line, index);
      this.#stateChanged();
    }
    return true;
  }

  #isHeld(id: string): boolean {
    if (!this.#linked || this.#announced.has(id)) return this.#unhold();
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

  #eventOf(line: IndexedLine, index: SessionIndex): StreamEvent {
    const { redact } = this.#session;
    if (line.kind === 'entry') {
      const { entry } = line;
      return { type: 'entry', id: entry.id, entry: entryView(entry, index, redact) };
    }
    const { fact } = line;
    const { id } = fact;
    if (fact.type === 'leaf') return { type: 'leaf', id, leafId: fact.targetId };
    if (fact.type === 'session_info') return { type: 'name', id, name: String(redact(fact.name)) };
    return { type: 'label', id, entryId: fact.targetId, label: String(redact(fact.label)) };
  }

  async *#state(): AsyncGenerator<StreamEvent> {
    const state = await this.#session.state().catch(() => undefined);
    const text = JSON.stringify(state);
    if (!state || text === this.#lastState) return;
    this.#lastState = text;
    yield { type: 'state', state };
  }

  #index(): Promise<SessionIndex | undefined> {
    return this.#session.index().catch(() => undefined);
  }

  #join(): void {
    const linked = this.#session.linked();
    if (linked === this.#linked) return this.#stateChanged();
    this.#leave();
    this.#linked = linked;
    this.#leave = linked?.subscribe((change) => this.#take(change)) ?? (() => {});
    this.#needsSync = true;
    this.#stateChanged();
    this.#wake.set();
  }

  #take(change: LinkChange): void {
    if (change.type === 'event') this.#takeEvent(change.event);
    else if (change.type === 'facts' || change.type === 'questions') this.#stateChanged();
    else this.#needsSync = true;
    this.#wake.set();
  }

  #takeEvent(event: SessionEvent): void {
    if (event.type === 'message-append') this.#announced.add(event.message.id);
    this.#queue.push(event);
    if (this.#queue.length <= mostQueued) return;
    // Its last announcement is enough to know how far to read.
    this.#queue = this.#queue.filter(({ type }) => type === 'message-append').slice(-1);
    this.#needsSync = true;
  }

  #stateChanged(): void {
    this.#stateTimer ??= setTimeout(() => {
      this.#stateTimer = undefined;
      this.#isStateDue = true;
      this.#wake.set();
    }, stateMs);
  }

  #redacted(event: SessionEvent): SessionEvent {
    return redactKeepingImages(event, this.#session.redact);
  }
}

/** Only answers and results replace something that is live. */
function messageIdOf(line: IndexedLine): string | undefined {
  return line.kind === 'entry' && line.entry.type === 'message' ? line.entry.message.id : undefined;
}

/** Ids of late; older ones are forgotten. */
class RecentIds {
  readonly #ids = new Set<string>();

  add(id: string): void {
    this.#ids.add(id);
    const [oldest] = this.#ids;
    if (oldest !== undefined && this.#ids.size > mostRemembered) this.#ids.delete(oldest);
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }
}
