import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { errorMessage } from '@robota-sdk/agent-core';
import type { SubagentHost } from '@robota-sdk/agent-resources';
import {
  JsonlSessionStore,
  MemorySessionStore,
  parkedOn,
  type SessionHandle,
} from '@robota-sdk/agent-sessions';
import { agentIdOf, newAgentId } from './create-subagent-session.ts';

/** The conversation of an agent, to be written. */
export interface AgentTranscript {
  readonly handle: SessionHandle;
  /** Its file, if stored. */
  readonly path?: string;
}

/** The conversations of a session's agents: files next to its own, or in memory if it is not saved. */
export class Transcripts {
  readonly #host: SubagentHost;
  readonly #memory = new MemorySessionStore();

  constructor(host: SubagentHost) {
    this.#host = host;
  }

  /** Opens the conversation of an agent, a new one or the one it had. A disk that fails must not stop the work. */
  async open(agentId: string, cwd: string): Promise<AgentTranscript | undefined> {
    const path = this.pathOf(agentId);
    try {
      if (path === undefined) return { handle: await this.#inMemory(agentId, cwd) };
      const store = this.#store();
      const handle = existsSync(path) ? await store.open(path) : await store.create({ cwd, file: path });
      return { handle, path };
    } catch (thrown) {
      this.#warn(`The conversation of an agent is not saved: ${errorMessage(thrown)}`);
      return undefined;
    }
  }

  /** The conversation of an agent, read-only; undefined if there is none. */
  async read(agentId: string): Promise<SessionHandle | undefined> {
    const path = this.pathOf(agentId);
    if (path !== undefined) return existsSync(path) ? this.#store().open(path, { mode: 'read' }) : undefined;
    return (await this.#memory.has(agentId)) ? this.#memory.open(agentId, { mode: 'read' }) : undefined;
  }

  /** The agent of a call: one that waited for a limit when its process ended resumes, any other is new. */
  async agentOf(callId: string): Promise<{ readonly agentId: string; readonly resumes: boolean }> {
    const agentId = agentIdOf(this.#host.session.id, callId);
    const path = this.pathOf(agentId);
    if (path === undefined || !existsSync(path)) return { agentId, resumes: false };
    return (await this.isWaiting(agentId))
      ? { agentId, resumes: true }
      : { agentId: newAgentId(), resumes: false };
  }

  /** True if an agent waited for a limit when its process ended. */
  async isWaiting(agentId: string): Promise<boolean> {
    const handle = await this.read(agentId);
    const wait = handle && parkedOn(handle, []);
    await handle?.close();
    return wait !== undefined;
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
