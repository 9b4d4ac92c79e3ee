import type { InputRecall } from './input-recall.ts';
import { lineEnd, lineStart } from './text/edit-text.ts';
import { type EditorState, moveCaret } from './text/editor-state.ts';
import { type EditorRoom, moveVertically } from './text/move-vertically.ts';
import { comparePositions } from './text/position.ts';

/** What a step up or down starts from. */
export interface VerticalStep {
  readonly state: EditorState;
  readonly room: EditorRoom;
  readonly recall: InputRecall;
}

/**
 * Moves the caret by a row; from the first row up it brings an older text, from the last row down a newer one, and where
 * there is none it goes to the end of the line. Nothing if it can do nothing.
 */
export function moveOrRecall(
  { state, room, recall }: VerticalStep,
  direction: 'older' | 'newer',
): EditorState | undefined {
  const isUp = direction === 'older';
  const moved = moveVertically(state, isUp ? -1 : 1, room);
  // Who goes through the history goes on, however many rows its texts have.
  const isInside = moved !== state && !recall.isShowing(state);
  if (isInside) return moved;
  const recalled = recall[direction](state);
  if (recalled) return recalled;
  if (moved !== state) return moved;
  const edge = isUp ? lineStart(state) : lineEnd(state);
  return comparePositions(edge, state.caret) === 0 ? undefined : moveCaret(state, edge);
}
