import type { MatchCollector } from './match-collector.ts';

/** Parses ripgrep's output about whole files: `path NUL`, or `path NUL count LF`. */
export class RipgrepRecords {
  readonly #collector: MatchCollector;
  readonly #mode: 'files' | 'count';
  readonly #decoder = new TextDecoder();
  #rest = '';

  constructor(collector: MatchCollector, mode: 'files' | 'count') {
    this.#collector = collector;
    this.#mode = mode;
  }

  /** The text after the last record. */
  get trailer(): string {
    return this.#rest;
  }

  write(chunk: Buffer): void {
    const text = this.#rest + this.#decoder.decode(chunk, { stream: true });
    this.#rest = text.slice(this.#mode === 'files' ? this.#readFiles(text) : this.#readCounts(text));
  }

  /** Completes the last file. */
  finish(): void {
    this.#collector.end();
  }

  #readFiles(text: string): number {
    let at = 0;
    for (let end = text.indexOf('\0'); end !== -1; end = text.indexOf('\0', at)) {
      this.#read(text.slice(at, end), 1);
      at = end + 1;
    }
    return at;
  }

  #readCounts(text: string): number {
    let at = 0;
    for (const found of text.matchAll(/([^\0]*)\0(\d+)\r?\n/gy)) {
      this.#read(found[1] ?? '', Number(found[2]));
      at = found.index + found[0].length;
    }
    return at;
  }

  #read(path: string, count: number): void {
    this.#collector.begin(path.startsWith('./') ? path.slice(2) : path);
    this.#collector.count(count);
  }
}
