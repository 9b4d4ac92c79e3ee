import type { Capabilities, CellSize, ImageProtocol } from '@robota-sdk/agent-tui';
import type { AppStyle } from '../theme/app-tokens.ts';
import type { ShownItem } from './fold-reads.ts';

/** How conversations are shown: the view of the settings, and the folders that paths are shortened by. */
export interface ItemFormat {
  readonly view: 'compact' | 'classic';
  readonly cwd?: string | undefined;
  readonly home?: string | undefined;
}

/** The kind of an item, which decides over labels and blank lines below it. */
export type ItemKind = Pick<ShownItem, 'kind'>;

/** How items are drawn. */
export interface ItemView {
  readonly look: AppStyle;
  readonly columns: number;
  /** Compact by default. */
  readonly format?: ItemFormat | undefined;
  /** The item before, which decides over labels and blank lines. */
  readonly previous?: ItemKind | undefined;
  /** Everything of it, as the pager shows it; else outputs are cut. */
  readonly isWhole?: boolean;
  /** The history: diffs have the lines around a change, and thinking has its first words. */
  readonly isHistory?: boolean;
  /** Lines of code stay whole, since the terminal breaks them. */
  readonly isFlowing?: boolean;
  /** One line stands for thinking. */
  readonly isThinkingHidden?: boolean;
  /** How the terminal shows images; a line of text stands for them where nothing is given. */
  readonly images?: ImageView | undefined;
}

/** The terminal's way to show images. */
export interface ImageView {
  readonly protocol: ImageProtocol;
  readonly cell?: CellSize | undefined;
}

/** How a terminal shows images; undefined if it does not. */
export function imageView({ images: protocol, cellSize: cell }: Capabilities): ImageView | undefined {
  return protocol === 'none' ? undefined : { protocol, cell };
}
