import { AgentError, errorMessage, notifyAll } from '@robota-sdk/agent-core';

/** Listeners by event name; a listener may return a promise that the emitter waits for. */
export class TypedEmitter<Events extends object> {
  readonly #listeners = new Map<keyof Events, Set<(value: never) => unknown>>();

  on<K extends keyof Events>(name: K, listener: (value: Events[K]) => unknown): () => void {
    const set = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, set);
    set.add(listener);
    return () => this.off(name, listener);
  }

  off<K extends keyof Events>(name: K, listener: (value: Events[K]) => unknown): void {
    this.#listeners.get(name)?.delete(listener);
  }

  listenerCount(name: keyof Events): number {
    return this.#listeners.get(name)?.size ?? 0;
  }

  /** Returns a promise only if a listener did. */
  emit<K extends keyof Events>(name: K, value: Events[K]): void | Promise<void> {
    const listeners = this.#listeners.get(name) as Set<(value: Events[K]) => unknown> | undefined;
    if (listeners) return notifyAll(listeners, value);
  }

  /** Emits without waiting; a listener that fails is reported instead of ending the process. */
  announce<K extends keyof Events>(name: K, value: Events[K], report: (thrown: unknown) => void): void {
    try {
      this.emit(name, value)?.catch(report);
    } catch (thrown) {
      report(thrown);
    }
  }
}

/** The error of a listener that threw outside a run. */
export function listenerFailure(name: string, thrown: unknown): AgentError {
  return new AgentError('internal', `A listener of "${name}" failed: ${errorMessage(thrown)}`);
}
