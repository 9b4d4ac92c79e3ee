import type { SessionStorePort, SessionSummary } from '../store/session-store.ts';
import type { SearchRequest } from './search-sessions.ts';
import type { CatalogueScope, SessionFinder, SessionFindings, SessionListing } from './session-catalogue.ts';
import type { ListedSession } from './summary-cache.ts';

/** Lists and searches the sessions of any store. It reads each session that it searches; the path of one is its id. */
export class StoreCatalogue implements SessionFinder {
  readonly #store: SessionStorePort;

  constructor(store: SessionStorePort) {
    this.#store = store;
  }

  async list(scope: CatalogueScope = {}): Promise<SessionListing> {
    const sessions = (await this.#store.list(scope)).map(listed);
    const all = scope.cwd === undefined ? sessions : await this.#store.list();
    return { sessions, unreadable: [], elsewhere: all.length - sessions.length };
  }

  async search({ cwd, ...request }: SearchRequest & CatalogueScope): Promise<SessionFindings> {
    const { searchStore } = await import('./search-store.ts');
    const { sessions, ...rest } = await this.list(cwd === undefined ? {} : { cwd });
    return { ...rest, ...(await searchStore(this.#store, sessions, request)) };
  }

  async paths(): Promise<readonly { readonly id: string; readonly path: string }[]> {
    return (await this.list()).sessions;
  }

  async at(path: string): Promise<ListedSession | undefined> {
    return (await this.list()).sessions.find(({ id }) => id === path);
  }
}

function listed(summary: SessionSummary): ListedSession {
  return { messages: 0, cost: 0, ...summary, path: summary.id };
}
