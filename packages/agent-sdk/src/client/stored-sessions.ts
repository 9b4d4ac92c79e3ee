import {
  AgentError,
  checkArguments,
  count,
  createRedactor,
  givenFields,
  list,
  object,
  optional,
  pathShape,
  text,
  words,
} from '@robota-sdk/agent-core';
import {
  type ListedSession,
  type SessionStorePort,
  type SessionSummary,
  StoreCatalogue,
} from '@robota-sdk/agent-sessions';
import { ownCatalogue, ownSessions } from '../assembly/own-sessions.ts';
import { hostOf } from './open-client-session.ts';
import type { ClientOptions } from './options.ts';

/** A stored session as lists show it. */
export interface SessionInfo {
  readonly id: string;
  readonly name?: string;
  readonly cwd: string;
  /** The first lines of its first prompt. */
  readonly title?: string;
  /** ISO. */
  readonly created: string;
  readonly modified: string;
  /** US dollars; absent if the store does not know. */
  readonly cost?: number;
  readonly path?: string;
}

/** A session that matches a search. */
export interface SessionHit {
  readonly session: SessionInfo;
  /** The entry with the best match, for `{ resume, at }`. */
  readonly entryId?: string;
  readonly text: string;
}

/** The stored sessions of a client. */
export class StoredSessions {
  readonly #client: ClientOptions;

  constructor(client: ClientOptions) {
    this.#client = client;
  }

  /** Newest first; of one directory, or of all. */
  async list(options: { readonly cwd?: string } = {}): Promise<readonly SessionInfo[]> {
    checkArguments('sessions.list', { options: [options, object({}, { cwd: optional(pathShape) })] });
    const { cwd } = options;
    const { store } = this.#client;
    if (store) return (await store.list(cwd === undefined ? {} : { cwd })).map(infoOf);
    const { sessions } = await (await this.#catalogue()).list(cwd === undefined ? {} : { cwd });
    return sessions.map(infoOf);
  }

  /** Sessions with all of these words, best first; phrases are in double quotes. */
  async search(
    query: string,
    options: { readonly cwd?: string; readonly limit?: number } = {},
  ): Promise<readonly SessionHit[]> {
    checkArguments('sessions.search', {
      query: [query, text],
      options: [options, object({}, { cwd: optional(pathShape), limit: optional(count) })],
    });
    const { cwd, limit = 20 } = options;
    const { resolve } = await import('node:path');
    const scope = cwd === undefined ? {} : { cwd: resolve(cwd) };
    const { found } = await (await this.#catalogue()).search({ query, limit, ...scope });
    return found.map(({ session, snippets }) => {
      const best = snippets.find(({ entryId }) => entryId !== undefined) ?? snippets[0];
      const entryId = best?.entryId;
      return {
        session: infoOf(session),
        text: best?.text ?? '',
        ...(entryId === undefined ? {} : { entryId }),
      };
    });
  }

  async rename(id: string, name: string): Promise<void> {
    checkArguments('sessions.rename', { id: [id, pathShape], name: [name, text] });
    const handle = await (await this.#store()).open(id);
    try {
      const isSaved = await handle.setName(name);
      if (!isSaved) throw new AgentError('session', 'The name is not saved: the file cannot be written.');
    } finally {
      await handle.close();
    }
  }

  async delete(id: string): Promise<void> {
    checkArguments('sessions.delete', { id: [id, pathShape] });
    await (await this.#store()).delete(id);
  }

  /** The session as HTML, Markdown or JSON lines; anything that looks like a secret is hidden. */
  async export(id: string, options: { readonly format?: 'html' | 'md' | 'jsonl' } = {}): Promise<string> {
    checkArguments('sessions.export', {
      id: [id, pathShape],
      options: [options, object({}, { format: optional(words('html', 'md', 'jsonl')) })],
    });
    const { format = 'md' } = options;
    const { exportSession } = await import('@robota-sdk/agent-export');
    const handle = await (await this.#store()).open(id, { mode: 'read' });
    try {
      let page = '';
      for await (const piece of exportSession(handle, { format, redact: createRedactor([]) })) page += piece;
      return page;
    } finally {
      await handle.close();
    }
  }

  /** Imports sessions of other programs from files or folders; returns the result for each. */
  async import(paths: readonly string[], options: { readonly cwd?: string } = {}) {
    checkArguments('sessions.import', {
      paths: [paths, list(pathShape)],
      options: [options, object({}, { cwd: optional(pathShape) })],
    });
    const { cwd = process.cwd() } = options;
    const { importSessions } = await import('../stored/import-sessions.ts');
    const host = await hostOf(this.#client);
    const outcomes = [];
    const request = { paths, from: [], all: true, cwd, again: false, dryRun: false, host };
    for await (const outcome of importSessions(request)) outcomes.push(outcome);
    return outcomes;
  }

  async #store(): Promise<SessionStorePort> {
    return this.#client.store ?? ownSessions({ host: await hostOf(this.#client) });
  }

  async #catalogue() {
    if (this.#client.store) return new StoreCatalogue(this.#client.store);
    return ownCatalogue({ host: await hostOf(this.#client) });
  }
}

function infoOf(summary: SessionSummary | ListedSession): SessionInfo {
  const { id, name, cwd, created, modified, firstPrompt: title, path, cost } = summary;
  return { id, cwd, created, modified, ...givenFields({ name, title, path, cost }) };
}
