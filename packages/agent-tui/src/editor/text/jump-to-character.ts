import { snapColumn } from './cluster.ts';
import { type EditorState, moveCaret } from './editor-state.ts';
import type { Position } from './position.ts';

/** Moves the caret to the next or previous occurrence of a character, in any line. */
export function jumpToCharacter(
  state: EditorState,
  character: string,
  direction: 'forward' | 'backward',
): EditorState {
  if (character === '') return state;
  const found = direction === 'forward' ? findForward(state, character) : findBackward(state, character);
  return found ? moveCaret(state, found) : state;
}

/** The next occurrence of a character in a line, or `-1`; a letter with a combining mark is another character. */
export function columnOfCharacter(line: string, character: string, from: number): number {
  let column = line.indexOf(character, from);
  while (column >= 0 && !isWhole(line, column, character)) column = line.indexOf(character, column + 1);
  return column;
}

/** The last occurrence of a character in a line up to a position, or `-1`. */
export function lastColumnOfCharacter(line: string, character: string, from: number): number {
  if (from < 0) return -1;
  let column = line.lastIndexOf(character, from);
  while (column >= 0 && !isWhole(line, column, character))
    column = column === 0 ? -1 : line.lastIndexOf(character, column - 1);
  return column;
}

function findForward({ buffer, caret }: EditorState, character: string): Position | undefined {
  for (let line = caret.line; line < buffer.lineCount; line++) {
    const from = line === caret.line ? caret.column + 1 : 0;
    const column = columnOfCharacter(buffer.line(line), character, from);
    if (column >= 0) return { line, column };
  }
  return undefined;
}

function findBackward({ buffer, caret }: EditorState, character: string): Position | undefined {
  for (let line = caret.line; line >= 0; line--) {
    const text = buffer.line(line);
    const from = line === caret.line ? caret.column - 1 : text.length;
    const column = lastColumnOfCharacter(text, character, from);
    if (column >= 0) return { line, column };
  }
  return undefined;
}

function isWhole(line: string, column: number, character: string): boolean {
  const end = column + character.length;
  return snapColumn(line, column) === column && snapColumn(line, end) === end;
}
