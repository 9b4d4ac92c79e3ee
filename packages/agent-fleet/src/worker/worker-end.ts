import { once } from 'node:events';
import { errorMessage } from '@robota-sdk/agent-core';
import type { Queryable } from '../contract/database.ts';
import type { FleetEngine } from '../engine/fleet-engine.ts';
import { hasWork } from '../engine/has-work.ts';
import type { WorkerOptions } from './worker-services.ts';

export interface WorkerEndOptions extends Pick<WorkerOptions, 'signal' | 'drain' | 'labels' | 'log'> {
  readonly database: Queryable;
  /** True if the worker ends when no task is left that it could work on. */
  readonly untilEmpty: boolean;
}

type Progress = Pick<FleetEngine, 'running' | 'isDraining'>;

/** Ends a worker: when it is interrupted, when it has drained, or when nothing is left to do. */
export class WorkerEnd {
  readonly #options: WorkerEndOptions;
  readonly #ended = new AbortController();

  constructor(options: WorkerEndOptions) {
    this.#options = options;
  }

  /** Looks whether the worker is done. Where the database cannot be asked, the next look decides. */
  check(engine: Progress): void {
    this.#isDone(engine).then(
      (isDone) => isDone && this.#ended.abort(),
      (error: unknown) => this.#options.log?.(errorMessage(error)),
    );
  }

  /** Resolves at the end. */
  async wait(engine: Pick<FleetEngine, 'drain'>): Promise<void> {
    const { signal, drain } = this.#options;
    drain?.addEventListener('abort', () => engine.drain(), { once: true });
    const end = AbortSignal.any([signal, this.#ended.signal]);
    if (!end.aborted) await once(end, 'abort');
  }

  async #isDone(engine: Progress): Promise<boolean> {
    const { database, untilEmpty, labels = [] } = this.#options;
    if (engine.running > 0) return false;
    return engine.isDraining || (untilEmpty && !(await hasWork(database, labels)));
  }
}
