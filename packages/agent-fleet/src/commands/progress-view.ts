import {
  detectCapabilities,
  firstModes,
  matchesKey,
  ProcessTerminal,
  Screen,
  textWidth,
  truncateText,
  visibleText,
} from '@robota-sdk/agent-tui';
import { isEnded, type TaskRecord, type TaskState, taskStates } from '../contract/task.ts';
import { dollars, oneLine, remarkOf } from './describe-task.ts';
import type { FleetConsole } from './fleet-console.ts';
import { taskTable } from './task-table.ts';

/** Shows how the tasks of a run stand while it lasts. */
export interface ProgressView {
  /** Shows the tasks as they are now. */
  update(tasks: readonly TaskRecord[]): void;
  /** Shows a line that stays. */
  say(line: string): void;
  close(): Promise<void>;
}

export interface ProgressOptions {
  readonly console: FleetConsole;
  /** Ctrl+C, or SIGTERM; `count` is 1 at the first. */
  onInterrupt(count: number): void;
  /** The effect of Ctrl+C, before and after the first. */
  readonly hints: readonly [string, string];
}

/** A live table in a terminal that can show one, and a line for each change elsewhere. */
export function openProgress(options: ProgressOptions): ProgressView {
  const { console } = options;
  const isLive =
    console.isInteractive && console.columns !== undefined && !detectCapabilities(console.env).isDumb;
  return isLive ? new LiveTable(options) : new ChangeLines(options);
}

/** Prints a line when the state or the remark of a task changes. */
class ChangeLines implements ProgressView {
  readonly #console: FleetConsole;
  readonly #shown = new Map<string, string>();
  readonly #interrupts: { stop(): void };
  #writing: Promise<void> = Promise.resolve();

  constructor({ console, onInterrupt, hints }: ProgressOptions) {
    this.#console = console;
    this.#interrupts = console.onInterrupt((count) => {
      onInterrupt(count);
      if (count === 1) this.say(hints[1]);
    });
  }

  update(tasks: readonly TaskRecord[]): void {
    for (const task of tasks) {
      const remark = remarkOf(task);
      const cost = isEnded(task.state) ? `  ${dollars(task.cost)}` : '';
      const line = `${task.id}  ${task.state}${cost}  ${oneLine(task.name)}${remark === '' ? '' : `  ${remark}`}`;
      const isKnown = this.#shown.get(task.id) === line;
      this.#shown.set(task.id, line);
      if (!isKnown) this.say(line);
    }
  }

  say(line: string): void {
    this.#writing = this.#writing.then(() => this.#console.note(line));
  }

  async close(): Promise<void> {
    this.#interrupts.stop();
    await this.#writing;
  }
}

const refreshMs = 1_000;
/** The order of the live table: what needs the user, what is under way, what waits. */
const order: readonly TaskState[] = ['parked', 'running', 'checking', 'preparing', 'queued'];

/** Ended tasks move into the scrollback; the others stand in a table below, with a sum and the keys. */
class LiveTable implements ProgressView {
  readonly #program: string;
  readonly #hints: readonly [string, string];
  readonly #screen: Screen;
  readonly #timer: NodeJS.Timeout;
  readonly #interrupts: { stop(): void };
  readonly #ended = new Set<string>();
  #tasks: readonly TaskRecord[] = [];
  #isFirst = true;
  #count = 0;

  constructor({ console, onInterrupt, hints }: ProgressOptions) {
    this.#program = console.program;
    this.#hints = hints;
    const interrupt = () => {
      onInterrupt(++this.#count);
      this.#screen.refresh();
    };
    this.#screen = new Screen(new ProcessTerminal({ modes: firstModes(detectCapabilities(console.env)) }), {
      render: (size) => ({ lines: this.#render(size) }),
      input: (event) => {
        if (event.type === 'key' && event.action === 'press' && matchesKey(event, 'ctrl+c')) interrupt();
      },
      close: interrupt,
    });
    this.#interrupts = console.onInterrupt(interrupt);
    // Ages grow without an event.
    this.#timer = setInterval(() => this.#screen.refresh(), refreshMs);
    this.#screen.start();
  }

  update(tasks: readonly TaskRecord[]): void {
    this.#tasks = tasks;
    const ended = tasks.filter(({ id, state }) => isEnded(state) && !this.#ended.has(id));
    for (const task of ended) {
      this.#ended.add(task.id);
      if (!this.#isFirst) this.say(endLine(task));
    }
    this.#isFirst = false;
    this.#screen.refresh();
  }

  say(line: string): void {
    this.#screen.commit((columns) => [truncateText(visibleText(line), columns)]);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#interrupts.stop();
    await this.#screen.stop();
  }

  #render({ columns, rows }: { readonly columns: number; readonly rows: number }): readonly string[] {
    const open = order.flatMap((state) => this.#tasks.filter((task) => task.state === state));
    const room = Math.max(1, rows - 4);
    const shown = open.slice(0, room);
    const table = taskTable(shown, { width: textWidth, truncate: truncateText, columns, now: Date.now() });
    const hidden = open.length - shown.length;
    const question = open.find((task) => task.state === 'parked' && task.question);
    const footer = [
      ...(hidden > 0 ? [`${hidden} more`] : []),
      summary(this.#tasks),
      ...(question ? [`Answer with: ${this.#program} fleet answer ${question.id}`] : []),
      this.#hints[this.#count === 0 ? 0 : 1],
    ];
    return [...(shown.length > 0 ? table : []), ...footer].map((line) =>
      truncateText(visibleText(line), columns),
    );
  }
}

function endLine(task: TaskRecord): string {
  const remark = remarkOf(task);
  const parts = [task.state.padEnd(7), dollars(task.cost), oneLine(task.name), task.branch ?? '', remark];
  return `${task.id}  ${parts.filter((part) => part !== '').join('  ')}`;
}

/** The number of tasks in each state, and what they cost. */
export function summary(tasks: readonly TaskRecord[]): string {
  const counts = taskStates.flatMap((state) => {
    const count = tasks.filter((task) => task.state === state).length;
    return count === 0 ? [] : [`${count} ${state}`];
  });
  const cost = tasks.reduce((sum, task) => sum + task.cost, 0);
  return [...counts, dollars(cost)].join(', ');
}
