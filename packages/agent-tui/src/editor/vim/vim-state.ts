import type { EditorState } from '../text/editor-state.ts';
import type { EditorSize } from '../text/move-vertically.ts';
import type { Position } from '../text/position.ts';

/** Something that is done to what a motion goes over. */
export type VimOperator = 'd' | 'c' | 'y';

/** A search for a character in the line: on it or just before it, to the right or, as a capital, to the left. */
export interface VimFind {
  readonly kind: 'f' | 'F' | 't' | 'T';
  readonly character: string;
  /** It is done again from where it ended. */
  readonly isRepeated?: boolean;
}

/** The current meaning of keys. */
export interface VimState {
  readonly mode: 'insert' | 'normal' | 'visual' | 'visual-line';
  /** The digits typed so far. */
  readonly count: string;
  readonly operator: VimOperator | undefined;
  /** The count typed before the operator. */
  readonly operatorCount: number;
  /** A key that waits for the next one. */
  readonly pending: 'g' | 'r' | VimFind['kind'] | undefined;
  /** The start of the selection. */
  readonly anchor: Position | undefined;
  readonly lastFind: VimFind | undefined;
  /** The search typed after `/` so far. */
  readonly search: string | undefined;
  readonly lastSearch: string | undefined;
}

/** The text and what keys mean. */
export interface VimEditor {
  readonly vim: VimState;
  readonly editor: EditorState;
  readonly room: EditorSize;
}

/** Keys that write. */
export const insertMode: VimState = {
  mode: 'insert',
  count: '',
  operator: undefined,
  operatorCount: 1,
  pending: undefined,
  anchor: undefined,
  lastFind: undefined,
  search: undefined,
  lastSearch: undefined,
};

/** The same with nothing begun: neither a count, nor an operator, nor a key that waits. */
export function settled(vim: VimState, change: Partial<VimState> = {}): VimState {
  return {
    ...vim,
    count: '',
    operator: undefined,
    operatorCount: 1,
    pending: undefined,
    search: undefined,
    ...change,
  };
}

/** How often the next command is done. */
export function repeatCount(vim: VimState): number {
  return Math.min(9999, Math.max(1, Number(vim.count || 1)) * vim.operatorCount);
}
