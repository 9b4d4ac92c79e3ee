import { AgentError, type JsonObject, lockHolder } from '@robota-sdk/agent-core';
import { type LinkedSession, serveLink } from '@robota-sdk/agent-link';
import {
  type HostEnvironment,
  type InteractiveSession,
  type InteractiveSessionOptions,
  ownCatalogue,
  userPaths,
} from '@robota-sdk/agent-sdk/front-end';
import { watchPath } from '@robota-sdk/agent-sessions';
import type { ReviewSessions } from '../contract/review.ts';
import type { EntriesPage, SessionPage } from '../contract/session.ts';
import type { StreamEvent, StreamSource } from '../contract/stream.ts';
import { Board, type MoreRows } from './board.ts';
import { BoardWatch } from './board-watch.ts';
import { type HeldSession, HeldSessions } from './held-sessions.ts';
import { LinkVisits } from './link-visits.ts';
import { mergeEvents } from './merge-events.ts';
import { sendText } from './send-text.ts';
import { SessionFeed } from './session-feed.ts';
import {
  entriesPage,
  type HolderFacts,
  type SessionSources,
  sessionPage,
  sessionState,
} from './session-page.ts';
import { streamSession } from './session-stream.ts';
import { SessionsOnDisk } from './sessions-on-disk.ts';

export interface LiveSessionsOptions {
  readonly host: HostEnvironment;
  /** A directory in which sessions can begin, beside those that were used before. */
  readonly cwd?: string | undefined;
  /** Lets `!command` lines of the page run. */
  readonly shell?: boolean;
  /** Options of every session that is opened, such as extensions of tests. */
  readonly session?: InteractiveSessionOptions;
  /** Rows of the board that are no sessions. */
  readonly more?: MoreRows;
}

/** The sessions that a page can see: those on disk, those that this process opened, those of other processes. */
export class LiveSessions implements ReviewSessions {
  readonly board: Board;
  readonly streams: StreamSource;
  readonly #stored: SessionsOnDisk;
  readonly #held: HeldSessions;
  readonly #visits: LinkVisits;
  readonly #boardWatch: BoardWatch;
  readonly #options: LiveSessionsOptions;
  readonly #linkListeners = new Set<(id: string) => void>();
  /** The sessions that pages show, with how many of them do. */
  readonly #shown = new Map<string, { readonly feed: SessionFeed; viewers: number }>();

  private constructor(stored: SessionsOnDisk, options: LiveSessionsOptions) {
    const { host, session, more } = options;
    this.#options = options;
    this.#stored = stored;
    const onChange = (id: string) => this.#linkChanged(id);
    this.#visits = new LinkVisits({
      folder: userPaths(host).links,
      fileOf: (id) => stored.fileOf(id),
      isHere: (id) => this.#held.get(id) !== undefined,
      onChange,
      onActivity: (id) => this.#boardWatch.changed(id),
    });
    this.#held = new HeldSessions({
      host,
      session,
      onChange,
      isWatched: (id) => this.#shown.has(id),
      offer: (shared) => serveLink(shared, this.#visits.folder),
    });
    this.board = new Board({
      stored,
      host,
      cwd: options.cwd,
      linked: (id) => this.#linked(id),
      isHere: (id) => this.#held.get(id) !== undefined,
      more,
      onRead: (id) => this.#boardWatch.changed(id),
    });
    this.#boardWatch = new BoardWatch({
      root: userPaths(host).sessions,
      others: more ? more.folders : [],
      look: (only) => this.board.look(only),
    });
    this.streams = { open: (request) => this.#stream(request) };
  }

  static async open(options: LiveSessionsOptions): Promise<LiveSessions> {
    const stored = new SessionsOnDisk(await ownCatalogue({ host: options.host }));
    const live = new LiveSessions(stored, options);
    await live.#visits.start();
    return live;
  }

  /** Releases all sessions. */
  async close(): Promise<void> {
    this.#visits.close();
    await this.#held.close();
  }

  /** The last entries of a session and everything beside them. */
  async page(id: string): Promise<SessionPage> {
    return sessionPage(await this.#sources(id));
  }

  /** Earlier entries of a session. */
  async entries(
    id: string,
    options: { readonly before?: string; readonly limit: number },
  ): Promise<EntriesPage> {
    return entriesPage(await this.#sources(id), options);
  }

  /** The live session, wherever it is held. */
  async linked(id: string): Promise<LinkedSession | undefined> {
    return this.#linked(id);
  }

  async holder(id: string): Promise<'here' | 'elsewhere' | 'none'> {
    return this.#holder(id, await this.#stored.fileOf(id)).holder;
  }

  peek(id: string): InteractiveSession | undefined {
    return this.#held.get(id)?.session;
  }

  async open(id: string): Promise<InteractiveSession> {
    return (await this.#hold(id)).session;
  }

  async prompt(id: string, text: string): Promise<void> {
    await this.send(id, { text, as: 'queue' });
  }

  /** Sends a text to a session, which is opened for it. The result is for commands, which say something at once. */
  async send(
    id: string,
    { text, as }: { readonly text: string; readonly as: 'prompt' | 'steer' | 'queue' },
  ): Promise<JsonObject> {
    const { session, shared } = await this.#hold(id);
    try {
      return await sendText(session, { text, as, shell: this.#options.shell === true });
    } finally {
      // A message that waits is told by no event.
      shared.changed();
    }
  }

  /** Starts a session with a prompt and returns its id. */
  async create(options: {
    readonly cwd: string;
    readonly prompt: string;
    readonly model?: string;
  }): Promise<string> {
    const { prompt, ...place } = options;
    const { session } = await this.#held.create(place);
    await sendText(session, { text: prompt, as: 'prompt', shell: false });
    return session.id;
  }

  /** Tells that facts of a session changed by a request of a page. */
  changed(id: string): void {
    this.#held.get(id)?.shared.changed();
  }

  /** Opens a session here, after its holder was asked to release it. */
  async takeOver(id: string, { stop }: { readonly stop: boolean }) {
    const visited = this.#visits.get(id);
    const outcome = visited ? await visited.handOver({ stop }) : ({ isFree: true } as const);
    if (outcome.isFree) await this.#hold(id);
    return outcome;
  }

  async #hold(id: string): Promise<HeldSession> {
    const held = this.#held.get(id);
    if (held) return held;
    const file = await this.#stored.fileOf(id);
    const { header } = await this.#stored.index(file);
    if (!header) throw new AgentError('session', `Session ${id} cannot be opened: its file has no header.`);
    return this.#held.open(id, { file, cwd: header.cwd });
  }

  async #sources(id: string): Promise<SessionSources> {
    const file = await this.#stored.fileOf(id);
    const index = await this.#stored.index(file);
    const redact = await this.#stored.redactor(index.header?.cwd ?? '/');
    return { id, index, redact, holder: this.#holder(id, file), linked: this.#linked(id) };
  }

  #holder(id: string, file: string): HolderFacts {
    if (this.#held.get(id)) return { holder: 'here' };
    const visited = this.#visits.get(id);
    if (visited) {
      const { front, pid } = visited.holder;
      const name = front === 'terminal' ? 'a terminal' : 'another robota web';
      return { holder: 'elsewhere', heldBy: { name, text: `${name} (process ${pid})`, handsOver: true } };
    }
    const owner = lockHolder(file);
    if (owner === undefined) return { holder: 'none' };
    return { holder: 'elsewhere', heldBy: { name: 'another process', text: owner, handsOver: false } };
  }

  #linked(id: string): LinkedSession | undefined {
    return this.#held.get(id)?.shared ?? this.#visits.get(id);
  }

  #linkChanged(id: string): void {
    for (const listener of [...this.#linkListeners]) listener(id);
    const held = this.#held.get(id);
    held?.shared.subscribe(() => this.#boardWatch.changed(id));
    this.#boardWatch.changed(id);
  }

  async *#stream(request: Parameters<StreamSource['open']>[0]): AsyncGenerator<StreamEvent> {
    const { session, lastEntry, signal } = request;
    const controller = new AbortController();
    const both = AbortSignal.any([signal, controller.signal]);
    const board = this.#boardWatch.events(both);
    try {
      if (session === undefined) return yield* board;
      const feed = await this.#feed(session).catch(() => undefined);
      if (!feed) {
        // The page finds out what is wrong when it loads the session.
        yield { type: 'reset' };
        return yield* board;
      }
      try {
        yield* mergeEvents(streamSession(feed, { lastId: lastEntry, signal: both }), board);
      } finally {
        this.#leave(session);
      }
    } finally {
      controller.abort();
    }
  }

  async #feed(id: string): Promise<SessionFeed> {
    const sources = await this.#sources(id);
    const shown = this.#shown.get(id) ?? { feed: this.#createFeed(id, sources), viewers: 0 };
    this.#shown.set(id, shown);
    shown.viewers += 1;
    return shown.feed;
  }

  #leave(id: string): void {
    const shown = this.#shown.get(id);
    if (!shown || --shown.viewers > 0) return;
    this.#shown.delete(id);
    this.#held.releaseLater(id);
  }

  #createFeed(id: string, { index: { file }, ...sources }: SessionSources): SessionFeed {
    let { redact } = sources;
    return new SessionFeed({
      get redact() {
        return redact;
      },
      index: () => this.#stored.index(file),
      state: async () => {
        const now = await this.#sources(id);
        redact = now.redact;
        return sessionState(now);
      },
      linked: () => this.#linked(id),
      watchFile: (listener) => watchPath(file, listener),
      watchLink: (listener) => {
        const mine = (changed: string) => {
          if (changed === id) listener();
        };
        this.#linkListeners.add(mine);
        return () => this.#linkListeners.delete(mine);
      },
    });
  }
}
