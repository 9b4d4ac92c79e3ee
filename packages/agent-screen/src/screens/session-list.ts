import {
  describeMoney,
  type FoundSession,
  type ListedSession,
  pluralize,
  type SessionFinder,
  type SessionListing,
  type Snippet,
  sessionLabel,
  tildePath,
} from '@robota-sdk/agent-sdk/front-end';
import type { ListCell, SelectItem } from '@robota-sdk/agent-tui';
import { describeAge } from './describe-age.ts';

export interface SessionListOptions {
  readonly catalogue: SessionFinder;
  /** The directory whose sessions come first. */
  readonly cwd: string;
  /** The user's home, to shorten paths. */
  readonly home: string;
  /** The session one is in. */
  readonly currentId?: string | undefined;
}

const mostFound = 50;

/** The sessions to choose from: of a directory or all, optionally filtered by words. */
export class SessionList {
  isEverywhere = false;
  isNamedOnly = false;
  hasPaths = false;
  sort: 'age' | 'messages' | 'name' = 'age';
  readonly #options: SessionListOptions;
  #listing: SessionListing = { sessions: [], unreadable: [], elsewhere: 0 };
  #found: readonly FoundSession[] | undefined;
  #words = '';

  constructor(options: SessionListOptions) {
    this.#options = options;
  }

  /** How many sessions there are: those that are listed, and all of them. */
  get counts(): { readonly listed: number; readonly all: number } {
    const { sessions, elsewhere } = this.#listing;
    return { listed: this.#found?.length ?? sessions.length, all: sessions.length + elsewhere };
  }

  /** How many sessions other directories have. */
  get elsewhere(): number {
    return this.#listing.elsewhere;
  }

  get unreadable(): number {
    return this.#listing.unreadable.length;
  }

  /** Reads the sessions, and looks for words again if there are some. */
  async load(): Promise<void> {
    this.#listing = await this.#options.catalogue.list(this.#scope());
    await this.find(this.#words);
  }

  /** Looks for words in all that was said; tells whether that is still what is asked for. */
  async find(words: string): Promise<boolean> {
    this.#words = words;
    const query = words.trim();
    if (query.replace(/["“”\s]/g, '') === '') {
      this.#found = undefined;
      return true;
    }
    const { found } = await this.#options.catalogue.search({ query, limit: mostFound, ...this.#scope() });
    if (this.#words !== words) return false;
    this.#found = found;
    return true;
  }

  items(): readonly SelectItem<string>[] {
    const sessions = this.#found?.map(({ session }) => session) ?? this.#sorted();
    return sessions
      .filter(({ name }) => !this.isNamedOnly || name !== undefined)
      .map((session) => ({ value: session.path, label: sessionLabel(session), cells: this.#cells(session) }));
  }

  at(path: string): ListedSession | undefined {
    const found = this.#found?.find(({ session }) => session.path === path)?.session;
    return found ?? this.#listing.sessions.find((session) => session.path === path);
  }

  /** The matches in a session. */
  snippetsOf(path: string): readonly Snippet[] {
    return this.#found?.find(({ session }) => session.path === path)?.snippets ?? [];
  }

  isCurrent(session: ListedSession): boolean {
    return session.id === this.#options.currentId;
  }

  /** Shortens a path. */
  shorten(path: string): string {
    return tildePath(path, this.#options.home);
  }

  #scope(): { readonly cwd?: string } {
    return this.isEverywhere ? {} : { cwd: this.#options.cwd };
  }

  #sorted(): readonly ListedSession[] {
    const { sessions } = this.#listing;
    if (this.sort === 'messages') return [...sessions].sort((a, b) => b.messages - a.messages);
    if (this.sort === 'name')
      return [...sessions].sort((a, b) => sessionLabel(a).localeCompare(sessionLabel(b)));
    return sessions;
  }

  #cells(session: ListedSession): readonly ListCell[] {
    const { modified, messages, cost, cwd } = session;
    const hasPath = cwd !== '' && (this.hasPaths || cwd !== this.#options.cwd);
    return [
      { text: describeAge(Date.parse(modified)), isRight: true },
      { text: pluralize(messages, 'message'), isRight: true },
      { text: cost === 0 ? '' : describeMoney(cost), isRight: true },
      { text: this.isCurrent(session) ? 'current' : hasPath ? this.shorten(cwd) : '' },
    ];
  }
}
