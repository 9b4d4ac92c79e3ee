import { atExit, type StateKey } from '@robota-sdk/agent-core';
import type { BackgroundOutput } from './background-output.ts';
import type { Job } from './job.ts';

/** A command that runs while the conversation continues. */
export interface BackgroundJob {
  readonly id: number;
  readonly job: Job;
  readonly output: BackgroundOutput;
}

const finishedKept = 16;

/** All processes of a session: running commands, and background jobs by number. */
export class Processes {
  readonly #running = new Set<Job>();
  readonly #background = new Map<number, BackgroundJob>();
  /** Functions that let a waiting call continue without its command. */
  readonly #waits = new Set<() => void>();
  readonly #killAll = () => {
    for (const job of this.#running) job.process.kill();
  };
  /** Removes the exit handler of this process. */
  #forgetExit = () => {};
  #lastId = 0;
  /** Called when a background job starts, and again when it has ended. */
  onBackground: (background: BackgroundJob) => void = () => {};

  /** Tracks a command, so that it cannot outlive the session. */
  track(job: Job): void {
    // Runs if this process ends without `dispose`.
    if (this.#running.size === 0) this.#forgetExit = atExit(this.#killAll);
    this.#running.add(job);
  }

  /** Stops tracking a command without running processes. */
  untrack(job: Job): void {
    this.#running.delete(job);
    if (this.#running.size === 0) this.#forgetExit();
  }

  /** Number of commands that calls wait for; `moveToBackground` moves them all. */
  get movable(): number {
    return this.#waits.size;
  }

  /** Moves every command that a call waits for to the background; returns their number. */
  moveToBackground(): number {
    const waits = [...this.#waits];
    for (const moveOn of waits) moveOn();
    return waits.length;
  }

  /** Offers a command for `moveToBackground` until `withdraw` is called. */
  offerMove(): { readonly moved: Promise<'moved'>; withdraw(): void } {
    let moveOn = () => {};
    const moved = new Promise<'moved'>((resolve) => {
      moveOn = () => {
        this.#waits.delete(moveOn);
        resolve('moved');
      };
    });
    this.#waits.add(moveOn);
    return { moved, withdraw: () => void this.#waits.delete(moveOn) };
  }

  /** Assigns a number to a tracked command, under which it can be read until it ends. */
  addBackground(job: Job, output: BackgroundOutput): BackgroundJob {
    this.#lastId += 1;
    const background = { id: this.#lastId, job, output };
    this.#background.set(background.id, background);
    job.sink = (text) => output.write(text);
    job.process.unref();
    void this.#followToEnd(background);
    this.onBackground(background);
    return background;
  }

  get(id: number): BackgroundJob | undefined {
    return this.#background.get(id);
  }

  list(): readonly BackgroundJob[] {
    return [...this.#background.values()];
  }

  /** Ends every process of the session; call it when the session ends. */
  async dispose(): Promise<void> {
    const jobs = [...this.#running];
    await Promise.all(jobs.map((job) => job.stop('killed')));
    for (const job of jobs) this.untrack(job);
    await Promise.all(this.list().map(({ output }) => output.close()));
    this.#background.clear();
  }

  async #followToEnd(background: BackgroundJob): Promise<void> {
    const { job, output } = background;
    await job.process.exited;
    await job.process.closed;
    await output.write(job.text.flush());
    await output.close();
    // A process that closed its output may still run; it stays tracked for `dispose`.
    if (!(await job.process.settle())) this.untrack(job);
    this.#forgetOldest();
    this.onBackground(background);
  }

  #forgetOldest(): void {
    const finished = this.list().filter(({ job }) => !job.process.isRunning);
    for (const { id } of finished.slice(0, -finishedKept)) this.#background.delete(id);
  }
}

/** The processes of a session. */
export const processes: StateKey<Processes> = {
  name: 'processes',
  create: () => new Processes(),
  dispose: (value) => value.dispose(),
};
