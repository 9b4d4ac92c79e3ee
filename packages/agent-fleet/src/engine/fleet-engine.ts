import { AsyncResource } from 'node:async_hooks';
import { errorMessage } from '@robota-sdk/agent-core';
import type { FleetDatabase } from '../contract/database.ts';
import type { TaskSteps } from '../contract/steps.ts';
import { type DurableRounds, openDurableRounds } from './durable-rounds.ts';
import { HeldTask, type Interruption } from './held-task.ts';
import {
  type Beat,
  beat,
  type Claim,
  claimLoneTask,
  claimTasks,
  registerWorker,
  releaseWorker,
  type WorkerIdentity,
} from './leases.ts';
import { releaseDependents, sweep } from './sweep.ts';
import { forgiveDeath, recordDeaths } from './worker-deaths.ts';

/** Times of a worker, in milliseconds. */
export interface EngineTimes {
  readonly beatMs: number;
  /** A worker that could not beat for so long stops its children. */
  readonly giveUpMs: number;
  /** The tasks of a worker that was silent for so long are given to others. */
  readonly silenceMs: number;
  /** The engine's own loops end after so long without work. */
  readonly restMs: number;
}

const engineTimes: EngineTimes = { beatMs: 5000, giveUpMs: 20_000, silenceMs: 30_000, restMs: 15_000 };

export interface FleetEngineOptions {
  readonly database: FleetDatabase;
  readonly worker: WorkerIdentity;
  readonly steps: TaskSteps;
  readonly times?: Partial<EngineTimes>;
  /** True if no other process uses the database: leases that are there belong to processes that are gone. */
  readonly isAlone?: boolean;
  /** Is called when something durable may have changed. */
  changed?(): void;
  /** Is called when it holds no task, and found none to take. */
  idle?(): void;
  /** Is called after each beat. */
  beaten?(): void;
  log?(message: string): void;
}

/** One worker: beats, sweeps, takes tasks, and runs their rounds. */
export class FleetEngine {
  readonly #options: FleetEngineOptions;
  readonly #times: EngineTimes;
  readonly #held = new Map<string, HeldTask>();
  /** DBOS knows by the asynchronous context that a step runs; what a step wakes must not be part of it. */
  readonly #context = new AsyncResource('FleetEngine');
  #rounds: Promise<DurableRounds> | undefined;
  #closing: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #giveUp: NodeJS.Timeout | undefined;
  #rest: NodeJS.Timeout | undefined;
  #pump: Promise<void> | undefined;
  #isDue = { beat: true, claim: true };
  #isClosing = false;
  #isDraining = false;
  /** A round could not be started: the next try is at the next beat. */
  #isPaused = false;
  #idle: (() => void)[] = [];

  constructor(options: FleetEngineOptions) {
    this.#options = options;
    this.#times = { ...engineTimes, ...options.times };
  }

  get running(): number {
    return this.#held.size;
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  async start(): Promise<void> {
    const { database, worker, isAlone = false } = this.#options;
    if (isAlone) await recordDeaths(database, 0);
    await registerWorker(database, worker);
    await this.#sweep();
    this.wake();
    this.#armBeat();
  }

  /** Looks at once for tasks, stops and messages. */
  wake(): void {
    this.#isDue = { beat: true, claim: true };
    this.#run();
  }

  /** Takes no more tasks. */
  drain(): void {
    this.#isDraining = true;
    this.wake();
  }

  /** Resolves when this worker holds no task and, unless it drains, could not take one either. */
  async whenIdle(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#idle.push(resolve);
      this.wake();
    });
  }

  /** Interrupts the tasks, gives them back, and ends. */
  async close(): Promise<void> {
    this.#isClosing = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#rest);
    await this.#pump;
    this.#interruptAll('ending');
    await this.#whenEmpty();
    clearTimeout(this.#giveUp);
    await releaseWorker(this.#options.database, this.#options.worker.id).catch((error: unknown) =>
      this.#log(error),
    );
    await this.#closeRounds();
  }

  /** One pass at a time; what becomes due meanwhile is done in the same. */
  #run(): void {
    this.#pump ??= this.#context
      .runInAsyncScope(() => this.#work())
      .finally(() => {
        this.#pump = undefined;
        if (!this.#isClosing && (this.#isDue.beat || this.#isDue.claim)) this.#run();
      });
  }

  async #work(): Promise<void> {
    try {
      while (!this.#isClosing && (this.#isDue.beat || this.#isDue.claim)) {
        const due = this.#isDue;
        this.#isDue = { beat: false, claim: false };
        if (due.beat) await this.#beat();
        await this.#claim();
      }
      await this.#restOrIdle();
    } catch (error) {
      this.#log(error);
    }
  }

  #armBeat(): void {
    this.#timer = setTimeout(() => {
      this.#armBeat();
      this.#isPaused = false;
      void this.#sweep().then(() => {
        this.wake();
        this.#options.beaten?.();
      });
    }, this.#times.beatMs);
  }

  async #sweep(): Promise<void> {
    try {
      await sweep(this.#options.database, { silenceMs: this.#times.silenceMs });
    } catch (error) {
      this.#log(error);
    }
  }

  async #beat(): Promise<void> {
    const { database, worker } = this.#options;
    const result = await beat(database, worker.id);
    clearTimeout(this.#giveUp);
    this.#giveUp = setTimeout(() => this.#interruptAll('lost'), this.#times.giveUpMs);
    this.#giveUp.unref();
    if (result === undefined) {
      this.#log('Other workers took over the tasks of this one, which was silent for too long.');
      this.#interruptAll('lost');
      await registerWorker(database, worker);
      await forgiveDeath(database, worker.id);
      return;
    }
    this.#isDraining ||= result.isDraining;
    await this.#follow(result);
  }

  async #follow({ held, hasMessages }: Beat): Promise<void> {
    const { database, worker } = this.#options;
    const epochs = new Map(held.map(({ id, epoch }) => [id, epoch]));
    for (const task of this.#held.values()) {
      if (epochs.get(task.lease.taskId) !== task.lease.epoch) task.interrupt('lost');
    }
    for (const { id, epoch, isStopping } of held) {
      if (isStopping) this.#held.get(id)?.interrupt('stopped');
      if (!this.#held.has(id)) {
        // Given up here, but not there: others may take it.
        await database.query(
          `update fleet.task set worker = null, state = 'queued', epoch = epoch + 1, updated_at = clock_timestamp()
           where id = $1 and epoch = $2 and worker = $3`,
          [id, epoch, worker.id],
        );
        this.#isDue.claim = true;
      }
    }
    if (hasMessages) await this.#deliverMessages();
  }

  async #deliverMessages(): Promise<void> {
    const { database } = this.#options;
    const { rows } = await database.query<{ id: string; task_id: string; text: string }>(
      'select id, task_id, text from fleet.message where task_id = any($1) order by id',
      [[...this.#held.keys()]],
    );
    for (const { id, task_id, text } of rows) {
      if (this.#held.get(task_id)?.say(text) === true) {
        await database.query('delete from fleet.message where id = $1', [id]);
      }
    }
  }

  async #claim(): Promise<void> {
    const { worker } = this.#options;
    const free = worker.jobs - this.#held.size;
    const isFull = free <= 0 || [...this.#held.values()].some(({ runsAlone }) => runsAlone);
    if (isFull || this.#isDraining || this.#isClosing || this.#isPaused) return;
    const claims = await this.#take(free);
    for (const claim of claims) this.#hold(claim);
    if (claims.length > 0) this.#options.changed?.();
  }

  async #take(count: number): Promise<readonly Claim[]> {
    const { database, worker } = this.#options;
    const lone = this.#held.size === 0 ? await claimLoneTask(database, worker) : undefined;
    return lone === undefined ? claimTasks(database, worker, count) : [lone];
  }

  #hold(claim: Claim): void {
    const { database, steps } = this.#options;
    const task = new HeldTask({
      database,
      steps,
      claim,
      changed: () => this.#options.changed?.(),
      ended: (ended) => this.#release(ended),
    });
    this.#held.set(claim.lease.taskId, task);
    clearTimeout(this.#rest);
    this.#rest = undefined;
    this.#begin(task).catch((error: unknown) => {
      this.#log(error);
      this.#isPaused = true;
      task.interrupt('lost');
    });
  }

  async #begin(task: HeldTask): Promise<void> {
    const rounds = await this.#openRounds();
    const { taskId } = task.lease;
    if ((await rounds.run(taskId, task.round)) === 'ended') {
      await task.end(
        { kind: 'failed', reason: { code: 'internal', message: 'The engine could not run it.' } },
        1,
      );
      return;
    }
    if (task.round > 1) await rounds.forget(taskId, task.round - 1);
  }

  #release(task: HeldTask): void {
    if (this.#held.get(task.lease.taskId) !== task) return;
    this.#held.delete(task.lease.taskId);
    this.#options.changed?.();
    if (this.#isClosing) {
      this.#notifyIdle();
      return;
    }
    void releaseDependents(this.#options.database)
      .catch((error: unknown) => this.#log(error))
      .then(() => this.wake());
  }

  #interruptAll(interruption: Interruption): void {
    for (const task of this.#held.values()) task.interrupt(interruption);
  }

  async #whenEmpty(): Promise<void> {
    while (this.#held.size > 0) {
      await new Promise<void>((resolve) => {
        this.#idle.push(resolve);
      });
    }
  }

  async #restOrIdle(): Promise<void> {
    if (this.#held.size > 0) return;
    if (this.#rounds !== undefined) {
      this.#rest ??= setTimeout(() => void this.#closeRounds(), this.#times.restMs);
      this.#rest.unref();
    }
    this.#notifyIdle();
    this.#options.idle?.();
  }

  #notifyIdle(): void {
    if (this.#held.size > 0) return;
    const waiting = this.#idle;
    this.#idle = [];
    for (const resolve of waiting) resolve();
  }

  /** DBOS polls while it runs, so it runs only while there is work. */
  async #openRounds(): Promise<DurableRounds> {
    const { database, worker } = this.#options;
    this.#rounds ??= this.#closing.then(() =>
      openDurableRounds({
        database,
        worker: worker.id,
        steps: (taskId, round) => {
          const task = this.#held.get(taskId);
          return task?.round === round ? task : undefined;
        },
        log: (message) => this.#log(message),
      }),
    );
    const opening = this.#rounds;
    try {
      return await opening;
    } catch (error) {
      // The next task tries again.
      if (this.#rounds === opening) this.#rounds = undefined;
      throw error;
    }
  }

  async #closeRounds(): Promise<void> {
    this.#rest = undefined;
    const rounds = this.#rounds;
    if (rounds !== undefined && this.#held.size === 0) {
      this.#rounds = undefined;
      this.#closing = rounds.then((open) => open.close()).catch((error: unknown) => this.#log(error));
      await this.#closing;
    }
  }

  #log(error: unknown): void {
    this.#options.log?.(errorMessage(error));
  }
}
