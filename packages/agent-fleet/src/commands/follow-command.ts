import { describeMoney, errorMessage } from '@robota-sdk/agent-core';
import { detectCapabilities } from '@robota-sdk/agent-tui';
import { remarkOf, trimmedLine } from '../console/describe-task.ts';
import { exitCodes, type FleetConsole, type FleetRequest } from '../console/fleet-console.ts';
import { receiptLines } from '../console/receipt-lines.ts';
import { taskFacts } from '../console/task-facts.ts';
import type { FleetClient } from '../contract/client.ts';
import { isEnded, type TaskDetails } from '../contract/task.ts';
import { databaseOf, onlyWord, requireTask, withClient } from './with-client.ts';

/** `robota fleet follow`: streams what a task does until it ends or waits for its user. */
export async function followCommand(request: FleetRequest, console: FleetConsole): Promise<number> {
  const end = new AbortController();
  const interrupts = console.onInterrupt(() => end.abort());
  try {
    return await withClient(request, console, async (client) => {
      const task = await requireTask(client, onlyWord(request));
      const last = await followTask(task.id, {
        client,
        console,
        signal: end.signal,
        isJson: request.has('json'),
        database: databaseOf(request, console),
      });
      return end.signal.aborted ? exitCodes.interrupted : exitCodeOf(last);
    });
  } finally {
    interrupts.stop();
  }
}

/** The exit code that tells how a task stands. */
export function exitCodeOf({ state }: Pick<TaskDetails, 'state'>): number {
  if (state === 'done') return exitCodes.done;
  return isEnded(state) ? exitCodes.failed : exitCodes.waiting;
}

export interface FollowTaskOptions {
  readonly client: FleetClient;
  readonly console: FleetConsole;
  readonly signal: AbortSignal;
  readonly isJson: boolean;
  /** The Postgres URL of the fleet, if it has one. */
  readonly database: string | undefined;
}

/** Prints changes of a task and the entries of its sessions until it ends, waits for its user, or is aborted. */
export async function followTask(id: string, options: FollowTaskOptions): Promise<TaskDetails> {
  const { client, console, signal, isJson } = options;
  const sessions = new SessionTail(options);
  let shown = '';
  let task = await requireTask(client, id);
  try {
    for (;;) {
      const line = isJson ? JSON.stringify(taskFacts(task)) : stateLine(task);
      if (line !== shown) await console.print(`${line}\n`);
      shown = line;
      if (task.sessionId !== undefined && !isJson) sessions.show(task.sessionId);
      if (signal.aborted || console.closed.aborted) break;
      if (isEnded(task.state) || (task.state === 'parked' && task.question)) break;
      await client.change(signal);
      task = await requireTask(client, id);
    }
  } finally {
    await sessions.end();
  }
  if (!isJson && !signal.aborted) await printEnd(task, console);
  return task;
}

/** Without numbers that change at every turn: those are in the session's entries. */
function stateLine(task: TaskDetails): string {
  const worker = task.worker === undefined ? '' : ` on ${task.worker}`;
  const remark = remarkOf(task);
  return `[${task.state}${worker}]${remark === '' ? '' : ` ${remark}`}`;
}

async function printEnd(task: TaskDetails, { print, program }: FleetConsole): Promise<void> {
  if (task.state === 'parked') {
    await print(`Answer with: ${program} fleet answer ${task.id}\n`);
    return;
  }
  const lines = receiptLines(task.receipt);
  await print(
    `${lines.length > 0 ? lines.slice(1).join('\n') : `${trimmedLine(task.name)}: ${describeMoney(task.cost)}`}\n`,
  );
}

/** Lines of a pipe or file are broken at this width. */
const plainColumns = 120;

/** After its task ended, a session is read until it had nothing new for so long, so that its last entries are shown. */
const settleMs = 300;
/** Longest wait for the first entry, which a busy disk or database delays. */
const firstEntryMs = 10_000;

/** Prints the sessions of the attempts of a task, each once. */
class SessionTail {
  readonly #console: FleetConsole;
  readonly #database: string | undefined;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>[] = [];
  readonly #seen = new Set<string>();
  /** Sessions of which nothing was shown yet. */
  readonly #silent = new Set<string>();
  #lastEntryAt = 0;

  constructor({ console, signal, database }: FollowTaskOptions) {
    this.#console = console;
    this.#database = database;
    signal.addEventListener('abort', () => this.#stop.abort(), { once: true });
  }

  show(id: string): void {
    if (this.#seen.has(id)) return;
    this.#seen.add(id);
    this.#silent.add(id);
    this.#running.push(this.#print(id));
  }

  async end(): Promise<void> {
    if (this.#seen.size > 0) await this.#settle();
    this.#stop.abort();
    await Promise.all(this.#running);
  }

  async #settle(): Promise<void> {
    const endedAt = Date.now();
    while (!this.#stop.signal.aborted) {
      const limit = this.#silent.size > 0 ? firstEntryMs : settleMs;
      if (Date.now() - Math.max(endedAt, this.#lastEntryAt) >= limit) return;
      await new Promise((done) => setTimeout(done, settleMs / 10));
    }
  }

  async #print(id: string): Promise<void> {
    const console = this.#console;
    const style = await console.openStyle(detectCapabilities(console.env), () => {});
    const options = { signal: this.#stop.signal, database: this.#database };
    try {
      for await (const draw of style.followSession(id, options)) {
        this.#silent.delete(id);
        this.#lastEntryAt = Date.now();
        await console.printLines(draw(console.columns ?? plainColumns));
      }
    } catch (thrown) {
      if (!this.#stop.signal.aborted)
        await console.note(`The session ${id} cannot be shown: ${errorMessage(thrown)}`);
    } finally {
      this.#silent.delete(id);
      style.close();
    }
  }
}
