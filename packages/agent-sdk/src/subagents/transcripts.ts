import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { errorMessage } from '@robota-sdk/agent-core';
import type { SubagentHost } from '@robota-sdk/agent-resources';
import { JsonlSessionStore, MemorySessionStore, type SessionHandle } from '@robota-sdk/agent-sessions';

/** The conversation of an agent, to be written. */
export interface Transcript {
  readonly handle: SessionHandle;
  /** Its file, if stored. */
  readonly path?: string;
}

/** The conversations of a session's agents: files beside its own, or in memory where it is not kept itself. */
export class Transcripts {
  readonly #host: SubagentHost;
  readonly #memory = new MemorySessionStore();

  constructor(host: SubagentHost) {
    this.#host = host;
  }

  /** Opens the conversation of an agent, a new one or the one it had. A disk that fails must not stop the work. */
  async open(agentId: string, cwd: string): Promise<Transcript | undefined> {
    const path = this.pathOf(agentId);
    try {
      if (path === undefined) return { handle: await this.#inMemory(agentId, cwd) };
      const store = this.#store();
      const handle = existsSync(path) ? await store.open(path) : await store.create({ cwd, file: path });
      return { handle, path };
    } catch (thrown) {
      this.#warn(`The conversation of an agent is not kept: ${errorMessage(thrown)}`);
      return undefined;
    }
  }

  /** The conversation of an agent, to be looked at; nothing if there is none. */
  async read(agentId: string): Promise<SessionHandle | undefined> {
    const path = this.pathOf(agentId);
    if (path !== undefined) return existsSync(path) ? this.#store().open(path, { mode: 'read' }) : undefined;
    return (await this.#memory.has(agentId)) ? this.#memory.open(agentId, { mode: 'read' }) : undefined;
  }

  pathOf(agentId: string): string | undefined {
    const directory = this.#host.options.handle?.directory;
    return directory === undefined ? undefined : join(directory, 'subagents', `${agentId}.jsonl`);
  }

  async #inMemory(agentId: string, cwd: string): Promise<SessionHandle> {
    const isThere = await this.#memory.has(agentId);
    return isThere ? this.#memory.open(agentId) : this.#memory.create({ cwd, id: agentId });
  }

  #store(): JsonlSessionStore {
    return new JsonlSessionStore({
      home: this.#host.options.handle?.directory ?? '',
      onProblem: ({ message }) => this.#warn(message),
    });
  }

  #warn(text: string): void {
    this.#host.session.notify({ level: 'warning', text });
  }
}
