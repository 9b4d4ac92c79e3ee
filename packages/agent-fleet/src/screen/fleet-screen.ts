import { basename } from 'node:path';
import { errorMessage } from '@robota-sdk/agent-core';
import {
  adaptToTerminal,
  type CapabilityProbe,
  detectCapabilities,
  extractCursor,
  firstModes,
  type InputEvent,
  type KeyEvent,
  type LiveView,
  matchesKey,
  oneLine,
  ProcessTerminal,
  renderKeyHints,
  Screen,
  type ScreenSize,
  truncateText,
  visibleText,
} from '@robota-sdk/agent-tui';
import type { ConsoleStyle } from '../console/fleet-console.ts';
import type { FleetCommand, FleetCosts } from '../contract/client.ts';
import { isEnded, type TaskRecord } from '../contract/task.ts';
import { AnswerPanel } from './answer-panel.ts';
import { needsUser, renderFleetHeader, renderHead, renderRow, type Section, tasksOf } from './fleet-rows.ts';
import type { FleetView, FleetViewOptions, RunEndChoice } from './fleet-view.ts';
import { RowCursor } from './row-cursor.ts';
import { SessionPanel } from './session-panel.ts';

/** Opens the live table. */
export async function openFleetScreen(options: FleetViewOptions): Promise<FleetView> {
  const capabilities = detectCapabilities(options.console.env);
  let screen: FleetScreen | undefined;
  const style = await options.console.openStyle(capabilities, () => screen?.refresh());
  screen = new FleetScreen(options, style);
  screen.start();
  return screen;
}

/** Paints that are not the echo of a key. */
const framesPerSecond = 4;
const secondMs = 1_000;

/** A question in the last line; every key but those of its answers says no. */
interface LineQuestion {
  readonly text: string;
  readonly answers: readonly { readonly key: string; readonly verb: string; act(): void }[];
}

/** The table of a run: tasks in rows, keys below, and the session of one task instead of both. */
class FleetScreen implements FleetView {
  readonly #options: FleetViewOptions;
  readonly #style: ConsoleStyle;
  readonly #screen: Screen;
  readonly #terminal: ProcessTerminal;
  readonly #startedAt = Date.now();
  readonly #cursor = new RowCursor();
  #probe: CapabilityProbe | undefined;
  #timer: NodeJS.Timeout | undefined;
  #interrupts: { stop(): void } | undefined;
  #tasks: readonly TaskRecord[] = [];
  #costs: FleetCosts | undefined;
  #status = 'Starting';
  #note = '';
  #question: LineQuestion | undefined;
  #answer: AnswerPanel | undefined;
  #session: SessionPanel | undefined;
  #end: RunEndChoice | undefined;

  constructor(options: FleetViewOptions, style: ConsoleStyle) {
    this.#options = options;
    this.#style = style;
    const capabilities = detectCapabilities(options.console.env);
    this.#terminal = new ProcessTerminal({ modes: firstModes(capabilities) });
    this.#screen = new Screen(this.#terminal, {
      framesPerSecond,
      reflow: capabilities.reflow,
      sizeDelayMs: capabilities.sizeDelayMs,
      render: (size) => this.#render(size),
      input: (event) => this.#input(event),
      close: () => this.#endBy('stop'),
    });
  }

  start(): void {
    const { console } = this.#options;
    this.#screen.start();
    this.#probe = adaptToTerminal({
      terminal: this.#terminal,
      screen: this.#screen,
      capabilities: detectCapabilities(console.env),
      onChange: (known) => this.#style.adapt(known),
    });
    this.#interrupts = console.onInterrupt(() => this.#interrupt());
    // Times grow without an event.
    this.#timer = setInterval(() => this.refresh(), secondMs);
  }

  update(tasks: readonly TaskRecord[]): void {
    this.#tasks = tasks;
    this.#session?.update(tasks);
    this.#options.client?.costs().then(
      (costs) => {
        this.#costs = costs;
        this.refresh();
      },
      () => {},
    );
    this.refresh();
  }

  status(text: string): void {
    this.#status = text;
    this.refresh();
  }

  say(line: string): void {
    this.#screen.commit((columns) => [truncateText(visibleText(line), columns)]);
  }

  refresh(): void {
    this.#screen.refresh();
  }

  /** Ended tasks stay in the scrollback. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#interrupts?.stop();
    this.#probe?.stop();
    this.#closeSession();
    const { look } = this.#style;
    const rows = this.#rowsOf('now').toReversed();
    if (rows.length > 0 && this.#options.client)
      this.#screen.commit((width) => [
        renderHead(width, look),
        ...rows.map((task) => renderRow(task, { width, isSelected: false, look, now: Date.now() })),
      ]);
    await this.#screen.stop();
    this.#style.close();
  }

  #rowsOf(section: Section): readonly TaskRecord[] {
    return tasksOf(section, this.#tasks);
  }

  #input(event: InputEvent): void {
    if (event.type === 'response') return void this.#probe?.take(event.response);
    const isPress = event.type === 'key' && event.action !== 'release';
    if (isPress && matchesKey(event, 'ctrl+c')) this.#interrupt();
    else if (isPress && matchesKey(event, 'ctrl+z')) return this.#screen.suspend();
    else if (this.#answer) this.#answer.handleInput(event);
    else if (isPress) this.#press(event);
    this.refresh();
  }

  #press(event: KeyEvent): void {
    this.#note = '';
    const question = this.#question;
    this.#question = undefined;
    if (question) return question.answers.find(({ key }) => matchesKey(event, key))?.act();
    if (this.#session) return this.#pressInSession(event, this.#session);
    const { keys } = this.#style;
    if (keys.matches(event, 'tui.select.up')) return this.#cursor.move(this.#tasks, -1);
    if (keys.matches(event, 'tui.select.down')) return this.#cursor.move(this.#tasks, 1);
    if (keys.matches(event, 'tui.select.confirm')) return this.#openSession();
    if (keys.matches(event, 'tui.select.cancel')) return this.#askToEnd();
    if (matchesKey(event, 'tab')) return this.#cursor.nextSection();
    if (this.#options.client) this.#act(event, this.#task());
  }

  #pressInSession(event: KeyEvent, session: SessionPanel): void {
    if (this.#style.keys.matches(event, 'tui.select.cancel')) return this.#closeSession();
    if (session.scroll(event, this.#style.keys)) return;
    if (this.#options.client)
      this.#act(
        event,
        this.#tasks.find(({ id }) => id === session.id),
      );
  }

  #act(event: KeyEvent, task: TaskRecord | undefined): void {
    if (matchesKey(event, 'a')) return this.#openAnswer(task);
    if (!task) return;
    if (matchesKey(event, 'x') && !isEnded(task.state))
      this.#question = {
        text: `Stop ${task.id} ${oneLine(task.name)}?`,
        answers: [{ key: 'enter', verb: 'stop', act: () => this.#submit({ type: 'stop', id: task.id }) }],
      };
    if (matchesKey(event, 'r') && canRetry(task)) this.#submit({ type: 'retry', id: task.id });
  }

  #submit(command: FleetCommand): void {
    const words = { stop: 'will be stopped', retry: 'is queued again', answer: 'is answered' } as const;
    const id = 'id' in command ? command.id : '';
    this.#options.client?.submit([command]).then(
      () => this.#tell(`${id} ${words[command.type as keyof typeof words] ?? ''}.`),
      (thrown: unknown) => this.#tell(errorMessage(thrown)),
    );
  }

  #tell(text: string): void {
    this.#note = text;
    this.refresh();
  }

  #task(): TaskRecord | undefined {
    return this.#cursor.follow(this.#tasks)[this.#cursor.index];
  }

  #openAnswer(task: TaskRecord | undefined): void {
    const asking = task && needsUser(task) ? task : this.#rowsOf('now').find(needsUser);
    const { question } = asking ?? {};
    if (!asking || !question) return this.#tell('No task waits for an answer.');
    this.#answer = new AnswerPanel({
      task: asking,
      question,
      style: this.#style,
      onAnswer: (answer) => {
        this.#answer = undefined;
        this.#submit({ type: 'answer', id: asking.id, hash: question.hash, ...answer });
      },
      onCancel: () => {
        this.#answer = undefined;
      },
    });
  }

  #openSession(): void {
    const task = this.#task();
    if (!task) return;
    const { client, database } = this.#options;
    const session = new SessionPanel({
      task,
      style: this.#style,
      client,
      database,
      refresh: () => this.refresh(),
    });
    this.#session = session;
    this.#screen.openFullScreen((size) => this.#renderSession(session, size));
  }

  #closeSession(): void {
    if (!this.#session) return;
    this.#session.close();
    this.#session = undefined;
    this.#screen.closeFullScreen();
  }

  #askToEnd(): void {
    const count = this.#tasks.filter(({ worker }) => worker !== undefined).length;
    if (count === 0 || this.#end !== undefined)
      return this.#endBy(this.#end === undefined ? 'finish' : 'stop');
    const one = count === 1;
    const queue = [
      { key: 'enter', verb: `finish ${one ? 'it' : 'them'} and end`, act: () => this.#endBy('finish') },
      { key: 's', verb: 'stop now, resume later', act: () => this.#endBy('stop') },
      { key: 'd', verb: 'continue in the background', act: () => this.#endBy('detach') },
    ];
    this.#question = {
      text: `${count} ${one ? 'task is' : 'tasks are'} running.`,
      answers: this.#options.client
        ? queue
        : [{ key: 'enter', verb: 'stop it', act: () => this.#endBy('stop') }],
    };
  }

  /** Ctrl+C: the first finishes the running tasks, the second stops them. */
  #interrupt(): void {
    this.#closeSession();
    this.#answer = undefined;
    this.#endBy(this.#end === undefined && this.#options.client ? 'finish' : 'stop');
  }

  #endBy(end: RunEndChoice): void {
    this.#end = end;
    this.#options.onEnd(end);
    this.refresh();
  }

  #render({ columns, rows: height }: ScreenSize): LiveView {
    const { look } = this.#style;
    const rows = this.#cursor.follow(this.#tasks);
    const answer = this.#answer?.render(columns, Math.max(6, height - 4)) ?? [];
    const foot = answer.length > 0 ? answer : this.#foot(columns);
    const page = Math.max(1, Math.min(rows.length, height - 3 - foot.length));
    const top = this.#cursor.topOf({ rows: rows.length, page });
    const now = Date.now();
    const shown = rows.slice(top, top + page).map((task, at) => {
      const isSelected = top + at === this.#cursor.index && !this.#answer;
      return renderRow(task, { width: columns, isSelected, look, now });
    });
    const hidden = rows.length - shown.length;
    const { ellipsis } = look.glyphs;
    return extractCursor([
      this.#header(columns),
      ...(shown.length > 0 ? [renderHead(columns, look), ...shown] : []),
      ...(hidden > 0 && height > 8 ? [look.paint('dim', `  ${ellipsis} ${hidden} more tasks`)] : []),
      ...foot,
    ]);
  }

  #renderSession(session: SessionPanel, { columns, rows }: ScreenSize): LiveView {
    const answer = this.#answer?.render(columns, Math.max(6, rows - 4)) ?? [];
    const foot = answer.length > 0 ? answer : [this.#line(columns) ?? session.hints(columns)];
    return extractCursor([...session.render({ columns, rows: rows - foot.length }), ...foot]);
  }

  #header(columns: number): string {
    const { console, jobs, database, client } = this.#options;
    const tasks = this.#tasks;
    const { totalLimit, dailyLimit, total = 0, today = 0 } = this.#costs ?? {};
    const own = tasks.reduce((sum, { cost }) => sum + cost, 0);
    const spent =
      dailyLimit !== undefined
        ? { amount: today, limit: dailyLimit, of: 'today' as const }
        : totalLimit !== undefined
          ? { amount: total, limit: totalLimit }
          : { amount: own };
    const name = database === undefined ? basename(console.cwd) : basename(new URL(database).pathname);
    const elapsedMs = Date.now() - this.#startedAt;
    const isStarting = this.#status !== '';
    const facts = { name, jobs: client ? jobs : 1, tasks, spent, elapsedMs, isStarting };
    return renderFleetHeader(facts, columns, this.#style.look);
  }

  #foot(columns: number): readonly string[] {
    const { look } = this.#style;
    const line = this.#line(columns);
    if (line !== undefined) return [line];
    const { running, ellipsis } = look.glyphs;
    const state = this.#state();
    const hints = renderKeyHints(this.#hints(columns), columns, look);
    if (state === undefined) return [hints];
    const shown = truncateText(`${running} ${state}${ellipsis}`, columns, ellipsis);
    return [look.paint('warning', shown), hints];
  }

  /** The start or the end of the run, if one is waited for. */
  #state(): string | undefined {
    if (this.#end === 'detach' || this.#end === 'stop') return 'Stopping the running tasks';
    if (this.#end === 'finish') return 'Ending after the running tasks';
    return this.#status === '' ? undefined : this.#status;
  }

  /** A note or a question instead of the keys. */
  #line(columns: number): string | undefined {
    const { look } = this.#style;
    if (this.#note !== '') return truncateText(oneLine(this.#note), columns, look.glyphs.ellipsis);
    const question = this.#question;
    if (!question) return undefined;
    const keys = [
      ...question.answers.map(({ key, verb }) => ({ keys: key, text: verb })),
      { keys: 'esc', text: 'stay' },
    ];
    const text = `${look.paint('warning', question.text)} `;
    return truncateText(text + renderKeyHints(keys, columns, look), columns, look.glyphs.ellipsis);
  }

  #hints(columns: number) {
    const task = this.#task();
    const asking = this.#rowsOf('now').find(needsUser);
    const next = { now: 'done and failed', ended: 'queued', queued: 'running' } as const;
    const queue = [
      ...(asking ? [{ keys: 'a', text: columns < 100 ? 'answer' : `answer ${asking.id}` }] : []),
      ...(task && !isEnded(task.state) ? [{ keys: 'x', text: 'stop task' }] : []),
      ...(task && canRetry(task) ? [{ keys: 'r', text: 'retry' }] : []),
      { keys: 'tab', text: next[this.#cursor.section] },
    ];
    const isAgain = this.#end !== undefined;
    return [
      ...(task ? [{ keys: 'enter', text: isEnded(task.state) ? 'open' : 'follow' }] : []),
      ...(this.#options.client ? queue : []),
      { keys: 'esc', text: isAgain ? 'stop now' : 'stop' },
    ];
  }
}

function canRetry({ state }: TaskRecord): boolean {
  return state === 'failed' || state === 'stopped';
}
