import { type FileHandle, open } from 'node:fs/promises';
import { given } from '@robota-sdk/agent-core';
import type { Conversation } from '@robota-sdk/agent-sessions';
import { type BackgroundJob, processes } from '@robota-sdk/agent-tools';
import { describeEndedCommand, noticeOfCommand } from './describe-tasks.ts';
import { type BackgroundTask, hasEnded, preview } from './task-state.ts';
import { now, type TaskTable } from './task-table.ts';

/** Characters of a log stored with the result, and returned per read. */
const resultLimit = 2000;
const readLimit = 64 * 1024;

/** The background commands of a session's Bash as tasks. */
export class ProcessTasks {
  readonly #table: TaskTable;
  readonly #session: Conversation;
  readonly #cwd: string;
  readonly #hasUser: boolean;
  /** Tasks that were stopped externally, which the model does not know. */
  readonly #stopped = new Set<string>();
  readonly #jobs = new Map<string, BackgroundJob>();

  constructor(
    table: TaskTable,
    session: Conversation,
    { cwd, hasUser }: { readonly cwd: string; readonly hasUser: boolean },
  ) {
    this.#table = table;
    this.#session = session;
    this.#cwd = cwd;
    this.#hasUser = hasUser;
    session.state.get(processes).onBackground = (job) => this.#onJob(job);
  }

  /** How many commands calls wait for. */
  get movable(): number {
    return this.#session.state.peek(processes)?.movable ?? 0;
  }

  moveToBackground(): number {
    return this.#session.state.peek(processes)?.moveToBackground() ?? 0;
  }

  /** Ends a command with everything it started. */
  async cancel(id: string): Promise<void> {
    const background = this.#jobs.get(id);
    if (!background) return;
    this.#stopped.add(id);
    await background.job.stop('killed');
    await this.#update(id, background);
  }

  /** Called when the session closes; ends them too. */
  dispose(): void {
    for (const [id] of this.#jobs) {
      const task = this.#table.find(id);
      if (!task || hasEnded(task)) continue;
      const error = { category: 'cancelled', message: 'The session ended.', recoverable: false };
      this.#table.change(id, { status: 'cancelled', completedAt: now(), error }, 'background_task_cancelled');
    }
    this.#jobs.clear();
  }

  #onJob(background: BackgroundJob): void {
    const { job, output } = background;
    const known = [...this.#jobs].find(([, each]) => each === background)?.[0];
    if (known !== undefined) return void this.#update(known, background).catch(() => {});
    const id = this.#freeId(background.id);
    this.#jobs.set(id, background);
    const task: BackgroundTask = {
      id,
      kind: 'process',
      label: preview(job.command, 60),
      status: 'queued',
      mode: 'background',
      parentSessionId: this.#session.id,
      depth: 1,
      cwd: this.#cwd,
      createdAt: now(),
      updatedAt: now(),
      commandPreview: preview(job.command),
      unread: false,
      logPath: output.file,
    };
    this.#table.add(task);
    const startedAt = new Date(job.startedAt).toISOString();
    this.#table.change(id, { status: 'running', startedAt }, 'background_task_started');
  }

  /** Numbers restart with every process, but the tasks of an earlier one remain. */
  #freeId(number: number): string {
    const taken = (id: string) => this.#table.find(id) !== undefined;
    let id = `bash-${number}`;
    for (let next = 2; taken(id); next++) id = `bash-${number}.${next}`;
    return id;
  }

  async #update(id: string, { job, output }: BackgroundJob): Promise<void> {
    const { exit } = job;
    const task = this.#table.find(id);
    if (!task || hasEnded(task) || exit === undefined) return;
    const text = await tailOf(output.file);
    const result = {
      taskId: id,
      kind: 'process',
      output: text,
      ...given('exitCode', exit.code ?? undefined),
    };
    const isKilled = job.stopped === 'killed';
    const status = isKilled ? 'cancelled' : exit.code === 0 ? 'completed' : 'failed';
    const message =
      exit.code === null ? `It was ended by ${exit.signal ?? 'a signal'}.` : `It ended with ${exit.code}.`;
    const error = { category: isKilled ? 'cancelled' : 'process', message, recoverable: false };
    // A reader of the file may have ended it meanwhile.
    if (hasEnded(this.#table.find(id) ?? task)) return;
    this.#table.change(
      id,
      {
        status,
        completedAt: now(),
        unread: true,
        result: result as NonNullable<BackgroundTask['result']>,
        ...(status === 'completed' ? {} : { error }),
      },
      `background_task_${status}`,
    );
    if (this.#hasUser) this.#tell(id, { isKnown: isKilled && !this.#stopped.has(id) });
  }

  /** Tells the user and, with its next request, the model that a command has ended. */
  #tell(id: string, { isKnown }: { readonly isKnown: boolean }): void {
    const task = this.#table.find(id);
    if (!task || isKnown) return;
    this.#session.notify(noticeOfCommand(task));
    this.#session.queue.remind([{ type: 'text', text: describeEndedCommand(task) }]);
  }
}

/** A part of a log, and the offset of the next one. */
export interface LogPart {
  readonly text: string;
  readonly nextOffset: number;
  readonly isEnd: boolean;
}

/** Reads a file from an offset; an incomplete character at the end comes with the next part. */
export async function readFileFrom(path: string, offset: number): Promise<LogPart> {
  const file = await open(path, 'r').catch(() => undefined);
  if (!file) return { text: '', nextOffset: offset, isEnd: true };
  try {
    return await readPart(file, offset);
  } finally {
    await file.close();
  }
}

async function readPart(file: FileHandle, offset: number): Promise<LogPart> {
  const { size } = await file.stat();
  const buffer = Buffer.alloc(Math.max(0, Math.min(readLimit, size - offset)));
  const { bytesRead } = await file.read(buffer, 0, buffer.length, offset);
  const isEnd = offset + bytesRead >= size;
  const end = isEnd ? bytesRead : wholeCharacters(buffer, bytesRead);
  return { text: buffer.toString('utf8', 0, end), nextOffset: offset + end, isEnd };
}

/** The length of complete UTF-8 text: the last character may be incomplete. */
function wholeCharacters(bytes: Uint8Array, length: number): number {
  let start = length - 1;
  while (start > 0 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start--;
  const lead = bytes[start] ?? 0;
  const needed = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return length - start < needed ? start : length;
}

async function tailOf(path: string): Promise<string> {
  const file = await open(path, 'r').catch(() => undefined);
  if (!file) return '';
  try {
    const { size } = await file.stat();
    const { text } = await readPart(file, Math.max(0, size - resultLimit));
    return text.replace(/^\uFFFD+/, '');
  } finally {
    await file.close();
  }
}
