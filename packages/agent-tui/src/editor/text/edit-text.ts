import { nextColumn, previousColumn } from './cluster.ts';
import { applyEdit, type EditorState } from './editor-state.ts';
import type { Position, Range } from './position.ts';
import { cleanText } from './token.ts';
import { wordEndAfter, wordStartBefore } from './word-steps.ts';

const blankEnd = /\s$/u;
const blankStart = /^\s/u;

/** Types text at the caret. One undo removes a word with the blanks after it. */
export function typeText(state: EditorState, typed: string): EditorState {
  const text = cleanText(typed);
  const before = state.buffer.line(state.caret.line).slice(0, state.caret.column);
  const beginsWord = blankEnd.test(before) && !blankStart.test(text);
  return applyEdit(state, {
    range: { start: state.caret, end: state.caret },
    text,
    run: { kind: 'type' },
    joinsLast: state.run?.kind === 'type' && !beginsWord && !text.includes('\n'),
  });
}

/** Deletes the character before the caret; at the start of a line it joins the line with the one before. */
export function deleteCharBackward(state: EditorState): EditorState {
  return erase(state, { start: characterBefore(state), end: state.caret });
}

/** Deletes the character after the caret; at the end of a line it joins the line with the next. */
export function deleteCharForward(state: EditorState): EditorState {
  return erase(state, { start: state.caret, end: characterAfter(state) });
}

/** The place one character before the caret. */
export function characterBefore({ buffer, caret }: EditorState): Position {
  if (caret.column === 0) return endOfLine(buffer, caret.line - 1) ?? caret;
  return { line: caret.line, column: previousColumn(buffer.line(caret.line), caret.column) };
}

/** The position one character after the caret. */
export function characterAfter({ buffer, caret }: EditorState): Position {
  const line = buffer.line(caret.line);
  if (caret.column >= line.length) return startOfLine(buffer, caret.line + 1) ?? caret;
  return { line: caret.line, column: nextColumn(line, caret.column) };
}

/** The start of the word before the caret; at the start of a line the end of the one before. */
export function wordBefore({ buffer, caret }: EditorState): Position {
  if (caret.column === 0) return endOfLine(buffer, caret.line - 1) ?? caret;
  return { line: caret.line, column: wordStartBefore(buffer.line(caret.line), caret.column) };
}

/** The end of the word after the caret; at the end of a line the start of the next. */
export function wordAfter({ buffer, caret }: EditorState): Position {
  const line = buffer.line(caret.line);
  if (caret.column >= line.length) return startOfLine(buffer, caret.line + 1) ?? caret;
  return { line: caret.line, column: wordEndAfter(line, caret.column) };
}

/** The start of the caret's line. */
export function lineStart({ caret }: EditorState): Position {
  return { line: caret.line, column: 0 };
}

/** The end of the caret's line. */
export function lineEnd({ buffer, caret }: EditorState): Position {
  return { line: caret.line, column: buffer.line(caret.line).length };
}

/** Deletes without keeping; deletions in a row are undone at once. */
function erase(state: EditorState, range: Range): EditorState {
  return applyEdit(state, {
    range,
    text: '',
    run: { kind: 'erase' },
    joinsLast: state.run?.kind === 'erase',
  });
}

function endOfLine(buffer: EditorState['buffer'], line: number): Position | undefined {
  return line < 0 ? undefined : { line, column: buffer.line(line).length };
}

function startOfLine(buffer: EditorState['buffer'], line: number): Position | undefined {
  return line >= buffer.lineCount ? undefined : { line, column: 0 };
}
