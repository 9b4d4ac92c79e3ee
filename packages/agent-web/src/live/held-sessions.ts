import { AgentError } from '@robota-sdk/agent-core';
import { SharedSession } from '@robota-sdk/agent-link';
import {
  createInteractiveSession,
  type HostEnvironment,
  hasEnded,
  type InteractiveSession,
  type InteractiveSessionOptions,
  titleSession,
} from '@robota-sdk/agent-sdk/front-end';
import { WebQuestions } from './web-questions.ts';

/** A session that this server may write to. */
export interface HeldSession {
  readonly session: InteractiveSession;
  readonly shared: SharedSession;
  readonly questions: WebQuestions;
  /** Ends the writing of a title, which delays nothing. */
  stopTitle(): void;
}

export interface HeldSessionsOptions {
  readonly host: HostEnvironment;
  /** Options of every session, such as extensions of tests. */
  readonly session?: InteractiveSessionOptions | undefined;
  /** A session was opened, or released. */
  onChange(id: string): void;
  /** Makes a session reachable for other processes; the returned function ends that. */
  offer(shared: SharedSession): Promise<() => void>;
  /** True while a page shows the session. */
  isWatched(id: string): boolean;
}

/** Commands that make no sense on a page, which chooses sessions itself. */
const leftToPage = ['exit', 'new', 'resume'];
/** A session that is neither used nor watched is released after this time, so that a terminal can open it. */
const idleMs = 60_000;

/** The sessions that this server opened. */
export class HeldSessions {
  readonly #options: HeldSessionsOptions;
  readonly #held = new Map<string, HeldSession>();
  readonly #opening = new Map<string, Promise<HeldSession>>();
  readonly #withdraw = new Map<string, () => void>();
  readonly #idle = new Map<string, NodeJS.Timeout>();
  #isClosed = false;

  constructor(options: HeldSessionsOptions) {
    this.#options = options;
  }

  get(id: string): HeldSession | undefined {
    return this.#held.get(id);
  }

  /** Opens a stored session, once however many ask for it. Throws `session-in-use` if another process holds it. */
  open(id: string, { file, cwd }: { readonly file: string; readonly cwd: string }): Promise<HeldSession> {
    const held = this.#held.get(id);
    if (held) return Promise.resolve(held);
    const opening = this.#opening.get(id) ?? this.#open({ cwd, store: { path: file } });
    this.#opening.set(id, opening);
    return opening.finally(() => this.#opening.delete(id));
  }

  /** Opens a new session. */
  create(options: { readonly cwd: string; readonly model?: string }): Promise<HeldSession> {
    return this.#open({ ...options, store: 'new', keepUnused: true });
  }

  /** Releases all sessions. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#opening.values());
    await Promise.allSettled([...this.#held.keys()].map((id) => this.release(id)));
  }

  /** Releases a session; its lock is free afterwards. */
  async release(id: string): Promise<void> {
    const held = this.#held.get(id);
    if (!held) return;
    this.#forget(id);
    held.questions.close();
    held.stopTitle();
    if (held.session.isRunning) await held.session.abort({ keepsParked: true });
    await held.session.shutdown();
    held.shared.close();
    this.#options.onChange(id);
  }

  /** Releases a session later, unless it is used until then. */
  releaseLater(id: string): void {
    clearTimeout(this.#idle.get(id));
    if (!this.#held.has(id)) return;
    const timer = setTimeout(() => this.#releaseIfIdle(id), idleMs);
    this.#idle.set(id, timer.unref());
  }

  #releaseIfIdle(id: string): void {
    const held = this.#held.get(id);
    if (!held) return;
    const { session, questions } = held;
    const isUsed =
      session.isRunning ||
      questions.waiting().length > 0 ||
      session.tasks.list().some((task) => !hasEnded(task));
    if (isUsed || this.#options.isWatched(id)) return this.releaseLater(id);
    void this.release(id);
  }

  async #open(choice: InteractiveSessionOptions): Promise<HeldSession> {
    if (this.#isClosed) throw new AgentError('session', 'The server is stopping.');
    const questions = new WebQuestions();
    const { host, session: own } = this.#options;
    const session = await createInteractiveSession({
      host,
      ...own,
      ...choice,
      hiddenCommands: leftToPage,
      terminal: questions,
      waitsForLimits: true,
    });
    questions.open((notice) => session.notify(notice));
    session.watchSettings();
    const shared = new SharedSession({
      session,
      front: 'web',
      questions,
      release: () => this.release(session.id),
    });
    const held = { session, shared, questions, stopTitle: titleSession(session) };
    this.#held.set(session.id, held);
    session.subscribe(({ type }) => {
      if (type === 'session-close') this.#forget(session.id);
      else if (type === 'run-end') this.releaseLater(session.id);
    });
    this.releaseLater(session.id);
    this.#options.onChange(session.id);
    await this.#offer(held);
    await session.tasks.resumeWaiting();
    return held;
  }

  async #offer({ session, shared }: HeldSession): Promise<void> {
    try {
      const withdraw = await this.#options.offer(shared);
      if (this.#held.has(session.id)) this.#withdraw.set(session.id, withdraw);
      else withdraw();
    } catch {
      // The session works as well where no other process can reach it.
    }
  }

  #forget(id: string): void {
    this.#held.delete(id);
    clearTimeout(this.#idle.get(id));
    this.#idle.delete(id);
    this.#withdraw.get(id)?.();
    this.#withdraw.delete(id);
  }
}
