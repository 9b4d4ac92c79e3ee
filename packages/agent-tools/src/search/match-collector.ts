import { FirstByPath, type Weighted } from './first-by-path.ts';

export interface FoundLine {
  readonly number: number;
  /** False for a line of context. */
  readonly isMatch: boolean;
  readonly text: string;
}

/** The matches in one file. */
export interface FileMatches extends Weighted {
  readonly path: string;
  readonly count: number;
  readonly lines: readonly FoundLine[];
}

export interface CollectorOptions {
  /** Maximum lines to keep, or files if lines are not wanted. */
  readonly limit: number;
  readonly wantsLines: boolean;
  /** True if a file is included. */
  isMeant(path: string): boolean;
}

/** Collects matches of files in any order, and keeps the first by path; all are counted. */
export class MatchCollector {
  readonly #options: CollectorOptions;
  #kept: FirstByPath<FileMatches>;
  #path: string | undefined;
  #count = 0;
  #lines: FoundLine[] = [];
  #isKept = false;
  #files = 0;
  #matches = 0;

  constructor(options: CollectorOptions) {
    this.#options = options;
    this.#kept = new FirstByPath(options.limit);
  }

  /** Files with matches. */
  get files(): number {
    return this.#files;
  }

  /** Lines with matches. */
  get matches(): number {
    return this.#matches;
  }

  /** True if the text of the next line matters. */
  get wantsLine(): boolean {
    return this.#isKept && this.#lines.length < this.#options.limit;
  }

  begin(path: string): void {
    this.end();
    if (!this.#options.isMeant(path)) return;
    this.#path = path;
    this.#isKept = this.#options.wantsLines && this.#kept.isWanted(path);
  }

  /** Counts matches of the current file. */
  count(matches: number): void {
    this.#count += matches;
  }

  add(line: FoundLine): void {
    if (this.wantsLine) this.#lines.push(line);
  }

  /** Forgets everything, because the search starts again. */
  reset(): void {
    this.discard();
    this.#kept = new FirstByPath(this.#options.limit);
    this.#files = 0;
    this.#matches = 0;
  }

  /** Drops the current file, which turned out to be binary. */
  discard(): void {
    this.#path = undefined;
    this.end();
  }

  /** Completes the current file. */
  end(): void {
    if (this.#path !== undefined) {
      this.#files += 1;
      this.#matches += this.#count;
      const weight = this.#options.wantsLines ? this.#lines.length : 1;
      this.#kept.add({ path: this.#path, count: this.#count, lines: this.#lines, weight });
    }
    this.#path = undefined;
    this.#count = 0;
    this.#lines = [];
    this.#isKept = false;
  }

  /** The kept files by path. */
  result(): readonly FileMatches[] {
    this.end();
    return this.#kept.sorted();
  }
}
