import { join } from 'node:path';
import { Script } from 'node:vm';
import { Turns } from '../process/turns.ts';
import { compileRegex } from './compile-regex.ts';
import { cutBytes } from './cut-line.ts';
import { nameMatcher } from './list-files.ts';
import { patternTooSlow } from './pattern-error.ts';
import { readSearchable } from './read-searchable.ts';
import type { ContentSearch, ContentSearchEnd } from './search-content.ts';
import { walkFiles } from './walk-files.ts';

/** Searches without ripgrep, with the same results. */
export async function searchByWalking(search: ContentSearch): Promise<ContentSearchEnd> {
  const walking = new WalkingSearch(search);
  const isMeant = nameMatcher(search);
  if (search.file !== undefined) walking.read(search.file);
  const end =
    search.file === undefined
      ? await walkFiles({
          ...search,
          onFile: (path) => (isMeant(path) ? walking.searchInTurn(path) : undefined),
        })
      : { unreadable: 0, isTimedOut: false };
  walking.searchWaiting();
  return { ...end, unreadable: end.unreadable + walking.unreadable, searched: walking.searched };
}

/** Files and characters that are searched together: a deadline costs more than searching a small file. */
const filesAtOnce = 32;
const charactersAtOnce = 512 * 1024;
/** Milliseconds that these files may take; only a pattern that backtracks endlessly needs them. */
const longestTurn = 3_000;

interface MatchedLine {
  readonly index: number;
  /** The offset of the match in the line. */
  readonly column: number;
}

class WalkingSearch {
  readonly #search: ContentSearch;
  readonly #pattern: RegExp;
  readonly #quickTest: RegExp | undefined;
  readonly #turns = new Turns();
  #waiting: { readonly path: string; readonly text: string }[] = [];
  #characters = 0;
  unreadable = 0;
  searched = 0;

  constructor(search: ContentSearch) {
    this.#search = search;
    this.#pattern = compileRegex(search.pattern, search);
    // A negative lookaround may concern a line break, which the line itself does not contain.
    const isLocal = !/\(\?<?!/.test(search.pattern) || search.isLiteral;
    if (isLocal)
      this.#quickTest = new RegExp(this.#pattern.source, `${this.#pattern.flags.replace(/[gm]/g, '')}m`);
  }

  /** Searches, and sometimes asks the caller to wait, so that other work can run. */
  searchInTurn(path: string): Promise<void> | undefined {
    this.read(path);
    const isEnough = this.#waiting.length >= filesAtOnce || this.#characters >= charactersAtOnce;
    if (!isEnough && !this.#turns.isOver) return undefined;
    this.searchWaiting();
    return this.#turns.isOver ? this.#turns.pause() : undefined;
  }

  read(path: string): void {
    const file = readSearchable(join(this.#search.root, path));
    if (file.kind === 'unreadable') this.unreadable += 1;
    else this.searched += 1;
    if (file.kind !== 'text') return;
    this.#waiting.push({ path, text: file.text });
    this.#characters += file.text.length;
  }

  /** Searches the files that were read; throws if the pattern takes too long. */
  searchWaiting(): void {
    let current = '';
    const isDone = runWithin(longestTurn, () => {
      for (const { path, text } of this.#waiting) {
        current = path;
        this.#searchFile(path, text);
      }
    });
    if (!isDone) throw patternTooSlow(current);
    this.#waiting = [];
    this.#characters = 0;
  }

  #searchFile(path: string, text: string): void {
    if (this.#quickTest?.test(text) === false) return;
    const lines = text.split('\n');
    if (lines.at(-1) === '') lines.pop();
    if (this.#search.isMultiline) this.#searchText(path, text, lines);
    else this.#report(path, lines, this.#matchLines(lines));
  }

  #matchLines(lines: readonly string[]): MatchedLine[] {
    const matched: MatchedLine[] = [];
    for (const [index, line] of lines.entries()) {
      this.#pattern.lastIndex = 0;
      const found = this.#pattern.exec(line.endsWith('\r') ? line.slice(0, -1) : line);
      if (found !== null) matched.push({ index, column: found.index });
    }
    return matched;
  }

  #searchText(path: string, text: string, lines: readonly string[]): void {
    const starts = startsOf(lines);
    const matched = new Map<number, MatchedLine>();
    for (const found of text.matchAll(this.#pattern)) {
      const first = lineAt(starts, found.index);
      const last = lineAt(starts, found.index + Math.max(0, found[0].length - 1));
      if (first >= lines.length) continue;
      for (let index = first; index <= last; index += 1) {
        const column = index === first ? found.index - (starts[first] ?? 0) : 0;
        if (!matched.has(index)) matched.set(index, { index, column });
      }
    }
    this.#report(path, lines, [...matched.values()]);
  }

  #report(path: string, lines: readonly string[], matched: readonly MatchedLine[]): void {
    if (matched.length === 0) return;
    const { collector, mode } = this.#search;
    collector.begin(path);
    collector.count(mode === 'files' ? 1 : matched.length);
    if (mode === 'content') this.#reportLines(lines, matched);
    collector.end();
  }

  #reportLines(lines: readonly string[], matched: readonly MatchedLine[]): void {
    const { context, collector } = this.#search;
    const add = (index: number, match?: MatchedLine) => {
      const line = lines[index] ?? '';
      const column = match ? Buffer.byteLength(line.slice(0, match.column)) : 0;
      collector.add({
        number: index + 1,
        isMatch: match !== undefined,
        text: cutBytes(Buffer.from(line), column),
      });
    };
    let next = 0;
    for (const [position, match] of matched.entries()) {
      if (!collector.wantsLine) return;
      for (let index = Math.max(next, match.index - context); index < match.index; index += 1) add(index);
      add(match.index, match);
      const following = matched[position + 1]?.index ?? lines.length;
      next = Math.min(match.index + context + 1, following, lines.length);
      for (let index = match.index + 1; index < next; index += 1) add(index);
    }
  }
}

function startsOf(lines: readonly string[]): number[] {
  const starts: number[] = [];
  let start = 0;
  for (const line of lines) {
    starts.push(start);
    start += line.length + 1;
  }
  return [...starts, start];
}

/** The last line that starts at or before an offset. */
function lineAt(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

const slot = Symbol.for('robota.runWithin');

/**
 * Runs a synchronous task with a time limit, even inside a regular expression. Returns whether it finished. Node can
 * only stop code called from a script, and a script finds the task by a global name.
 */
function runWithin(milliseconds: number, task: () => void): boolean {
  const script = new Script("globalThis[Symbol.for('robota.runWithin')]()");
  Reflect.set(globalThis, slot, task);
  try {
    script.runInThisContext({ timeout: milliseconds });
    return true;
  } catch (thrown) {
    if (Reflect.get(Object(thrown), 'code') === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false;
    throw thrown;
  } finally {
    Reflect.deleteProperty(globalThis, slot);
  }
}
