import type { BlockContent, OpenBlock, Taking } from './block.ts';
import {
  type ItemStart,
  indentOf,
  isRule,
  readFence,
  readHeading,
  readItem,
  readQuote,
} from './line-kinds.ts';
import { FencedCode, IndentedCode } from './open-code.ts';
import { OpenItem, Quote } from './open-container.ts';
import { Paragraph } from './open-paragraph.ts';

/** The block that begins with a line that is not blank; `source` has its leading tabs. */
export function startBlock(line: string, source: string, previousItem: ItemStart | undefined): OpenBlock {
  const heading = readHeading(line);
  if (heading) return new ClosedBlock({ kind: 'heading', ...heading });
  const fence = readFence(line);
  if (fence) return new FencedCode(fence);
  if (isRule(line)) return new ClosedBlock({ kind: 'rule' });
  if (readQuote(line) !== undefined) return new Quote([], line);
  const item = readItem(line);
  if (item && item.indent < 4) return new OpenItem(followingItem(item, previousItem));
  if (indentOf(line) >= 4) return new IndentedCode([], source);
  return new Paragraph([line]);
}

/** The start of an item with the number it is shown with: as written, but never lower than its place in the list. */
function followingItem(item: ItemStart, previous: ItemStart | undefined): ItemStart {
  if (item.number === undefined || previous?.number === undefined || previous.type !== item.type) return item;
  return { ...item, number: Math.max(item.number, previous.number + 1) };
}

/** A heading or a rule, which is one line. */
class ClosedBlock implements OpenBlock {
  readonly endsBlank = false;
  readonly #content: BlockContent;

  constructor(content: BlockContent) {
    this.#content = content;
  }

  take(): Taking {
    return 'refused';
  }

  contents(): readonly BlockContent[] {
    return [this.#content];
  }

  copy(): OpenBlock {
    return this;
  }
}
