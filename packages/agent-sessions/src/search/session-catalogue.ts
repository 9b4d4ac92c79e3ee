import { resolve } from 'node:path';
import type { SessionMatch } from './match-session.ts';
import type { SearchRequest } from './search-sessions.ts';
import type { UnreadableSession } from './session-files.ts';
import type { ListedSession } from './summary-cache.ts';

/** The directories of sessions and of what is remembered about them. */
export interface CataloguePaths {
  readonly root: string;
  readonly cache: string;
}

export interface CatalogueScope {
  /** The directory whose sessions are meant; those of all directories unless given. */
  readonly cwd?: string;
}

export interface SessionListing {
  /** Newest first. */
  readonly sessions: readonly ListedSession[];
  readonly unreadable: readonly UnreadableSession[];
  /** How many sessions other directories have. */
  readonly elsewhere: number;
}

/** A session that fits a query. */
export interface FoundSession extends SessionMatch {
  readonly session: ListedSession;
}

export interface SessionFindings extends Omit<SessionListing, 'sessions'> {
  /** Best first: many hits, in a name or close to each other, and lately used. */
  readonly found: readonly FoundSession[];
  /** How many sessions fit; where it is not complete, at least so many. */
  readonly matched: number;
  readonly complete: boolean;
}

/** Lists and searches sessions, wherever they are kept. */
export type SessionFinder = Pick<SessionCatalogue, 'list' | 'search' | 'paths' | 'at'>;

/**
 * Lists and searches the sessions kept as files. What it remembers of them is in `cache/sessions`, where anything may be
 * deleted at any time: files that are not known as they are now are read again. What does the work is loaded with the
 * first question.
 */
export class SessionCatalogue {
  readonly #place: CataloguePaths;

  constructor({ home }: { readonly home: string }) {
    this.#place = { root: resolve(home, 'sessions'), cache: resolve(home, 'cache', 'sessions') };
  }

  /** Lists the sessions of one directory or of all. */
  async list(scope: CatalogueScope = {}): Promise<SessionListing> {
    const { listSessions } = await import('./list-sessions.ts');
    return listSessions(this.#place, scope);
  }

  /** Searches all that was said and done in the sessions of a directory, or of all. */
  async search(request: SearchRequest & CatalogueScope): Promise<SessionFindings> {
    const { searchCatalogue } = await import('./search-catalogue.ts');
    return searchCatalogue(this.#place, request);
  }

  /** The path of every session, by its id. Reads none of them. */
  async paths(): Promise<readonly { readonly id: string; readonly path: string }[]> {
    const { sessionPaths } = await import('./scan-sessions.ts');
    return sessionPaths(this.#place);
  }

  /** Describes the session in any file or directory; undefined if there is no such file. */
  async at(path: string): Promise<ListedSession | UnreadableSession | undefined> {
    const { sessionAt } = await import('./summary-cache.ts');
    return sessionAt(path);
  }
}
