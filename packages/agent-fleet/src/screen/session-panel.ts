import { describeMoney, errorMessage, pluralize } from '@robota-sdk/agent-core';
import {
  bold,
  type Keybindings,
  type KeyEvent,
  oneLine,
  renderKeyHints,
  renderTitleRule,
  type ScreenSize,
  visibleText,
  wrapText,
} from '@robota-sdk/agent-tui';
import type { ColouredLines, ConsoleStyle } from '../console/fleet-console.ts';
import { receiptLines } from '../console/receipt-lines.ts';
import type { FleetClient } from '../contract/client.ts';
import { isEnded, type TaskRecord } from '../contract/task.ts';
import { needsUser, stepOf } from './fleet-rows.ts';

export interface SessionPanelOptions {
  readonly task: TaskRecord;
  readonly style: ConsoleStyle;
  readonly client: FleetClient | undefined;
  readonly database: string | undefined;
  refresh(): void;
}

/** The session of a task as it is written, and its receipt at the end. */
export class SessionPanel {
  readonly id: string;
  readonly #options: SessionPanelOptions;
  readonly #stop = new AbortController();
  readonly #drawn: ColouredLines[] = [];
  readonly #followed = new Set<string>();
  #task: TaskRecord;
  #receipt: readonly string[] = [];
  /** Drawn lines at the last width: drawing a long session costs more than a frame. */
  #lines: { readonly width: number; readonly drawn: number; readonly lines: readonly string[] } | undefined;
  /** The first line in sight; undefined at the end. */
  #top: number | undefined;
  #lastTop = 0;
  #page = 1;

  constructor(options: SessionPanelOptions) {
    this.#options = options;
    this.#task = options.task;
    this.id = options.task.id;
    this.update([options.task]);
  }

  update(tasks: readonly TaskRecord[]): void {
    const task = tasks.find(({ id }) => id === this.id);
    if (!task) return;
    this.#task = task;
    if (task.sessionId !== undefined) void this.#follow(task.sessionId);
    if (isEnded(task.state)) void this.#readReceipt();
  }

  close(): void {
    this.#stop.abort();
  }

  /** True if the key scrolls. */
  scroll(event: KeyEvent, keys: Keybindings): boolean {
    const by = keys.matches(event, 'tui.select.up')
      ? -1
      : keys.matches(event, 'tui.select.down')
        ? 1
        : keys.matches(event, 'tui.select.pageUp')
          ? -this.#page
          : keys.matches(event, 'tui.select.pageDown')
            ? this.#page
            : 0;
    if (by === 0) return false;
    const next = Math.max(0, (this.#top ?? this.#lastTop) + by);
    this.#top = next >= this.#lastTop ? undefined : next;
    return true;
  }

  render({ columns, rows }: ScreenSize): readonly string[] {
    const { look } = this.#options.style;
    const { state, turns, cost, name } = this.#task;
    const rule = (text: string) => look.paint('accent', text);
    const note = [state, pluralize(turns, 'turn'), describeMoney(cost)].join(` ${look.glyphs.separator} `);
    const title = look.paint('accent', bold(`${this.id} ${oneLine(name)}`));
    const lines = [...this.#sessionLines(columns), ...this.#endLines(columns)];
    this.#page = Math.max(1, rows - 1);
    this.#lastTop = Math.max(0, lines.length - this.#page);
    const top = Math.min(this.#top ?? this.#lastTop, this.#lastTop);
    return [
      renderTitleRule({ title, note: look.paint('dim', note), rule }, columns, look),
      ...lines.slice(top, top + this.#page),
    ];
  }

  hints(columns: number): string {
    const { client, style } = this.#options;
    const { look } = style;
    const keys = [
      { keys: 'up/down', text: 'scroll' },
      ...(client && needsUser(this.#task) ? [{ keys: 'a', text: 'answer' }] : []),
      ...(client && !isEnded(this.#task.state) ? [{ keys: 'x', text: 'stop task' }] : []),
      { keys: 'esc', text: 'back' },
    ];
    return renderKeyHints(keys, columns, look);
  }

  #sessionLines(width: number): readonly string[] {
    const { length: all } = this.#drawn;
    if (this.#lines?.width !== width) this.#lines = { width, drawn: 0, lines: [] };
    const { drawn: known, lines } = this.#lines;
    if (known < all)
      this.#lines = {
        width,
        drawn: all,
        lines: [...lines, ...this.#drawn.slice(known).flatMap((draw) => draw(width))],
      };
    return this.#lines.lines;
  }

  /** The action or result of the task. */
  #endLines(width: number): readonly string[] {
    const { look } = this.#options.style;
    const step = stepOf(this.#task, look);
    const isRunning = !isEnded(this.#task.state);
    const sign = isRunning ? look.glyphs.running : look.glyphs.separator;
    const now =
      step === '' ? [] : ['', look.paint(isRunning ? 'warning' : 'dim', `${sign} ${visibleText(step)}`)];
    const receipt = this.#receipt.flatMap((line) => wrapText(visibleText(line), width));
    return [...now.flatMap((line) => wrapText(line, width)), ...receipt];
  }

  async #follow(sessionId: string): Promise<void> {
    if (this.#followed.has(sessionId)) return;
    this.#followed.add(sessionId);
    const { style, database, refresh } = this.#options;
    try {
      const options = { signal: this.#stop.signal, database };
      for await (const draw of style.followSession(sessionId, options)) {
        this.#drawn.push(draw);
        refresh();
      }
    } catch (thrown) {
      // The session of a task that has just begun is not there yet.
      this.#followed.delete(sessionId);
      const text = `The session cannot be shown yet: ${errorMessage(thrown)}`;
      if (isEnded(this.#task.state)) this.#drawn.push((width) => wrapText(visibleText(text), width));
      refresh();
    }
  }

  async #readReceipt(): Promise<void> {
    const details = await this.#options.client?.task(this.id).catch(() => undefined);
    this.#receipt = receiptLines(details?.receipt);
    this.#options.refresh();
  }
}
