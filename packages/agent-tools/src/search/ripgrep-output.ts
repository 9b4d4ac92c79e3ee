import { Turns } from '../process/turns.ts';
import { cutBytes } from './cut-line.ts';
import type { MatchCollector } from './match-collector.ts';

const newline = 0x0a;
const colon = 0x3a;
const longestLine = 1024 * 1024;
/** Records after which the time is looked at. */
const recordsAtOnce = 64;

/** Parses `path NUL number : column : text` lines from chunks and passes them to a collector. */
export class RipgrepOutput {
  readonly #collector: MatchCollector;
  readonly #turns = new Turns();
  #rest: Buffer = Buffer.alloc(0);
  #path: Buffer | undefined;
  #isSkipping = false;

  constructor(collector: MatchCollector) {
    this.#collector = collector;
  }

  get trailer(): string {
    return this.#rest.toString();
  }

  async write(chunk: Buffer): Promise<void> {
    const data = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let at = this.#isSkipping ? data.indexOf(newline) + 1 : 0;
    if (this.#isSkipping && at === 0) return;
    this.#isSkipping = false;
    let read = 0;
    for (let next = this.#readLine(data, at); next !== -1; next = this.#readLine(data, at)) {
      at = next;
      read += 1;
      if (read % recordsAtOnce === 0) await this.#turns.pause();
    }
    this.#rest = data.subarray(at);
    if (this.#rest.length > longestLine) this.#skipLine();
  }

  /** Completes the last file. */
  finish(): void {
    if (isBinaryNotice(this.trailer)) this.#collector.discard();
    this.#collector.end();
  }

  /** Reads one line and returns the start of the next; -1 if it is incomplete. */
  #readLine(data: Buffer, start: number): number {
    const pathEnd = data.indexOf(0, start);
    if (pathEnd === -1) return -1;
    if (!this.#isSamePath(data, start, pathEnd)) {
      const noticeEnd = this.#readNotice(data, start, pathEnd);
      if (noticeEnd !== -1) return noticeEnd;
      this.#path = Buffer.from(data.subarray(start, pathEnd));
      this.#collector.begin(this.#path.toString().replace(/^\.\//, ''));
    }
    const end = data.indexOf(newline, pathEnd);
    if (end === -1) return -1;
    this.#readMatch(data, pathEnd + 1, end);
    return end + 1;
  }

  #isSamePath(data: Buffer, start: number, end: number): boolean {
    if (this.#path === undefined || this.#path.length !== end - start) return false;
    return this.#path.compare(data, start, end) === 0;
  }

  /** A line without a path: ripgrep noticed that the file is binary after it had printed matches. */
  #readNotice(data: Buffer, start: number, pathEnd: number): number {
    const end = data.indexOf(newline, start);
    if (end === -1 || end > pathEnd) return -1;
    if (start === end) return end + 1;
    if (!isBinaryNotice(data.toString('utf8', start, end))) return -1;
    this.#collector.discard();
    return end + 1;
  }

  #readMatch(data: Buffer, start: number, end: number): void {
    const numberEnd = skipDigits(data, start);
    const isMatch = data[numberEnd] === colon;
    if (isMatch) this.#collector.count(1);
    if (!this.#collector.wantsLine) return;
    const columnEnd = isMatch ? skipDigits(data, numberEnd + 1) : numberEnd;
    // No column if only the line of a match is known.
    const hasColumn = columnEnd > numberEnd + 1 && data[columnEnd] === colon;
    const column = hasColumn ? Number(data.toString('latin1', numberEnd + 1, columnEnd)) : 1;
    const text = cutBytes(data.subarray((hasColumn ? columnEnd : numberEnd) + 1, end), column - 1);
    this.#collector.add({ number: Number(data.toString('latin1', start, numberEnd)), isMatch, text });
  }

  /** Uses only the available part of a line that is too long to hold. */
  #skipLine(): void {
    this.#readLine(Buffer.concat([this.#rest, Buffer.from('\n')]), 0);
    this.#rest = Buffer.alloc(0);
    this.#isSkipping = true;
  }
}

function isBinaryNotice(text: string): boolean {
  return text.includes(': WARNING: stopped searching binary file');
}

function skipDigits(data: Buffer, start: number): number {
  let at = start;
  for (let byte = data[at] ?? 0; byte >= 0x30 && byte <= 0x39; byte = data[at] ?? 0) at += 1;
  return at;
}

/** Parses ripgrep's output about whole files: `path NUL`, or `path NUL count LF`. */
export class RipgrepRecords {
  readonly #collector: MatchCollector;
  readonly #record: RegExp;
  readonly #decoder = new TextDecoder();
  readonly #turns = new Turns();
  #rest = '';

  constructor(collector: MatchCollector, mode: 'files' | 'count') {
    this.#collector = collector;
    this.#record = mode === 'files' ? /([^\0]*)\0/gy : /([^\0]*)\0(\d+)\r?\n/gy;
  }

  /** The text after the last record. */
  get trailer(): string {
    return this.#rest;
  }

  async write(chunk: Buffer): Promise<void> {
    const text = this.#rest + this.#decoder.decode(chunk, { stream: true });
    let at = 0;
    let read = 0;
    for (const [record, path = '', count = '1'] of text.matchAll(this.#record)) {
      this.#collector.begin(path.startsWith('./') ? path.slice(2) : path);
      this.#collector.count(Number(count));
      at += record.length;
      read += 1;
      if (read % recordsAtOnce === 0) await this.#turns.pause();
    }
    this.#rest = text.slice(at);
  }

  /** Completes the last file. */
  finish(): void {
    this.#collector.end();
  }
}
