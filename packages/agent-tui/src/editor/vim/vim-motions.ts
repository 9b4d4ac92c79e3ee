import { clusterAt, nextColumn, previousColumn } from '../text/cluster.ts';
import type { EditorState } from '../text/editor-state.ts';
import { columnOfCharacter, lastColumnOfCharacter } from '../text/jump-to-character.ts';
import { type EditorSize, moveVertically } from '../text/move-vertically.ts';
import type { Position } from '../text/position.ts';
import type { TextBuffer } from '../text/text-buffer.ts';
import { nextWordStart, wordEndAfter, wordStartBefore } from '../text/word-steps.ts';
import type { VimFind } from './vim-state.ts';

/** The target of a motion, and the text that it covers for an operator. */
export interface VimMotion {
  readonly target: Position;
  readonly covers: 'up-to' | 'including' | 'lines';
  /** The column that further motions up and down try to keep. */
  readonly stickyColumn?: number | undefined;
}

/** The start of a motion. */
export interface MotionStart {
  readonly editor: EditorState;
  readonly room: EditorSize;
  readonly count: number;
  /** A count was typed. */
  readonly isCounted: boolean;
  /** An operator waits for the motion, which then goes by whole lines. */
  readonly isOperated: boolean;
}

type Motion = (start: MotionStart) => VimMotion | undefined;

const motions: Readonly<Record<string, Motion>> = {
  h: (start) => upTo(repeat(start, ({ buffer }, caret) => leftOf(buffer, caret))),
  l: (start) => upTo(repeat(start, ({ buffer }, caret) => rightOf(buffer, caret))),
  j: (start) => vertically(start, start.count),
  k: (start) => vertically(start, -start.count),
  w: (start) => upTo(repeat(start, ({ buffer }, caret) => nextWord(buffer, caret))),
  b: (start) => upTo(repeat(start, ({ buffer }, caret) => previousWord(buffer, caret))),
  e: (start) => including(repeat(start, ({ buffer }, caret) => wordEnd(buffer, caret))),
  cw: changedWords,
  '0': ({ editor }) => upTo({ line: editor.caret.line, column: 0 }),
  '^': ({ editor }) => upTo(firstSign(editor.buffer, editor.caret.line)),
  $: ({ editor: { buffer, caret }, count }) => {
    const line = Math.min(caret.line + count - 1, buffer.lineCount - 1);
    return including({ line, column: lastColumn(buffer.line(line)) });
  },
  gg: (start) => lines(firstSign(start.editor.buffer, start.isCounted ? lineOf(start) : 0)),
  G: (start) =>
    lines(
      firstSign(start.editor.buffer, start.isCounted ? lineOf(start) : start.editor.buffer.lineCount - 1),
    ),
};

/** The motion of a key, if it has one. */
export function findMotion(key: string): Motion | undefined {
  return Object.hasOwn(motions, key) ? motions[key] : undefined;
}

/** The motion to a character of the line, if it is there. */
export function motionToCharacter(find: VimFind, start: MotionStart): VimMotion | undefined {
  const { buffer, caret } = start.editor;
  const line = buffer.line(caret.line);
  let column = placeToSearchFrom(find, line, caret.column);
  for (let step = 0; step < start.count; step++) {
    column = isForward(find)
      ? columnOfCharacter(line, find.character, column + 1)
      : lastColumnOfCharacter(line, find.character, column - 1);
    if (column < 0) return undefined;
  }
  if (find.kind === 't') column = previousColumn(line, column);
  if (find.kind === 'T') column = nextColumn(line, column);
  const target = { line: caret.line, column };
  return isForward(find) ? including(target) : upTo(target);
}

/** The last position of a line that has a character. */
export function lastColumn(line: string): number {
  return previousColumn(line, line.length);
}

/** The first place of a line that is not blank. */
export function firstSign(buffer: TextBuffer, line: number): Position {
  const text = buffer.line(line);
  const blanks = /^\s*/.exec(text)?.[0].length ?? 0;
  return { line, column: Math.min(blanks, lastColumn(text)) };
}

function repeat(
  { editor, count }: MotionStart,
  step: (editor: EditorState, caret: Position) => Position,
): Position {
  let caret = editor.caret;
  for (let done = 0; done < count; done++) {
    const next = step(editor, caret);
    if (next.line === caret.line && next.column === caret.column) break;
    caret = next;
  }
  return caret;
}

function vertically({ editor, room, isOperated }: MotionStart, count: number): VimMotion | undefined {
  if (!isOperated) {
    const { caret, stickyColumn } = moveVertically(editor, count, room);
    return { target: caret, covers: 'lines', stickyColumn };
  }
  const line = editor.caret.line + count;
  const isThere = line >= 0 && line < editor.buffer.lineCount;
  return isThere ? lines({ line, column: 0 }) : undefined;
}

/** `cw` keeps the blanks after the word, and changes the last letter of a word alone. */
function changedWords(start: MotionStart): VimMotion {
  const { buffer, caret } = start.editor;
  const text = buffer.line(caret.line);
  if (text.slice(caret.column).trim() === '')
    return including({ line: caret.line, column: lastColumn(text) });
  const end = clusterAt(text, wordEndAfter(text, caret.column) - 1).start;
  const editor = { ...start.editor, caret: { line: caret.line, column: end } };
  return including(
    repeat({ ...start, editor, count: start.count - 1 }, (_, place) => wordEnd(buffer, place)),
  );
}

/** A repeated `t` would stay before the character that it is already at. */
function placeToSearchFrom(find: VimFind, line: string, column: number): number {
  if (!find.isRepeated) return column;
  const next = nextColumn(line, column);
  if (find.kind === 't' && columnOfCharacter(line, find.character, next) === next) return next;
  const previous = previousColumn(line, column);
  if (find.kind === 'T' && lastColumnOfCharacter(line, find.character, previous) === previous)
    return previous;
  return column;
}

function isForward({ kind }: VimFind): boolean {
  return kind === 'f' || kind === 't';
}

function lineOf({ editor, count }: MotionStart): number {
  return Math.min(count, editor.buffer.lineCount) - 1;
}

function leftOf(buffer: TextBuffer, { line, column }: Position): Position {
  return { line, column: previousColumn(buffer.line(line), column) };
}

function rightOf(buffer: TextBuffer, { line, column }: Position): Position {
  return { line, column: nextColumn(buffer.line(line), column) };
}

function nextWord(buffer: TextBuffer, { line, column }: Position): Position {
  const text = buffer.line(line);
  const next = nextWordStart(text, column);
  if (next < text.length) return { line, column: next };
  if (line === buffer.lineCount - 1) return { line, column: text.length };
  return firstSign(buffer, line + 1);
}

function previousWord(buffer: TextBuffer, { line, column }: Position): Position {
  const isAtStart = buffer.line(line).slice(0, column).trim() === '';
  if (!isAtStart) return { line, column: wordStartBefore(buffer.line(line), column) };
  if (line === 0) return { line, column: 0 };
  const above = buffer.line(line - 1);
  return { line: line - 1, column: wordStartBefore(above, above.length) };
}

function wordEnd(buffer: TextBuffer, { line, column }: Position): Position {
  const text = buffer.line(line);
  const next = nextColumn(text, column);
  if (text.slice(next).trim() !== '') {
    const end = wordEndAfter(text, next);
    return { line, column: clusterAt(text, end - 1).start };
  }
  if (line === buffer.lineCount - 1) return { line, column: lastColumn(text) };
  const below = buffer.line(line + 1);
  if (below.trim() === '') return { line: line + 1, column: 0 };
  return { line: line + 1, column: clusterAt(below, wordEndAfter(below, 0) - 1).start };
}

function upTo(target: Position): VimMotion {
  return { target, covers: 'up-to' };
}

function including(target: Position): VimMotion {
  return { target, covers: 'including' };
}

function lines(target: Position): VimMotion {
  return { target, covers: 'lines' };
}
