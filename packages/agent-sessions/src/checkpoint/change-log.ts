import { randomUUID } from 'node:crypto';
import { closeSync, fdatasyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { guard, list, makeDirectories, object, parseJson, text, words } from '@robota-sdk/agent-core';
import type { FileState } from './file-state.ts';

/** The change of one file. */
export interface FileChange {
  readonly path: string;
  readonly before: FileState;
  /** Absent if the process ended before the file was compared. */
  readonly after?: FileState;
  /** Directories that were made for it, outermost first. */
  readonly directories?: readonly string[];
}

/** The changes of a call or a rewind. */
export type Change = CallChange | RewindChange;

interface ChangeBase {
  readonly id: string;
  /** The entry of the session's tree at which it happened. */
  readonly entry: string | null;
  /** ISO. */
  readonly time: string;
  readonly files: readonly FileChange[];
}

interface CallChange extends ChangeBase {
  readonly kind: 'call';
  readonly tool: string;
  /** Why its changes are not completely known. */
  readonly unknown?: string;
}

export interface RewindChange extends ChangeBase {
  readonly kind: 'rewind';
  /** The leaf before the conversation was moved. */
  readonly leafBefore?: string | null;
  /** The rewind that this one undoes. */
  readonly undoes?: string;
  /** True if it finished; a killed one may have restored only a part. */
  readonly isComplete?: boolean;
}

/** Lines as they are stored; an `after` completes the `call` of the same id. */
export type ChangeLine =
  | (Omit<CallChange, 'kind'> & { readonly type: 'call'; readonly runs?: boolean })
  | (Omit<RewindChange, 'kind'> & { readonly type: 'rewind' })
  | {
      readonly type: 'after';
      readonly id: string;
      readonly files: readonly FileChange[];
      readonly unknown?: string;
      /** True if a later rewind includes it. */
      readonly isReplaced?: boolean;
    };

export const newChangeId = (): string => randomUUID().slice(0, 8);

/** All changes of a session in their order, appended line by line to `changes.jsonl`. */
export class ChangeLog {
  readonly #path: string;
  #needsBreak: boolean;
  #changes: Map<string, Change>;
  /** Lines that are not written yet. */
  #unwritten = '';
  #openRun: string | undefined;

  constructor(directory: string) {
    this.#path = join(directory, 'changes.jsonl');
    const text = readText(this.#path);
    this.#needsBreak = text !== '' && !text.endsWith('\n');
    this.#changes = new Map();
    for (const line of text.split('\n')) this.#apply(parseLine(line));
  }

  get changes(): readonly Change[] {
    return [...this.#changes.values()];
  }

  /** The command during which another process was killed, if its changes are still unchecked. */
  get interrupted(): Change | undefined {
    return this.#openRun === undefined ? undefined : this.#changes.get(this.#openRun);
  }

  /** Adds a line; when it returns, it would survive a loss of power. */
  append(line: ChangeLine): void {
    this.#write(`${this.#unwritten}${JSON.stringify(line)}\n`);
    this.#unwritten = '';
    this.#apply(line);
  }

  /** Adds a line that takes effect immediately, even if it can only be written together with a later one. */
  note(line: ChangeLine): void {
    try {
      this.append(line);
    } catch {
      this.#unwritten += `${JSON.stringify(line)}\n`;
      this.#apply(line);
    }
  }

  #write(lines: string): void {
    makeDirectories(dirname(this.#path), 0o700);
    const file = openSync(this.#path, 'a', 0o600);
    try {
      // The last line may lack its end: the process was killed, or the disk was full.
      const bytes = Buffer.from(`${this.#needsBreak ? '\n' : ''}${lines}`);
      this.#needsBreak = true;
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
      this.#needsBreak = false;
      fdatasyncSync(file);
    } finally {
      closeSync(file);
    }
  }

  #apply(line: ChangeLine | undefined): void {
    if (line === undefined) return;
    if (line.type === 'after') {
      const call = this.#changes.get(line.id);
      if (call === undefined) return;
      if (line.isReplaced === true) return void this.#changes.delete(line.id);
      if (this.#openRun === line.id) this.#openRun = undefined;
      const { unknown: _open, ...known } = call as CallChange;
      const { files } = line;
      this.#changes.set(line.id, {
        ...known,
        files,
        ...(call.kind === 'rewind' ? { isComplete: true } : {}),
        ...(line.unknown === undefined ? {} : { unknown: line.unknown }),
      });
      return;
    }
    if (line.type === 'rewind') {
      const { type, ...rest } = line;
      this.#changes.set(line.id, { ...rest, kind: type });
      return;
    }
    const { type, runs = false, ...rest } = line;
    if (runs) this.#openRun = line.id;
    this.#changes.set(line.id, { ...rest, kind: type, ...(runs ? { unknown: cutOff } : {}) });
  }
}

/** The note for a command that the process did not survive. */
export const cutOff = 'it was cut off or still runs, so others may have changed the same files';

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw thrown;
  }
}

function parseLine(line: string): ChangeLine | undefined {
  const value: unknown = parseJson(line);
  return isChangeLine(value) ? value : undefined;
}

const isChangeLine = guard<ChangeLine>(() => {
  const state = object({ kind: text });
  const files = list(object({ path: text, before: state }, { after: state }));
  return object({ id: text, type: words('call', 'after', 'rewind'), files });
});
