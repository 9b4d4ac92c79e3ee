import {
  AgentError,
  createInteractiveSession,
  describeProblems,
  type InteractiveSession,
  type InteractiveSessionOptions,
  ownCatalogue,
} from '@robota-sdk/agent-sdk/front-end';
import { ElicitedInterface } from './elicited-interface.ts';
import { ServedCall } from './served-call.ts';

/** One conversation and its user interface; requests are answered one after the other. */
class ServedSession {
  readonly session: InteractiveSession;
  readonly #ui: ElicitedInterface;
  #last: Promise<unknown> = Promise.resolve();

  constructor(session: InteractiveSession, ui: ElicitedInterface) {
    this.session = session;
    this.#ui = ui;
  }

  async during<T>(call: ServedCall, work: (session: InteractiveSession) => Promise<T>): Promise<T> {
    call.sessionId = this.session.id;
    const turn = this.#last.then(async () => {
      call.signal.throwIfAborted();
      this.#ui.call = call;
      try {
        return await work(this.session);
      } finally {
        this.#ui.call = undefined;
      }
    });
    this.#last = turn.catch(() => {});
    return turn;
  }
}

/** The conversations that a client holds, and one without a conversation for whatever only looks. */
export class ServedSessions {
  readonly #options: InteractiveSessionOptions;
  readonly #log: (text: string) => void;
  readonly #sessions = new Map<string, Promise<ServedSession>>();
  #services: Promise<ServedSession> | undefined;

  constructor(options: InteractiveSessionOptions, log: (text: string) => void) {
    this.#options = options;
    this.#log = log;
  }

  /** A session without a conversation; its model is never asked, so that there need not be one. */
  async services(canAsk: boolean): Promise<ServedSession> {
    this.#services ??= this.#open({ store: 'none' }, { canAsk }).catch((thrown: unknown) => {
      if (!AgentError.is(thrown) || thrown.code !== 'no-provider') throw thrown;
      return this.#open({ store: 'none', model: 'offline' }, { canAsk });
    });
    this.#services.catch(() => {
      this.#services = undefined;
    });
    return this.#services;
  }

  /** A conversation by its id, or a new one, for a call whose user is asked while it opens. */
  async conversation(id: string | undefined, call: ServedCall): Promise<ServedSession> {
    const known = id === undefined ? undefined : this.#sessions.get(id);
    if (known) return known;
    const opening = id === undefined ? this.#open({ store: 'new' }, call) : this.#reopen(id, call);
    if (id !== undefined) this.#keep(id, opening);
    const opened = await opening;
    this.#keep(opened.session.id, opening);
    return opened;
  }

  /** Ends all of them, with what they are doing. */
  async close(): Promise<void> {
    const all = [...new Set(this.#sessions.values()), ...(this.#services ? [this.#services] : [])];
    await Promise.allSettled(all.map(async (opening) => (await opening).session.shutdown()));
  }

  #keep(id: string, opening: Promise<ServedSession>): void {
    this.#sessions.set(id, opening);
    opening.catch(() => this.#sessions.delete(id));
  }

  /** Users may name a session by words in it; programs give its id. */
  async #reopen(id: string, call: ServedCall): Promise<ServedSession> {
    const found = (await (await ownCatalogue()).paths()).find((each) => each.id === id);
    if (found) return this.#open({ store: { open: found.path } }, call);
    throw new AgentError(
      'session',
      `Unknown session id "${id}". Give the session_id of an earlier answer as it is, or none for a new session.`,
    );
  }

  async #open(
    choice: Pick<InteractiveSessionOptions, 'store' | 'model'>,
    asked: ServedCall | { readonly canAsk: boolean },
  ): Promise<ServedSession> {
    const ui = new ElicitedInterface(this.#log);
    if (asked instanceof ServedCall) ui.call = asked;
    const session = await createInteractiveSession({
      ...this.#options,
      ...choice,
      // A client that cannot ask counts as no terminal.
      ...(asked.canAsk ? { terminal: ui } : {}),
    });
    ui.call = undefined;
    for (const text of describeProblems(session.problems)) this.#log(text);
    await session.tasks.resumeWaiting();
    return new ServedSession(session, ui);
  }
}

export type { ServedSession };
