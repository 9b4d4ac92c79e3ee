/** A block of a Markdown text. Nested blocks are parsed when it is rendered. */
export type Block = BlockContent & {
  /** True if a blank line comes before it. */
  readonly hasGap: boolean;
};

/** The kind and content of a block. */
export type BlockContent =
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'heading'; readonly depth: number; readonly text: string }
  | { readonly kind: 'rule' }
  | CodeContent
  | ItemContent
  | TableContent
  | { readonly kind: 'quote'; readonly lines: readonly string[] };

/** Code, in a fence or indented. */
export interface CodeContent {
  readonly kind: 'code';
  readonly language: string;
  /** Whole lines. The array is the same as long as the block is open, and only grows. */
  readonly lines: readonly string[];
  /** Lines that may still change. */
  readonly tail: readonly string[];
}

/** One item of a list; a list is the items that follow each other. */
export interface ItemContent {
  readonly kind: 'item';
  /** The number of an ordered item with its mark, such as `3.`; empty for a bullet. */
  readonly label: string;
  readonly task?: 'open' | 'done';
  readonly lines: readonly string[];
}

/** A table with as many cells in each row as it has columns. */
export interface TableContent {
  readonly kind: 'table';
  readonly header: readonly string[];
  readonly alignments: readonly Alignment[];
  readonly rows: readonly (readonly string[])[];
}

/** The alignment of a column. */
export type Alignment = 'left' | 'right' | 'centre';

/**
 * The result of the next line: it is taken, it is taken as the last one, it is refused, or it turns the block into
 * another kind.
 */
export type Taking = 'taken' | 'last' | 'refused' | OpenBlock;

/** A block that further lines may belong to. */
export interface OpenBlock {
  /** Takes a line whose leading tabs are blanks; `source` is the same line as it was written. */
  take(line: string, source: string): Taking;
  /** The content so far. */
  contents(): readonly BlockContent[];
  /** Another one in the same state, so that a line can be tried. */
  copy(): OpenBlock;
  /** True if its last line is blank, which is a gap before the next block. */
  readonly endsBlank: boolean;
}
