import { LinkFolder, type LinkRecord, type VisitedSession, visitLink } from '@robota-sdk/agent-link';

export interface LinkVisitsOptions {
  readonly folder: string;
  /** The file of a session; throws if there is none. */
  fileOf(id: string): Promise<string>;
  /** True if this process holds the session itself. */
  isHere(id: string): boolean;
  /** Another process can be reached for a session, or no longer. */
  onChange(id: string): void;
  /** Something happened in such a session. */
  onActivity(id: string): void;
}

/** After a failed visit the next one waits; the session's file may not be written yet. */
const retryMs = 500;
const mostRetries = 6;

/** Visits the sessions of other processes as they come and go. */
export class LinkVisits {
  readonly folder: LinkFolder;
  readonly #options: LinkVisitsOptions;
  readonly #visits = new Map<string, VisitedSession>();
  /** Sockets that are being visited, or were in vain. */
  readonly #tried = new Map<string, number>();
  #stop = () => {};
  #isOver = false;

  constructor(options: LinkVisitsOptions) {
    this.#options = options;
    this.folder = new LinkFolder(options.folder);
  }

  /** Visits all that is there, and what comes. */
  async start(): Promise<void> {
    this.folder.prepare();
    this.#stop = this.folder.watch(() => void this.look());
    await this.look();
  }

  get(id: string): VisitedSession | undefined {
    return this.#visits.get(id);
  }

  close(): void {
    this.#isOver = true;
    this.#stop();
    for (const visit of this.#visits.values()) visit.close();
  }

  /** Looks for processes that were not visited yet. */
  async look(): Promise<void> {
    if (this.#isOver) return;
    const records = this.folder.list().filter(({ owner }) => owner.pid !== process.pid);
    for (const socket of this.#tried.keys())
      if (!records.some((record) => record.socket === socket)) this.#tried.delete(socket);
    await Promise.all(records.map((record) => this.#visit(record)));
  }

  async #visit(record: LinkRecord): Promise<void> {
    const { sessionId, socket } = record;
    const tries = this.#tried.get(socket) ?? 0;
    if (this.#visits.has(sessionId) || tries < 0 || tries > mostRetries) return;
    this.#tried.set(socket, -1);
    try {
      const visit = await visitLink(record, await this.#options.fileOf(sessionId));
      if (this.#isOver) return visit.close();
      this.#tried.delete(socket);
      this.#visits.set(sessionId, visit);
      visit.subscribe(({ type }) => {
        if (type !== 'end') return this.#options.onActivity(sessionId);
        this.#visits.delete(sessionId);
        this.#options.onChange(sessionId);
      });
      this.#options.onChange(sessionId);
    } catch {
      this.#tried.set(socket, tries + 1);
      if (!this.#isOver) setTimeout(() => void this.look(), retryMs).unref();
    }
  }
}
