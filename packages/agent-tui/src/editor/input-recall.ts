import type { HistoryPosition, InputHistory } from './input-history.ts';
import { lineEnd, lineStart } from './text/edit-text.ts';
import { type EditorState, moveCaret, submittedText } from './text/editor-state.ts';
import { type EditorSize, moveVertically } from './text/move-vertically.ts';
import { replaceText } from './text/paste-text.ts';
import { comparePositions } from './text/position.ts';

/** Brings texts that were sent before into the editor, and the draft back. */
export class InputRecall {
  readonly #history: InputHistory;
  #place: HistoryPosition | undefined;
  #draft: EditorState | undefined;
  #shown: EditorState | undefined;

  constructor(history: InputHistory) {
    this.#history = history;
  }

  /** True if the state is a text that was brought here and not touched since. */
  isShowing(state: EditorState): boolean {
    return this.#shown === state;
  }

  /** The state with the next older text that begins as the draft does. */
  older(state: EditorState): EditorState | undefined {
    const isGoingOn = this.#shown?.buffer === state.buffer;
    const place = this.#history.older((isGoingOn && this.#place) || submittedText(state));
    if (!place) return undefined;
    if (!isGoingOn) this.#draft = state;
    return this.#show(state, place);
  }

  /** The state with the next newer text, and at last the draft. */
  newer(state: EditorState): EditorState | undefined {
    if (!this.#place || this.#shown?.buffer !== state.buffer) return undefined;
    const place = this.#history.newer(this.#place);
    if (place.index < this.#history.entries.length) return this.#show(state, place);
    const draft = this.#draft;
    this.#place = undefined;
    this.#shown = undefined;
    this.#draft = undefined;
    return draft && { ...draft, killRing: state.killRing };
  }

  #show(state: EditorState, place: HistoryPosition): EditorState {
    const filled = replaceText(state, place.text, this.#history.pastedIn(place.text));
    this.#place = place;
    this.#shown = moveCaret(filled, filled.buffer.end);
    return this.#shown;
  }
}

/** The start of a step up or down. */
export interface VerticalStep {
  readonly state: EditorState;
  readonly room: EditorSize;
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
  // Recalling continues, however many rows the recalled texts have.
  const isInside = moved !== state && !recall.isShowing(state);
  if (isInside) return moved;
  const recalled = recall[direction](state);
  if (recalled) return recalled;
  if (moved !== state) return moved;
  const edge = isUp ? lineStart(state) : lineEnd(state);
  return comparePositions(edge, state.caret) === 0 ? undefined : moveCaret(state, edge);
}
