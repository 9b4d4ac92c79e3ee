import type { ToolkitAction } from '../keys/toolkit-actions.ts';
import {
  characterAfter,
  characterBefore,
  deleteCharBackward,
  deleteCharForward,
  lineEnd,
  lineStart,
  typeText,
  wordAfter,
  wordBefore,
} from './text/edit-text.ts';
import { type EditorState, moveCaret, redo, undo } from './text/editor-state.ts';
import { killTo, yank, yankPop } from './text/kill-ring.ts';
import { type EditorSize, moveVertically } from './text/move-vertically.ts';

type Action = (state: EditorState, room: EditorSize) => EditorState;

/** The actions that need only the text and its size. */
const actions = {
  'tui.editor.cursorLeft': (state) => moveCaret(state, characterBefore(state)),
  'tui.editor.cursorRight': (state) => moveCaret(state, characterAfter(state)),
  'tui.editor.cursorUp': (state, room) => moveVertically(state, -1, room),
  'tui.editor.cursorDown': (state, room) => moveVertically(state, 1, room),
  'tui.editor.pageUp': (state, room) => moveVertically(state, -pageOf(room), room),
  'tui.editor.pageDown': (state, room) => moveVertically(state, pageOf(room), room),
  'tui.editor.cursorWordLeft': (state) => moveCaret(state, wordBefore(state)),
  'tui.editor.cursorWordRight': (state) => moveCaret(state, wordAfter(state)),
  'tui.editor.cursorLineStart': (state) => moveCaret(state, lineStart(state)),
  'tui.editor.cursorLineEnd': (state) => moveCaret(state, lineEnd(state)),
  'tui.editor.deleteCharBackward': deleteCharBackward,
  'tui.editor.deleteCharForward': deleteCharForward,
  'tui.editor.deleteWordBackward': (state) => killTo(state, wordBefore(state)),
  'tui.editor.deleteWordForward': (state) => killTo(state, wordAfter(state)),
  'tui.editor.deleteToLineStart': (state) =>
    killTo(state, state.caret.column === 0 ? characterBefore(state) : lineStart(state)),
  'tui.editor.deleteToLineEnd': (state) => {
    const end = lineEnd(state);
    return killTo(state, end.column === state.caret.column ? characterAfter(state) : end);
  },
  'tui.editor.yank': yank,
  'tui.editor.yankPop': yankPop,
  'tui.editor.undo': undo,
  'tui.editor.redo': redo,
  'tui.input.newLine': (state) => typeText(state, '\n'),
} as const satisfies Partial<Record<ToolkitAction, Action>>;

/** An action that changes a text or its caret. */
export type EditorAction = keyof typeof actions;

/** The ids of all actions that change a text or its caret. */
export const editorActionIds = Object.keys(actions) as readonly EditorAction[];

/** Does an action. */
export function applyEditorAction(state: EditorState, id: EditorAction, room: EditorSize): EditorState {
  const action: Action = actions[id];
  return action(state, room);
}

function pageOf({ rows }: EditorSize): number {
  return Math.max(1, rows - 1);
}
