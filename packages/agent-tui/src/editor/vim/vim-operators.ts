import { nextColumn } from '../text/cluster.ts';
import { applyEdit, type EditorState, moveCaret } from '../text/editor-state.ts';
import { copyToRing, killRange } from '../text/kill-ring.ts';
import { comparePositions, type Range, rangeBetween } from '../text/position.ts';
import { firstSign, type VimMotion } from './vim-motions.ts';
import { settled, type VimEditor, type VimOperator, type VimState } from './vim-state.ts';

/** Does an operator to what a motion goes over. */
export function operateOver(current: VimEditor, operator: VimOperator, motion: VimMotion): VimEditor {
  const { editor } = current;
  if (motion.covers === 'lines') {
    const range = rangeBetween(editor.caret, motion.target);
    return operateOnLines(current, operator, { first: range.start.line, last: range.end.line });
  }
  const range = rangeBetween(editor.caret, motion.target);
  const isIncluding = motion.covers === 'including';
  return operateOnRange(current, operator, isIncluding ? includingEnd(editor, range) : range);
}

/** Does an operator to a range. */
export function operateOnRange(current: VimEditor, operator: VimOperator, range: Range): VimEditor {
  const { editor, vim } = current;
  if (operator === 'y') {
    const copied = moveCaret(copyToRing(editor, editor.buffer.slice(range)), range.start);
    return { ...current, editor: copied, vim: leave(vim, operator) };
  }
  const isEmpty = comparePositions(range.start, range.end) === 0;
  return { ...current, editor: isEmpty ? editor : killRange(editor, range), vim: leave(vim, operator) };
}

/** Does an operator to whole lines. */
export function operateOnLines(
  current: VimEditor,
  operator: VimOperator,
  { first, last }: { readonly first: number; readonly last: number },
): VimEditor {
  const { editor, vim } = current;
  const { buffer } = editor;
  const content = {
    start: { line: first, column: 0 },
    end: { line: last, column: buffer.line(last).length },
  };
  const kept = copyToRing(editor, `${buffer.slice(content)}\n`);
  if (operator === 'y') {
    const caret = first === editor.caret.line ? editor.caret : { line: first, column: 0 };
    return { ...current, editor: moveCaret(kept, caret), vim: leave(vim, operator) };
  }
  const range = operator === 'c' ? content : withLineBreak(editor, content);
  const edited = applyEdit(kept, { range, text: '' });
  if (operator === 'c') return { ...current, editor: edited, vim: leave(vim, operator) };
  const line = Math.min(first, edited.buffer.lineCount - 1);
  return { ...current, editor: moveCaret(edited, firstSign(edited.buffer, line)), vim: leave(vim, operator) };
}

/** Puts the last deletion after the caret, or before it; whole lines below the line, or above it. */
export function putBack({ editor }: VimEditor, place: 'behind' | 'before', count: number): EditorState {
  const text = editor.killRing[0];
  if (text === undefined) return editor;
  const { buffer, caret } = editor;
  const line = buffer.line(caret.line);
  if (text.endsWith('\n')) {
    const content = Array<string>(count).fill(text.slice(0, -1)).join('\n');
    const isBelow = place === 'behind';
    const start = { line: caret.line, column: isBelow ? line.length : 0 };
    const edited = applyEdit(editor, {
      range: { start, end: start },
      text: isBelow ? `\n${content}` : `${content}\n`,
    });
    return moveCaret(edited, firstSign(edited.buffer, isBelow ? caret.line + 1 : caret.line));
  }
  const column = place === 'behind' ? nextColumn(line, caret.column) : caret.column;
  const start = { line: caret.line, column };
  return applyEdit(editor, { range: { start, end: start }, text: text.repeat(count) });
}

/** The range including the character at its end. */
export function includingEnd({ buffer }: EditorState, { start, end }: Range): Range {
  return { start, end: { line: end.line, column: nextColumn(buffer.line(end.line), end.column) } };
}

/** Whole lines with one line break: the one after them, or the one before them if they are the last. */
function withLineBreak({ buffer }: EditorState, { start, end }: Range): Range {
  if (end.line < buffer.lineCount - 1) return { start, end: { line: end.line + 1, column: 0 } };
  if (start.line === 0) return { start, end };
  return { start: { line: start.line - 1, column: buffer.line(start.line - 1).length }, end };
}

function leave(vim: VimState, operator: VimOperator): VimState {
  return settled(vim, { mode: operator === 'c' ? 'insert' : 'normal', anchor: undefined });
}
