import type { ChildProcess } from 'node:child_process';
import { atExit } from '../process/at-exit.ts';
import { type GroupLeader, isGroupAlive, signalGroup } from '../process/process-group.ts';

const killDelay = 2000;

/** The processes that the hooks of a session started: none of them outlives it. */
export class HookProcesses {
  readonly #tracked = new Set<HookProcess>();
  readonly #killAll = () => {
    for (const process of this.#tracked) process.kill();
  };
  /** Takes back what was to be done at the end of this process. */
  #forgetExit = () => {};

  /** Tracks a process that leads a process group; `letGo` is called when the whole group has ended. */
  track(child: ChildProcess & { readonly pid: number }, letGo: () => void = () => {}): HookProcess {
    for (const tracked of this.#tracked) this.release(tracked);
    // The last resort when this process ends without `dispose`.
    if (this.#tracked.size === 0) this.#forgetExit = atExit(this.#killAll);
    const tracked = new HookProcess(child, letGo);
    this.#tracked.add(tracked);
    return tracked;
  }

  /** Forgets a process of which nothing runs any more; what it left in the background is kept in mind. */
  release(tracked: HookProcess): void {
    if (tracked.isRunning) return;
    tracked.letGo();
    this.#tracked.delete(tracked);
    if (this.#tracked.size === 0) this.#forgetExit();
  }

  /** Ends everything that still runs. */
  async dispose(): Promise<void> {
    const all = [...this.#tracked];
    await Promise.all(all.map((tracked) => tracked.terminate()));
    for (const tracked of all) this.release(tracked);
  }
}

/** One hook's process and all that it started. */
export class HookProcess implements GroupLeader {
  readonly pid: number;
  /** Settles when the process itself is gone. */
  readonly exited: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  readonly letGo: () => void;
  readonly startedAt = performance.now();
  reapedAt: number | undefined;

  constructor(child: ChildProcess & { readonly pid: number }, letGo: () => void) {
    this.pid = child.pid;
    this.letGo = letGo;
    this.exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        this.reapedAt = performance.now();
        resolve({ code, signal });
      });
    });
  }

  get isReaped(): boolean {
    return this.reapedAt !== undefined;
  }

  get isRunning(): boolean {
    return isGroupAlive(this);
  }

  /** Asks the whole group to end, and kills what is left after two seconds. */
  async terminate(): Promise<void> {
    signalGroup(this, 'SIGTERM');
    const deadline = Date.now() + killDelay;
    for (let wait = 5; this.isRunning && Date.now() < deadline; wait = Math.min(100, wait * 2)) {
      await pause(wait);
    }
    if (this.isRunning) this.kill();
  }

  /** Kills the whole group at once. */
  kill(): void {
    signalGroup(this, 'SIGKILL');
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
