import { appendFile, chmod, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDirectories, shortHash } from '@robota-sdk/agent-sdk/front-end';
import { decodeHistory, encodeHistoryEntry, type HistoryEntry } from '@robota-sdk/agent-tui';

/** The folder of the input history. */
export interface KeptHistoryOptions {
  /** The folder of its files. */
  readonly folder: string;
  readonly cwd: string;
  /** Takes secrets out of what is written down. */
  redact(text: string): string;
}

/** A file that is longer is cut to its newer half. */
const largestFile = 512 * 1024;

/** The input history of all sessions: one file per project, and one for all. */
export class KeptHistory {
  readonly #folder: string;
  readonly #redact: (text: string) => string;
  readonly #files: { readonly all: string; readonly project: string };
  #writing: Promise<void> = Promise.resolve();

  constructor({ folder, cwd, redact }: KeptHistoryOptions) {
    this.#redact = redact;
    this.#folder = folder;
    const project = shortHash(cwd).slice(0, 16);
    this.#files = {
      all: join(this.#folder, 'all.jsonl'),
      project: join(this.#folder, `${project}.jsonl`),
    };
  }

  /** The entries, the oldest first; those of this project come last, so that they are met first. */
  async load(): Promise<readonly HistoryEntry[]> {
    const [all, project] = await Promise.all([entriesIn(this.#files.all), entriesIn(this.#files.project)]);
    const own = new Set(project.map(textOf));
    return [...all.filter((entry) => !own.has(textOf(entry))), ...project];
  }

  /** Keeps an entry, behind those that are being written. */
  remember(entry: HistoryEntry): Promise<void> {
    this.#writing = this.#writing.then(() => this.#append(entry));
    return this.#writing;
  }

  async #append(entry: HistoryEntry): Promise<void> {
    const line = encodeHistoryEntry(this.#withoutSecrets(entry));
    try {
      makeDirectories(this.#folder, 0o700);
      for (const file of [this.#files.project, this.#files.all]) {
        await appendFile(file, line, { mode: 0o600 });
        await shorten(file);
      }
    } catch {
      // An unsaved entry stays in this session.
    }
  }

  #withoutSecrets(entry: HistoryEntry): HistoryEntry {
    const before = textOf(entry);
    const text = this.#redact(before);
    if (typeof entry === 'string' || entry.pasted.length === 0) return text;
    // The pasted parts are unknown, so the whole text counts as pasted.
    return { text, pasted: text === before ? entry.pasted : [{ start: 0, end: text.length }] };
  }
}

function textOf(entry: HistoryEntry): string {
  return typeof entry === 'string' ? entry : entry.text;
}

async function entriesIn(file: string): Promise<HistoryEntry[]> {
  return decodeHistory(await readFile(file, 'utf8').catch(() => ''));
}

async function shorten(file: string): Promise<void> {
  const { size, mode } = await stat(file);
  if ((mode & 0o077) !== 0) await chmod(file, 0o600);
  if (size <= largestFile) return;
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  const next = `${file}.${process.pid}`;
  await writeFile(next, `${lines.slice(Math.floor(lines.length / 2)).join('\n')}\n`, { mode: 0o600 });
  await rename(next, file);
}
