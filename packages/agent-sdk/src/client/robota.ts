import { resolve } from 'node:path';
import {
  anyValue,
  callback,
  checkArguments,
  type Model,
  object,
  optional,
  pathShape,
} from '@robota-sdk/agent-core';
import { loadConfig } from '@robota-sdk/agent-resources';
import type { ClientEvent, SessionEvent } from '../contract/session-event.ts';
import { checkClientOptions } from './check-client-options.ts';
import { withProviders } from './define-provider.ts';
import { hostOf } from './open-client-session.ts';
import {
  type ClientOptions,
  type Prompt,
  type QueryOptions,
  type SessionOptions,
  splitQuery,
} from './options.ts';
import type { Run } from './run.ts';
import { Session } from './session.ts';
import type { SessionClient } from './session-client.ts';
import { StoredSessions } from './stored-sessions.ts';

/** A client: whose home, keys and budget are used, and which of its sessions are open. */
export class Robota implements AsyncDisposable {
  /** The stored sessions. */
  readonly sessions: StoredSessions;
  readonly #client: SessionClient;
  readonly #live = new Map<string, Session>();
  readonly #listeners = new Set<(told: ClientEvent) => unknown>();
  #count = 0;

  constructor(options: ClientOptions = {}) {
    checkClientOptions('Robota', options);
    this.sessions = new StoredSessions(options);
    this.#client = {
      options,
      publish: (sessionId, event) => this.#publish(sessionId, event),
      opened: (session) => this.#live.set(session.id, session),
      closed: (session) => {
        for (const [id, each] of this.#live) if (each === session) this.#live.delete(id);
      },
    };
  }

  /** The sessions that are open now, by their ids. */
  get live(): ReadonlyMap<string, Session> {
    return this.#live;
  }

  /** Runs one prompt in a new session, which ends with it. */
  query(prompt: Prompt, options?: Omit<QueryOptions, 'output'>): Run<string>;
  query<T>(prompt: Prompt, options: QueryOptions<T>): Run<T>;
  query<T>(prompt: Prompt, options: QueryOptions<T> = {}): Run<T> {
    checkArguments('query', { options: [options, anyValue] });
    const { session, turn, callbacks } = splitQuery(options ?? {});
    const check = () => checkClientOptions('query', options);
    return new Session(session, this.#client, { isSingle: true, callbacks, check }).run<T>(prompt, turn);
  }

  /** Creates a conversation. Its files are read with its first prompt. */
  createSession(options: SessionOptions = {}): Session {
    checkClientOptions('createSession', options);
    return new Session(options, this.#client);
  }

  /** Every model that can be named, those of `models.json` and of the client's providers included. */
  async models(options: { readonly cwd?: string } = {}): Promise<readonly Model[]> {
    checkArguments('Robota.models', { options: [options, object({}, { cwd: optional(pathShape) })] });
    const { cwd = '.' } = options;
    const { catalogue } = await loadConfig(resolve(cwd), { host: await hostOf(this.#client.options) });
    return withProviders(catalogue, this.#client.options.providers ?? []).models;
  }

  /** Calls a listener for the events of all sessions of this client, until the returned function is called. */
  subscribe(listener: (told: ClientEvent) => unknown): () => void {
    checkArguments('Robota.subscribe', { listener: [listener, callback] });
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Closes every session that is open. */
  async close(): Promise<void> {
    await Promise.all([...this.#live.values()].map((session) => session.close()));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #publish(sessionId: string, event: SessionEvent): void {
    if (this.#listeners.size === 0) return;
    const told: ClientEvent = { sessionId, seq: ++this.#count, time: Date.now(), event };
    for (const listener of [...this.#listeners]) {
      try {
        const returned = listener(told);
        if (returned instanceof Promise) returned.catch(() => {});
      } catch {
        // A listener disturbs no session.
      }
    }
  }
}
