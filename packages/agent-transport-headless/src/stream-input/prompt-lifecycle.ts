import type { JsonObject } from '@robota-sdk/agent-sdk/front-end';

/** The states of a prompt with an id, from the program's line to its end. */
type PromptState = 'queued' | 'started' | 'completed' | 'cancelled' | 'discarded';

/** Tells a program what becomes of each prompt that it gave an id. */
export class PromptLifecycle {
  readonly #write: (event: JsonObject) => Promise<void>;
  /** Prompts that join the current run with its next turn, oldest first. */
  readonly #steering: (string | undefined)[] = [];
  /** Prompts of the current run. */
  readonly #running = new Set<string>();

  constructor(write: (event: JsonObject) => Promise<void>) {
    this.#write = write;
  }

  /** Prompts that wait to join the current run. */
  get steering(): readonly string[] {
    return this.#steering.flatMap((id) => id ?? []);
  }

  /** The prompt waits for the end of the current run. */
  queue(id: string | undefined): Promise<void> {
    return this.#tell(id, 'queued');
  }

  /** The prompt waits to join the current run. */
  async steer(id: string | undefined): Promise<void> {
    this.#steering.push(id);
    await this.#tell(id, 'queued');
  }

  /** The run has taken the oldest steering prompts; so many are left. */
  async taken(left: number): Promise<void> {
    const count = Math.max(0, this.#steering.length - left);
    for (const id of this.#steering.splice(0, count)) await this.start(id);
  }

  async start(id: string | undefined): Promise<void> {
    if (id !== undefined) this.#running.add(id);
    await this.#tell(id, 'started');
  }

  async end(state: 'completed' | 'cancelled'): Promise<void> {
    const ended = [...this.#running];
    this.#running.clear();
    await this.drop(ended, state);
  }

  /** The ids of prompts that the run ended too early to take; they are prompts of their own now. */
  takeUnread(): readonly (string | undefined)[] {
    return this.#steering.splice(0);
  }

  /** These prompts have ended: done, taken back by the program, or discarded with the session. */
  async drop(ids: readonly string[], state: Exclude<PromptState, 'queued' | 'started'>): Promise<void> {
    for (const id of ids) await this.#tell(id, state);
  }

  /** Drops the prompts that wait to join the run; gives their ids. */
  async dropSteering(): Promise<readonly string[]> {
    const ids = this.steering;
    this.#steering.length = 0;
    await this.drop(ids, 'cancelled');
    return ids;
  }

  async #tell(id: string | undefined, state: PromptState): Promise<void> {
    if (id !== undefined) await this.#write({ type: 'command_lifecycle', command_uuid: id, state });
  }
}
