import type { Block, CodeContent, OpenBlock } from './block.ts';
import { type ItemStart, isBlank, withoutLeadingTabs } from './line-kinds.ts';
import { FencedCode } from './open-code.ts';
import { OpenItem } from './open-container.ts';
import { startBlock } from './start-block.ts';

/**
 * Makes blocks of the lines of a Markdown text as they come. A block is handed out when no further line can belong to
 * it, so what was handed out never changes.
 */
export class BlockReader {
  #open: OpenBlock | undefined;
  #hasGap = false;
  /** The item before the open block, which numbering continues from. */
  #previousItem: ItemStart | undefined;

  /** Takes the next whole line and returns the blocks that it ends. */
  push(source: string): Block[] {
    const line = withoutLeadingTabs(source);
    const taking = this.#open?.take(line, source) ?? 'refused';
    if (taking === 'taken') return [];
    if (taking === 'last') return this.end();
    if (taking !== 'refused') {
      this.#open = taking;
      return [];
    }
    const finished = this.end();
    if (isBlank(line)) this.#hasGap = true;
    else this.#open = startBlock(line, source, this.#previousItem);
    return finished;
  }

  /** Ends the text and returns its last blocks. */
  end(): Block[] {
    const open = this.#open;
    if (!open) return [];
    this.#open = undefined;
    const hasGap = this.#hasGap;
    this.#hasGap = open.endsBlank;
    this.#previousItem = open instanceof OpenItem ? open.start : undefined;
    return open.contents().map((content, index) => ({ ...content, hasGap: hasGap && index === 0 }));
  }

  /** The code of a fence that is open, as far as its lines are whole. */
  get openCode(): (Block & CodeContent) | undefined {
    const open = this.#open;
    return open instanceof FencedCode ? { ...open.content, hasGap: this.#hasGap } : undefined;
  }

  /** The unfinished blocks as if the text ended here, or after one more line. */
  preview(line?: string): Block[] {
    const copy = new BlockReader();
    copy.#open = this.#open?.copy();
    copy.#hasGap = this.#hasGap;
    copy.#previousItem = this.#previousItem;
    const finished = line === undefined ? [] : copy.push(line);
    return [...finished, ...copy.end()];
  }
}

/** The blocks of a text that is whole. */
export function readBlocks(lines: readonly string[]): Block[] {
  const reader = new BlockReader();
  const blocks = lines.flatMap((line) => reader.push(line));
  return [...blocks, ...reader.end()];
}
