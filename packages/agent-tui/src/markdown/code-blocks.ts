import { filterEscapes } from '../text/escape-filter.ts';
import type { Block } from './block.ts';
import { readBlocks } from './block-reader.ts';

/** A block of code in a Markdown text. */
export interface CodeBlock {
  /** As written behind the fence; empty if there is none. */
  readonly language: string;
  readonly text: string;
}

/** Deeper lists and quotes are not looked into. */
const deepest = 12;

/** The blocks of code of a Markdown text in their order, as a screen shows them, also those in lists and quotes. */
export function codeBlocksOf(markdown: string): readonly CodeBlock[] {
  return blocksIn(filterEscapes(markdown).split('\n'), 0);
}

function blocksIn(lines: readonly string[], depth: number): readonly CodeBlock[] {
  if (depth > deepest) return [];
  return readBlocks(lines).flatMap((block) => codeIn(block, depth));
}

function codeIn(block: Block, depth: number): readonly CodeBlock[] {
  if (block.kind === 'code') return [{ language: block.language, text: block.lines.join('\n') }];
  if (block.kind === 'item' || block.kind === 'quote') return blocksIn(block.lines, depth + 1);
  return [];
}
