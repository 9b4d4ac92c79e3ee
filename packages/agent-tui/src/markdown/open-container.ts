import type { BlockContent, OpenBlock, Taking } from './block.ts';
import {
  closesFence,
  type FenceStart,
  type ItemStart,
  indentOf,
  interruptsParagraph,
  isBlank,
  isRule,
  readFence,
  readHeading,
  readItem,
  readQuote,
  withoutBlankEnd,
  withoutIndent,
  withoutLeadingTabs,
} from './line-kinds.ts';

/** Lines with quote marks. */
export class Quote implements OpenBlock {
  readonly endsBlank = false;
  readonly #lines: string[];

  constructor(lines: readonly string[], line?: string) {
    this.#lines = [...lines];
    if (line !== undefined) this.#lines.push(readQuote(line) ?? line);
  }

  take(line: string): Taking {
    const text = readQuote(line);
    const goesOn =
      text !== undefined || (!isBlank(line) && !interruptsParagraph(line) && !this.#endsParagraph);
    if (!goesOn) return 'refused';
    this.#lines.push(text ?? line);
    return 'taken';
  }

  contents(): readonly BlockContent[] {
    return [{ kind: 'quote', lines: withoutBlankEnd(this.#lines) }];
  }

  copy(): OpenBlock {
    return new Quote(this.#lines);
  }

  get #endsParagraph(): boolean {
    return isBlank(this.#lines.at(-1) ?? '');
  }
}

/** An item of a list with everything that is indented below it. */
export class OpenItem implements OpenBlock {
  readonly start: ItemStart;
  readonly #lines: string[];
  #fence: FenceStart | undefined;
  /** True if its last line is text, which lines may follow without being indented. */
  #endsInText = true;

  constructor(start: ItemStart, original?: OpenItem) {
    this.start = start;
    this.#lines = original ? [...original.#lines] : [];
    if (!original) {
      this.#add(start.text);
      return;
    }
    this.#fence = original.#fence;
    this.#endsInText = original.#endsInText;
  }

  get endsBlank(): boolean {
    return this.#lines.length > 1 && isBlank(this.#lines.at(-1) ?? '');
  }

  take(line: string, source: string): Taking {
    if (isBlank(line)) return this.#add('');
    const indent = indentOf(line);
    const isInside = indent >= this.start.contentIndent || this.#isNestedItem(line);
    const taken = Math.min(indent, this.start.contentIndent);
    // Only code keeps its tabs: elsewhere they are an indent, which depends on the column.
    if (isInside) return this.#add(this.#fence ? withoutIndent(source, taken) : line.slice(taken));
    const goesOn = this.#endsInText && !interruptsParagraph(line) && !readItem(line);
    return goesOn ? this.#add(line.trimStart()) : 'refused';
  }

  contents(): readonly BlockContent[] {
    const { number, type } = this.start;
    const label = number === undefined ? '' : `${number}${type}`;
    const task = /^\[([ xX])\](?: |$)/.exec(this.#lines[0] ?? '');
    const lines = withoutBlankEnd(this.#lines);
    if (!task) return [{ kind: 'item', label, lines }];
    const first = (lines[0] ?? '').slice(task[0].length);
    return [
      { kind: 'item', label, task: task[1] === ' ' ? 'open' : 'done', lines: [first, ...lines.slice(1)] },
    ];
  }

  copy(): OpenBlock {
    return new OpenItem(this.start, this);
  }

  /** An indent of two columns is enough for a nested list, as usual. */
  #isNestedItem(line: string): boolean {
    return !this.#fence && indentOf(line) >= this.start.indent + 2 && readItem(line) !== undefined;
  }

  #add(line: string): 'taken' {
    this.#lines.push(line);
    const wasInFence = this.#fence !== undefined;
    if (!this.#fence) this.#fence = readFence(line);
    else if (closesFence(withoutLeadingTabs(line), this.#fence)) this.#fence = undefined;
    this.#endsInText = !wasInFence && !this.#fence && !isBlank(line) && !readHeading(line) && !isRule(line);
    return 'taken';
  }
}
