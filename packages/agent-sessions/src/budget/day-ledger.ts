import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { errorMessage, isJsonObject, makeDirectories, parseJson } from '@robota-sdk/agent-core';

/** Cost of all sessions on a day. */
export interface DayLedger {
  add(cost: number): void;
  /** Dollars spent since midnight, local time. */
  today(): Promise<number>;
}

export interface FileDayLedgerOptions {
  readonly directory: string;
  readonly now?: () => Date;
  /** Called once if amounts cannot be written; they still count in this process. */
  onProblem?(message: string): void;
}

interface Day {
  readonly file: string;
  /** How much of the file has been added up. */
  offset: number;
  read: number;
  /** Amounts that never reached the file. */
  unwritten: number;
}

/** One file per day with one line per amount, so that several processes can append at the same time. */
export class FileDayLedger implements DayLedger {
  readonly #options: FileDayLedgerOptions;
  #day: Day | undefined;
  #hasTold = false;

  constructor(options: FileDayLedgerOptions) {
    this.#options = options;
  }

  /** Synchronous: writing a few bytes is faster than queueing them. */
  add(cost: number): void {
    const day = this.#current();
    try {
      appendLine(day.file, this.#options.directory, `${JSON.stringify({ cost })}\n`);
    } catch (thrown) {
      day.unwritten += cost;
      this.#tell(thrown);
    }
  }

  async today(): Promise<number> {
    const day = this.#current();
    await readFurther(day).catch((thrown: NodeJS.ErrnoException) => {
      if (thrown.code !== 'ENOENT') this.#tell(thrown);
    });
    return day.read + day.unwritten;
  }

  #current(): Day {
    const file = join(this.#options.directory, `${dateOf(this.#options.now?.() ?? new Date())}.jsonl`);
    if (this.#day?.file !== file) this.#day = { file, offset: 0, read: 0, unwritten: 0 };
    return this.#day;
  }

  #tell(thrown: unknown): void {
    if (this.#hasTold) return;
    this.#hasTold = true;
    const advice = "Until that is fixed, the day's budget counts this process alone.";
    this.#options.onProblem?.(
      `What is spent cannot be written to ${this.#options.directory}: ${errorMessage(thrown)}. ${advice}`,
    );
  }
}

/** A line that was cut off when its writer died must not swallow the next one. */
function appendLine(file: string, directory: string, line: string): void {
  const fd = openIn(file, directory);
  try {
    const last = Buffer.alloc(1);
    const bytesRead = readSync(fd, last, 0, 1, Math.max(0, fstatSync(fd).size - 1));
    const isTorn = bytesRead === 1 && last[0] !== 0x0a;
    writeSync(fd, isTorn ? `\n${line}` : line);
  } finally {
    closeSync(fd);
  }
}

/** The directory is made with its first file. */
function openIn(file: string, directory: string): number {
  try {
    return openSync(file, 'a+', 0o600);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT') throw thrown;
    makeDirectories(directory, 0o700);
    return openSync(file, 'a+', 0o600);
  }
}

/** Adds up new lines; an incomplete one is read next time. */
async function readFurther(day: Day): Promise<void> {
  const handle = await open(day.file, 'r');
  try {
    const { size } = await handle.stat();
    const { offset } = day;
    if (size <= offset) return;
    const buffer = Buffer.alloc(size - offset);
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, offset);
    // Another call read the same lines meanwhile.
    if (day.offset !== offset) return await readFurther(day);
    const end = buffer.lastIndexOf(0x0a, bytesRead - 1) + 1;
    for (const line of buffer.toString('utf8', 0, end).split('\n')) day.read += amountIn(line);
    day.offset += end;
  } finally {
    await handle.close();
  }
}

function amountIn(line: string): number {
  const record = parseJson(line);
  const cost = isJsonObject(record) ? record.cost : undefined;
  return typeof cost === 'number' && cost > 0 ? cost : 0;
}

function dateOf(time: Date): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
}
