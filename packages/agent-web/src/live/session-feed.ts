import type { LiveRedactor } from '@robota-sdk/agent-core';
import type { LinkChange, LinkedSession } from '@robota-sdk/agent-link';
import type { SessionEvent } from '@robota-sdk/agent-sdk/front-end';
import type { SessionSnapshot } from '../contract/session.ts';
import type { StreamEvent } from '../contract/stream.ts';
import { HiddenLink } from './hidden-link.ts';
import type { IndexedLine, SessionIndex } from './session-index.ts';
import { entryView } from './session-page.ts';

/** A session that pages follow. */
export interface FollowedSession {
  /** The latest one; keys may be added to the settings. */
  readonly redact: LiveRedactor;
  /** Read to the end of the file. Throws if the file is gone. */
  index(): Promise<SessionIndex>;
  state(): Promise<SessionSnapshot>;
  /** The live session, if a process holds it that can be reached. */
  linked(): LinkedSession | undefined;
  /** Tells that the file has changed. */
  watchFile(listener: () => void): () => void;
  /** Tells that `linked()` is another one. */
  watchLink(listener: () => void): () => void;
}

/** A line as pages get it, and the message that it replaces the live text of. */
export interface FeedLine {
  readonly event: StreamEvent;
  readonly messageId?: string | undefined;
}

/** `sync`: what is under way is another thing now. */
export type FeedChange = 'file' | 'state' | 'sync' | SessionEvent;

type StateEvent = Extract<StreamEvent, { readonly type: 'state' }>;

const stateMs = 100;
/** Lines that are kept for streams that are a little behind, and for how long after the last one. */
const mostLines = 32;
const linesMs = 1000;
const mostRemembered = 1000;

/** A session for all streams that show it: each line, event and state is read and freed of secrets once. */
export class SessionFeed {
  readonly #session: FollowedSession;
  readonly #listeners = new Set<(change: FeedChange) => void>();
  readonly #lines = new Map<number, FeedLine | undefined>();
  #linesOf: SessionIndex | undefined;
  /** Messages that events announced, and those that streams have read. */
  readonly announced = new RecentIds();
  readonly read = new RecentIds();
  #stop: readonly (() => void)[] = [];
  #link: HiddenLink | undefined;
  #forgetting: NodeJS.Timeout | undefined;
  #stateTimer: NodeJS.Timeout | undefined;
  #state: Promise<StateEvent | undefined> | undefined;
  #lastState: { readonly text: string; readonly event: StateEvent } | undefined;

  constructor(session: FollowedSession) {
    this.#session = session;
  }

  /** Tells every change from now on. The session is watched while there are listeners. */
  subscribe(listener: (change: FeedChange) => void): () => void {
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) this.#open();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#close();
    };
  }

  get isLinked(): boolean {
    return this.#link !== undefined;
  }

  /** The events that repeat what is under way. */
  live(): readonly SessionEvent[] {
    return this.#link?.live() ?? [];
  }

  /** Undefined if the file is gone. */
  index(): Promise<SessionIndex | undefined> {
    return this.#session.index().catch(() => undefined);
  }

  /** The line of an index at a position. */
  line(position: number, index: SessionIndex): FeedLine | undefined {
    if (this.#linesOf !== index) this.#lines.clear();
    this.#linesOf = index;
    if (this.#lines.has(position)) return this.#lines.get(position);
    const line = index.line(position);
    const made = line && { event: this.#eventOf(line, index), messageId: messageIdOf(line) };
    // A stream that begins with old lines must not push out those that events will announce.
    if (made?.messageId !== undefined && index.length - position <= mostRemembered)
      this.read.add(made.messageId, position);
    this.#lines.set(position, made);
    const [oldest] = this.#lines.keys();
    if (oldest !== undefined && this.#lines.size > mostLines) this.#lines.delete(oldest);
    this.#forgetting ??= setTimeout(() => {
      this.#forgetting = undefined;
      this.#lines.clear();
    }, linesMs).unref();
    this.stateChanged();
    return made;
  }

  /** The state now; the same object as long as it is the same. */
  state(): Promise<StateEvent | undefined> {
    this.#state ??= this.#readState();
    return this.#state;
  }

  /** The state is read again, and told, a little later. */
  stateChanged(): void {
    this.#stateTimer ??= setTimeout(() => {
      this.#stateTimer = undefined;
      this.#state = undefined;
      this.#tell('state');
    }, stateMs);
  }

  #open(): void {
    const { watchFile, watchLink } = this.#session;
    this.#stop = [watchFile(() => this.#tell('file')), watchLink(() => this.#join())];
    this.#join();
  }

  #close(): void {
    for (const stop of this.#stop) stop();
    this.#link?.close();
    this.#link = undefined;
    clearTimeout(this.#stateTimer);
    this.#stateTimer = undefined;
    this.#state = undefined;
    this.#lines.clear();
    this.#linesOf = undefined;
  }

  #join(): void {
    this.stateChanged();
    const linked = this.#session.linked();
    if (linked === this.#link?.linked) return;
    this.#link?.close();
    this.#link =
      linked &&
      new HiddenLink(
        linked,
        () => this.#session.redact,
        (change) => this.#take(change),
      );
    this.#tell('sync');
  }

  #take(change: LinkChange): void {
    if (change.type === 'facts' || change.type === 'questions') return this.stateChanged();
    if (change.type !== 'event') return this.#tell('sync');
    if (change.event.type === 'message-append') this.announced.add(change.event.message.id);
    this.#tell(change.event);
  }

  #tell(change: FeedChange): void {
    for (const listener of [...this.#listeners]) listener(change);
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

  async #readState(): Promise<StateEvent | undefined> {
    const state = await this.#session.state().catch(() => undefined);
    const text = JSON.stringify(state);
    if (!state || text === this.#lastState?.text) return state && this.#lastState?.event;
    const event: StateEvent = { type: 'state', state };
    this.#lastState = { text, event };
    return event;
  }
}

/** Only answers and results replace something that is live. */
function messageIdOf(line: IndexedLine): string | undefined {
  return line.kind === 'entry' && line.entry.type === 'message' ? line.entry.message.id : undefined;
}

/** Ids of late and their positions; older ones are forgotten. */
export class RecentIds {
  readonly #positions = new Map<string, number>();

  add(id: string, position = 0): void {
    this.#positions.set(id, position);
    const [oldest] = this.#positions.keys();
    if (oldest !== undefined && this.#positions.size > mostRemembered) this.#positions.delete(oldest);
  }

  /** True if an id is here, and stands before a position. */
  has(id: string, before = Number.POSITIVE_INFINITY): boolean {
    return (this.#positions.get(id) ?? before) < before;
  }
}
