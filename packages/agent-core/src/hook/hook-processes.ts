import type { ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { atExit } from '../process/at-exit.ts';
import { type GroupLeader, isGroupAlive, signalGroup } from '../process/process-group.ts';

const killDelay = 2000;

/** The processes started by a session's hooks; they end with the session. */
export class HookProcesses {
  readonly #tracked = new Set<HookProcess>();
  readonly #killAll = () => {
    for (const process of this.#tracked) process.kill();
  };
  /** Removes the exit handler of this process. */
  #forgetExit = () => {};

  /** Tracks a process group leader; `letGo` is called when the whole group has ended. */
  track(child: ChildProcess & { readonly pid: number }, letGo: () => void = () => {}): HookProcess {
    for (const tracked of this.#tracked) this.release(tracked);
    // Runs if this process ends without `dispose`.
    if (this.#tracked.size === 0) this.#forgetExit = atExit(this.#killAll);
    const tracked = new HookProcess(child, letGo);
    this.#tracked.add(tracked);
    return tracked;
  }

  /** Releases an ended process; processes it left in the background stay tracked. */
  release(tracked: HookProcess): void {
    if (tracked.isRunning) return;
    tracked.letGo();
    this.#tracked.delete(tracked);
    if (this.#tracked.size === 0) this.#forgetExit();
  }

  /** Ends all running processes. */
  async dispose(): Promise<void> {
    const all = [...this.#tracked];
    await Promise.all(all.map((tracked) => tracked.terminate()));
    for (const tracked of all) this.release(tracked);
  }
}

/** One hook's process and all its descendants. */
export class HookProcess implements GroupLeader {
  readonly pid: number;
  /** Settles when the process itself has ended. */
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

  /** Asks the whole group to end, and kills it after two seconds. */
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
