import { lockHolder } from '@robota-sdk/agent-core';
import type { LinkedSession } from '@robota-sdk/agent-link';
import { type HostEnvironment, ownCatalogue } from '@robota-sdk/agent-sdk/front-end';
import type { EntriesPage, SessionPage } from '../contract/session.ts';
import { Board } from './board.ts';
import { entriesPage, type HolderFacts, type SessionSources, sessionPage } from './session-page.ts';
import { StoredSessions } from './stored-sessions.ts';

export interface LiveSessionsOptions {
  readonly host: HostEnvironment;
}

/** The sessions that a page can see: those on disk, those that this process opened, those of other processes. */
export class LiveSessions {
  readonly board: Board;
  readonly #stored: StoredSessions;

  private constructor(stored: StoredSessions, { host }: LiveSessionsOptions) {
    this.#stored = stored;
    this.board = new Board({
      stored,
      host,
      linked: (id) => this.#linked(id),
      isHere: () => false,
    });
  }

  static async open(options: LiveSessionsOptions): Promise<LiveSessions> {
    const stored = new StoredSessions(await ownCatalogue({ host: options.host }));
    return new LiveSessions(stored, options);
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

  async #sources(id: string): Promise<SessionSources> {
    const file = await this.#stored.fileOf(id);
    const index = await this.#stored.index(file);
    const redact = await this.#stored.redactor(index.header?.cwd ?? '/');
    return { id, index, redact, holder: this.#holder(file), linked: this.#linked(id) };
  }

  #holder(file: string): HolderFacts {
    const owner = lockHolder(file);
    if (owner === undefined) return { holder: 'none' };
    return { holder: 'elsewhere', heldBy: { text: owner, handsOver: false } };
  }

  #linked(_id: string): LinkedSession | undefined {
    return undefined;
  }
}
