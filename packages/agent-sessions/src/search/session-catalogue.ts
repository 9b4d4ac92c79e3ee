import { resolve } from 'node:path';
import type { SessionMatch } from './match-session.ts';
import type { SearchRequest } from './search-sessions.ts';
import type { UnreadableSession } from './session-files.ts';
import type { ListedSession } from './summary-cache.ts';

/** The directories of sessions and of their cache. */
export interface CataloguePaths {
  readonly root: string;
  readonly cache: string;
}

export interface CatalogueScope {
  /** The directory whose sessions are included. Default: all directories. */
  readonly cwd?: string;
}

export interface SessionListing {
  /** Newest first. */
  readonly sessions: readonly ListedSession[];
  readonly unreadable: readonly UnreadableSession[];
  /** Number of sessions in other directories. */
  readonly elsewhere: number;
}

/** A session that fits a query. */
export interface FoundSession extends SessionMatch {
  readonly session: ListedSession;
}

export interface SessionFindings extends Omit<SessionListing, 'sessions'> {
  /** Best first: many hits, in a name or close to each other, and recently used. */
  readonly found: readonly FoundSession[];
  /** Number of matching sessions; at least so many if not complete. */
  readonly matched: number;
  readonly complete: boolean;
}

/** Lists and searches sessions in any store. */
export type SessionFinder = Pick<SessionCatalogue, 'list' | 'search' | 'paths' | 'at'>;

/**
 * Lists and searches sessions in files. Its cache in `cache/sessions` may be deleted at any time: files that changed
 * are read again. The code is loaded with the first call.
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

  /** Searches all messages and calls in the sessions of one directory, or of all. */
  async search(request: SearchRequest & CatalogueScope): Promise<SessionFindings> {
    const { searchCatalogue } = await import('./search-catalogue.ts');
    return searchCatalogue(this.#place, request);
  }

  /** The path of every session, by its id. Reads none of them. */
  async paths(): Promise<readonly { readonly id: string; readonly path: string }[]> {
    const { sessionPaths } = await import('./scan-sessions.ts');
    return sessionPaths(this.#place);
  }

  /** Describes the session in any file or directory; undefined if no such file. */
  async at(path: string): Promise<ListedSession | UnreadableSession | undefined> {
    const { sessionAt } = await import('./summary-cache.ts');
    return sessionAt(path);
  }
}
