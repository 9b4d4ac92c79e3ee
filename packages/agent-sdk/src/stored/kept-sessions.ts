import {
  JsonlSessionStore,
  resolveSession,
  SessionCatalogue,
  type SessionFinder,
  type SessionListing,
  type SessionProblem,
  type SessionResolution,
  type SessionStorePort,
  StoreCatalogue,
} from '@robota-sdk/agent-sessions';

export interface KeptSessionsOptions {
  /** Our home directory. */
  readonly home: string;
  /** The directory one works in. */
  readonly cwd: string;
  /** Another store than the files in our home directory. */
  readonly store?: SessionStorePort | undefined;
  readonly onProblem?: (problem: SessionProblem) => void;
}

/** The user's stored sessions as seen from one directory: open, list, find. */
export class KeptSessions {
  readonly store: SessionStorePort;
  readonly cwd: string;
  /** Our home directory. */
  readonly home: string;
  readonly catalogue: SessionFinder;

  constructor({ home, cwd, store, onProblem }: KeptSessionsOptions) {
    this.store = store ?? new JsonlSessionStore({ home, ...(onProblem ? { onProblem } : {}) });
    this.cwd = cwd;
    this.home = home;
    this.catalogue = store ? new StoreCatalogue(store) : new SessionCatalogue({ home });
  }

  /** The sessions of the directory, newest first, and how many there are elsewhere. */
  async list(): Promise<SessionListing> {
    return this.catalogue.list({ cwd: this.cwd });
  }

  /** Finds sessions by id, name, path or words in them. */
  async find(reference: string): Promise<SessionResolution> {
    return resolveSession(reference, this.catalogue, { cwd: this.cwd });
  }
}
