import {
  JsonlSessionStore,
  resolveSession,
  SessionCatalogue,
  type SessionListing,
  type SessionProblem,
  type SessionResolution,
} from '@robota-sdk/agent-sessions';

export interface KeptSessionsOptions {
  /** Our home directory. */
  readonly home: string;
  /** The directory one works in. */
  readonly cwd: string;
  readonly onProblem?: (problem: SessionProblem) => void;
}

/** The user's kept sessions as seen from one directory: to open, to list, to find. */
export class KeptSessions {
  readonly store: JsonlSessionStore;
  readonly cwd: string;
  /** Our home directory. */
  readonly home: string;
  readonly #catalogue: SessionCatalogue;

  constructor({ home, cwd, onProblem }: KeptSessionsOptions) {
    this.store = new JsonlSessionStore({ home, ...(onProblem ? { onProblem } : {}) });
    this.cwd = cwd;
    this.home = home;
    this.#catalogue = new SessionCatalogue({ home });
  }

  /** The sessions of the directory, newest first, and how many there are elsewhere. */
  async list(): Promise<SessionListing> {
    return this.#catalogue.list({ cwd: this.cwd });
  }

  /** Finds sessions by id, name, path or words in them. */
  async find(reference: string): Promise<SessionResolution> {
    return resolveSession(reference, this.#catalogue, { cwd: this.cwd });
  }
}
