import type { BlockContent, CodeContent, OpenBlock, Taking } from './block.ts';
import {
  closesFence,
  type FenceStart,
  indentOf,
  isBlank,
  withoutBlankEnd,
  withoutIndent,
} from './line-kinds.ts';

/** Code between two fences. */
export class FencedCode implements OpenBlock {
  readonly endsBlank = false;
  readonly #start: FenceStart;
  /** Shared with copies, which only add to their own tail. */
  readonly #lines: string[];
  readonly #tail: string[] | undefined;

  constructor(start: FenceStart, shared?: string[]) {
    this.#start = start;
    this.#lines = shared ?? [];
    this.#tail = shared ? [] : undefined;
  }

  take(line: string, source: string): Taking {
    if (closesFence(line, this.#start)) return 'last';
    const code = withoutIndent(source, Math.min(this.#start.indent, indentOf(line)));
    (this.#tail ?? this.#lines).push(code);
    return 'taken';
  }

  contents(): readonly BlockContent[] {
    return [this.content];
  }

  get content(): CodeContent {
    const { language } = this.#start;
    return { kind: 'code', language, lines: this.#lines, tail: this.#tail ?? [] };
  }

  copy(): OpenBlock {
    return new FencedCode(this.#start, this.#lines);
  }
}

const codeIndent = 4;

/** Lines that are indented by four columns or more. */
export class IndentedCode implements OpenBlock {
  readonly #lines: string[];

  constructor(lines: readonly string[], source?: string) {
    this.#lines = [...lines];
    if (source !== undefined) this.#lines.push(withoutIndent(source, codeIndent));
  }

  get endsBlank(): boolean {
    return isBlank(this.#lines.at(-1) ?? '');
  }

  take(line: string, source: string): Taking {
    if (!isBlank(line) && indentOf(line) < codeIndent) return 'refused';
    this.#lines.push(withoutIndent(source, codeIndent));
    return 'taken';
  }

  contents(): readonly BlockContent[] {
    return [{ kind: 'code', language: '', lines: withoutBlankEnd(this.#lines), tail: [] }];
  }

  copy(): OpenBlock {
    return new IndentedCode(this.#lines);
  }
}
