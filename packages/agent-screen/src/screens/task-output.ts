import { statSync } from 'node:fs';
import {
  type BackgroundTask,
  errorMessage,
  hasEnded,
  type InteractiveSession,
} from '@robota-sdk/agent-sdk/front-end';
import { filterEscapes, wrapText } from '@robota-sdk/agent-tui';

/** Characters of a task's output that are kept; the file has all of it. */
const keptText = 128 * 1024;
/** Bytes at the end of a long log that are read first. */
const firstRead = 64 * 1024;

/** The end of a task's output, brought up to date by `update`. */
export class TaskOutput {
  readonly #session: InteractiveSession;
  readonly #id: string;
  #text = '';
  #offset: number | undefined;
  #isBusy = false;
  #wrapped: { readonly text: string; readonly width: number; readonly lines: readonly string[] } | undefined;

  constructor(session: InteractiveSession, id: string) {
    this.#session = session;
    this.#id = id;
  }

  /** Reads what has come since the last time. */
  async update(): Promise<void> {
    const task = this.#session.tasks.find(this.#id);
    if (!task || this.#isBusy) return;
    this.#isBusy = true;
    try {
      await (task.kind === 'process' ? this.#readLog(task) : this.#readConversation());
    } catch (thrown) {
      this.#text = errorMessage(thrown);
    } finally {
      this.#isBusy = false;
    }
  }

  lines(width: number): readonly string[] {
    const text = this.#text;
    if (this.#wrapped?.text !== text || this.#wrapped.width !== width) {
      const safe = filterEscapes(this.#session.redact(text)).trimEnd();
      const lines = safe === '' ? [] : safe.split('\n').flatMap((line) => wrapText(line, width));
      this.#wrapped = { text, width, lines };
    }
    const { lines } = this.#wrapped;
    return lines.length === 0 ? ['(nothing yet)'] : lines;
  }

  async #readLog({ id, logPath }: BackgroundTask): Promise<void> {
    this.#offset ??= Math.max(0, sizeOf(logPath) - firstRead);
    for (;;) {
      const part = await this.#session.tasks.readLog(id, { offset: this.#offset });
      this.#offset = part.nextOffset;
      this.#text = (this.#text + part.text).slice(-keptText);
      if (part.isEnd || part.text === '') return;
    }
  }

  /** Text that an agent is writing may still change, so all of it is read again. */
  async #readConversation(): Promise<void> {
    const { text } = await this.#session.tasks.readLog(this.#id);
    this.#text = text.slice(-keptText);
  }
}

/** The last lines that running commands printed, by the id of the task. */
export class LastLines {
  readonly #session: InteractiveSession;
  readonly #lines = new Map<string, string>();

  constructor(session: InteractiveSession) {
    this.#session = session;
  }

  get(id: string): string | undefined {
    return this.#lines.get(id);
  }

  async update(): Promise<void> {
    const running = this.#session.tasks.list({ kind: 'process' }).filter((task) => !hasEnded(task));
    await Promise.all(running.map((task) => this.#read(task)));
  }

  async #read({ id, logPath }: BackgroundTask): Promise<void> {
    const offset = Math.max(0, sizeOf(logPath) - 2048);
    const part = await this.#session.tasks.readLog(id, { offset }).catch(() => undefined);
    const line =
      filterEscapes(this.#session.redact(part?.text ?? ''))
        .trimEnd()
        .split('\n')
        .at(-1) ?? '';
    if (line !== '') this.#lines.set(id, line);
  }
}

function sizeOf(path: string | undefined): number {
  return (path === undefined ? undefined : statSync(path, { throwIfNoEntry: false })?.size) ?? 0;
}
