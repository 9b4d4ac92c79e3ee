import type { BlockContent } from './block.ts';

/**
 * What a block makes of the next line: it takes it, takes it as its last, leaves it to the next block, or finds that
 * it is something else.
 */
export type Taking = 'taken' | 'last' | 'refused' | OpenBlock;

/** A block that further lines may belong to. */
export interface OpenBlock {
  take(line: string): Taking;
  /** What it holds so far. */
  contents(): readonly BlockContent[];
  /** Another one in the same state, so that a line can be tried. */
  copy(): OpenBlock;
  /** Whether its last line is blank, which is a gap before the next block. */
  readonly endsBlank: boolean;
}
