import type { DiffLine } from '@robota-sdk/agent-diff';
import { languageOfPath } from '../markdown/find-language.ts';
import { type CodePart, type CodeState, highlightLine } from '../markdown/highlight-line.ts';
import type { Language } from '../markdown/language.ts';

/** Lines are highlighted in blocks of this size; the one before a block is read for comments and strings that it opens. */
const blockSize = 128;
const mostBlocks = 8;
/** So many lines of a hunk are searched for the end of a comment that began above it. */
const searchedLines = 40;

interface Block {
  next: number;
  old: CodeState;
  now: CodeState;
  readonly parts: Map<number, readonly CodePart[]>;
}

/** The syntax of the lines of a diff. The cost of a line does not depend on how many there are. */
export class DiffCode {
  readonly #lines: readonly DiffLine[];
  readonly #language: Language | undefined;
  readonly #blocks = new Map<number, Block>();

  constructor(lines: readonly DiffLine[], path: string | undefined) {
    this.#lines = lines;
    this.#language = path === undefined ? undefined : languageOfPath(path);
  }

  /** The parts of a line; together they are its text, to the letter. */
  partsOf(index: number): readonly CodePart[] {
    const text = this.#lines[index]?.text ?? '';
    if (!this.#language) return [{ text }];
    const block = this.#blockOf(Math.floor(index / blockSize));
    while (block.next <= index) this.#readNext(block, this.#language);
    return block.parts.get(index) ?? [{ text }];
  }

  #blockOf(number: number): Block {
    const known = this.#blocks.get(number);
    if (known) return known;
    const next = Math.max(0, (number - 1) * blockSize);
    const start = this.#language && this.#stateAt(next, this.#language);
    const block: Block = { next, old: start, now: start, parts: new Map() };
    this.#blocks.set(number, block);
    for (const oldest of this.#blocks.keys()) {
      if (this.#blocks.size <= mostBlocks) break;
      this.#blocks.delete(oldest);
    }
    return block;
  }

  #readNext(block: Block, language: Language): void {
    const index = block.next++;
    const line = this.#lines[index];
    if (!line) return;
    if (line.kind === 'gap') {
      block.old = this.#stateAt(index + 1, language);
      block.now = block.old;
      return;
    }
    const { parts, state } = highlightLine(
      line.text,
      line.kind === 'removed' ? block.old : block.now,
      language,
    );
    block.parts.set(index, parts);
    if (line.kind !== 'added') block.old = state;
    if (line.kind !== 'removed') block.now = state;
  }

  /** The state at the first line of a hunk: inside a comment, if one ends in the hunk that does not begin there. */
  #stateAt(start: number, { blockComments }: Language): CodeState {
    for (const [open, close] of blockComments) {
      if (open === close) continue;
      for (let index = start; index < start + searchedLines; index++) {
        const line = this.#lines[index];
        if (!line || line.kind === 'gap') break;
        const opened = line.text.indexOf(open);
        const closed = line.text.indexOf(close);
        if (closed >= 0 && (opened < 0 || closed < opened))
          return { token: 'syntaxComment', close, hasEscapes: false };
        if (opened >= 0) break;
      }
    }
    return undefined;
  }
}
