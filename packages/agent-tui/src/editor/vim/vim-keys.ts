import { clustersOf, nextColumn, previousColumn } from '../text/cluster.ts';
import { applyEdit, type EditorState, moveCaret, redo, undo } from '../text/editor-state.ts';
import { type Position, type Range, rangeBetween } from '../text/position.ts';
import { cleanText } from '../text/token.ts';
import {
  findMotion,
  firstSign,
  lastColumn,
  type MotionStart,
  motionToCharacter,
  type VimMotion,
} from './vim-motions.ts';
import { includingEnd, operateOnLines, operateOnRange, operateOver, putBack } from './vim-operators.ts';
import { findText, typeSearch } from './vim-search.ts';
import {
  repeatCount,
  settled,
  type VimEditor,
  type VimFind,
  type VimOperator,
  type VimState,
} from './vim-state.ts';

/** Does what a key means in vim's modes; nothing if the key is not one of them, so that it may mean something else. */
export function vimKey(current: VimEditor, key: string): VimEditor | undefined {
  if (current.vim.mode === 'insert') return key === 'escape' ? leaveInsert(current) : undefined;
  if (key === 'escape') return leaveBegun(current);
  if (current.vim.search !== undefined) return searchKey(current, key);
  const done = current.vim.pending ? keyAfterPending(current, key) : commandKey(current, key);
  return done && onCharacter(done);
}

/** The selected range. */
export function vimSelection({ vim, editor }: Pick<VimEditor, 'vim' | 'editor'>): Range | undefined {
  if (!vim.anchor) return undefined;
  const range = rangeBetween(vim.anchor, editor.caret);
  if (vim.mode === 'visual') return includingEnd(editor, range);
  const end = { line: range.end.line, column: editor.buffer.line(range.end.line).length };
  return { start: { line: range.start.line, column: 0 }, end };
}

function leaveInsert(current: VimEditor): VimEditor {
  const { caret } = current.editor;
  const editor = caret.column === 0 ? current.editor : moveBy(current, 'h').editor;
  return { ...current, editor, vim: settled(current.vim, { mode: 'normal' }) };
}

/** Escape ends what was begun; with nothing begun it is not for vim. */
function leaveBegun(current: VimEditor): VimEditor | undefined {
  const { vim } = current;
  const isCommandBegun = vim.operator || vim.pending || vim.count !== '' || vim.search !== undefined;
  const isBegun = vim.mode !== 'normal' || isCommandBegun;
  return isBegun ? { ...current, vim: settled(vim, { mode: 'normal', anchor: undefined }) } : undefined;
}

function keyAfterPending(current: VimEditor, key: string): VimEditor | undefined {
  const { vim } = current;
  const { pending } = vim;
  if (pending === 'g')
    return key === 'g' ? moved(current, findMotion('gg')?.(startOf(current))) : drop(current);
  if (clustersOf(key).length !== 1 && !(pending === 'r' && key === 'enter')) return drop(current);
  if (pending === 'r') return { ...current, editor: replaceCharacter(current, key), vim: settled(vim) };
  if (!pending) return undefined;
  const lastFind = { kind: pending, character: key };
  return moved({ ...current, vim: { ...vim, lastFind } }, motionToCharacter(lastFind, startOf(current)));
}

function commandKey(current: VimEditor, key: string): VimEditor | undefined {
  const { vim } = current;
  const isDigit = /^[1-9]$/.test(key) || (key === '0' && vim.count !== '');
  if (isDigit) return { ...current, vim: { ...vim, count: (vim.count + key).slice(0, 4) } };
  if (isPending(key)) return { ...current, vim: { ...vim, pending: key } };
  if (key === ';' || key === ',') return repeatFind(current, key);
  if (key === '/') return { ...current, vim: { ...vim, search: '' } };
  if (key === 'n' || key === 'N') return repeatSearch(current, key === 'n' ? 'forward' : 'backward');
  const name = motionNames[key] ?? key;
  const motion = findMotion(name === 'w' && vim.operator === 'c' ? 'cw' : name);
  if (motion) return moved(current, withinLine(current, name, motion(startOf(current))));
  if (isOperator(key)) return operatorKey(current, key);
  if (vim.mode !== 'normal') return selectionKey(current, key);
  return vim.operator ? drop(current) : normalKey(current, key);
}

const motionNames: Readonly<Record<string, string>> = {
  left: 'h',
  right: 'l',
  ' ': 'l',
  backspace: 'h',
  home: '0',
  end: '$',
  W: 'w',
  B: 'b',
  E: 'e',
};

function operatorKey(current: VimEditor, operator: VimOperator): VimEditor {
  const { vim, editor } = current;
  if (vim.mode === 'visual')
    return operateOnRange(current, operator, vimSelection(current) ?? wholeLine(editor));
  if (vim.mode === 'visual-line') return operateOnSelectedLines(current, operator);
  if (vim.operator === operator) return operateOnLines(current, operator, linesFromCaret(current));
  if (vim.operator) return drop(current);
  return { ...current, vim: settled(vim, { operator, operatorCount: repeatCount(vim) }) };
}

function selectionKey(current: VimEditor, key: string): VimEditor | undefined {
  const { vim } = current;
  if (key === 'x' || key === 'delete') return operatorKey(current, 'd');
  if (key === 's') return operatorKey(current, 'c');
  if (key === 'v' || key === 'V') {
    const mode = key === 'v' ? 'visual' : 'visual-line';
    return mode === vim.mode ? leaveBegun(current) : { ...current, vim: { ...vim, mode } };
  }
  if (key === 'o' && vim.anchor) {
    const anchor = current.editor.caret;
    return { ...current, editor: moveCaret(current.editor, vim.anchor), vim: { ...vim, anchor } };
  }
  return clustersOf(key).length === 1 ? drop(current) : undefined;
}

type Command = (current: VimEditor, count: number) => VimEditor;

const commands: Readonly<Record<string, Command>> = {
  i: (current) => insertAt(current, current.editor.caret.column),
  a: (current) => insertAt(current, nextColumn(lineOf(current), current.editor.caret.column)),
  I: (current) => insertAt(current, firstSign(current.editor.buffer, current.editor.caret.line).column),
  A: (current) => insertAt(current, lineOf(current).length),
  o: (current) => openLine(current, 'below'),
  O: (current) => openLine(current, 'above'),
  x: (current) => operateWith(current, 'd', 'l'),
  X: (current) => operateWith(current, 'd', 'h'),
  s: (current) => operateWith(current, 'c', 'l'),
  D: (current) => operateWith(current, 'd', '$'),
  C: (current) => operateWith(current, 'c', '$'),
  S: (current) => operateOnLines(current, 'c', linesFromCaret(current)),
  Y: (current) => operateOnLines(current, 'y', linesFromCaret(current)),
  p: (current, count) => settle(current, putBack(current, 'behind', count)),
  P: (current, count) => settle(current, putBack(current, 'before', count)),
  u: (current, count) => settle(current, times(current.editor, count, undo)),
  'ctrl+r': (current, count) => settle(current, times(current.editor, count, redo)),
  J: (current) => settle(current, joinLines(current.editor)),
  v: (current) => ({
    ...current,
    vim: settled(current.vim, { mode: 'visual', anchor: current.editor.caret }),
  }),
  V: (current) => ({
    ...current,
    vim: settled(current.vim, { mode: 'visual-line', anchor: current.editor.caret }),
  }),
  delete: (current) => operateWith(current, 'd', 'l'),
};

function normalKey(current: VimEditor, key: string): VimEditor | undefined {
  const command = Object.hasOwn(commands, key) ? commands[key] : undefined;
  if (command) return command(current, repeatCount(current.vim));
  return clustersOf(key).length === 1 ? drop(current) : undefined;
}

function moved(current: VimEditor, motion: VimMotion | undefined): VimEditor {
  const { vim, editor } = current;
  if (!motion) return drop(current);
  if (vim.operator) return operateOver(current, vim.operator, motion);
  const { stickyColumn } = motion;
  return {
    ...current,
    editor: { ...moveCaret(editor, motion.target), stickyColumn },
    vim: settled(vim),
  };
}

/** An operator with `w` stops at the end of its line instead of taking the line break. */
function withinLine(
  { vim, editor }: VimEditor,
  name: string,
  motion: VimMotion | undefined,
): VimMotion | undefined {
  const isOther = name !== 'w' || !vim.operator || vim.operator === 'c';
  if (!motion || isOther || motion.target.line === editor.caret.line) return motion;
  const line = editor.buffer.line(motion.target.line - 1);
  const isWholeWay = motion.target.column > firstSign(editor.buffer, motion.target.line).column;
  if (isWholeWay) return motion;
  return { ...motion, target: { line: motion.target.line - 1, column: line.length } };
}

function searchKey(current: VimEditor, key: string): VimEditor | undefined {
  const isTyping = key === 'enter' || key === 'backspace' || clustersOf(key).length === 1;
  if (!isTyping) return undefined;
  const { vim, isDone } = typeSearch(current.vim, key);
  return isDone ? onCharacter(repeatSearch({ ...current, vim }, 'forward')) : { ...current, vim };
}

function repeatSearch(current: VimEditor, direction: 'forward' | 'backward'): VimEditor {
  const { editor, vim } = current;
  let target: Position | undefined = editor.caret;
  for (let step = 0; step < repeatCount(vim) && target && vim.lastSearch; step++)
    target = findText(editor.buffer, target, { query: vim.lastSearch, direction });
  return vim.lastSearch && target ? moved(current, { target, covers: 'up-to' }) : drop(current);
}

function repeatFind(current: VimEditor, key: ';' | ','): VimEditor {
  const { lastFind } = current.vim;
  if (!lastFind) return drop(current);
  const kind = key === ',' ? opposites[lastFind.kind] : lastFind.kind;
  return moved(current, motionToCharacter({ ...lastFind, kind, isRepeated: true }, startOf(current)));
}

const opposites: Readonly<Record<VimFind['kind'], VimFind['kind']>> = { f: 'F', F: 'f', t: 'T', T: 't' };

function operateWith(current: VimEditor, operator: VimOperator, motion: string): VimEditor {
  const found = findMotion(motion)?.(startOf(current));
  if (!found || lineOf(current) === '') return { ...current, vim: settled(current.vim, modeAfter(operator)) };
  return operateOver(current, operator, found);
}

function operateOnSelectedLines(current: VimEditor, operator: VimOperator): VimEditor {
  const { start, end } = vimSelection(current) ?? wholeLine(current.editor);
  return operateOnLines(current, operator, { first: start.line, last: end.line });
}

function modeAfter(operator: VimOperator): Partial<VimState> {
  return operator === 'c' ? { mode: 'insert' } : {};
}

function insertAt(current: VimEditor, column: number): VimEditor {
  const { editor, vim } = current;
  const caret = { line: editor.caret.line, column };
  return { ...current, editor: moveCaret(editor, caret), vim: settled(vim, { mode: 'insert' }) };
}

function openLine(current: VimEditor, place: 'below' | 'above'): VimEditor {
  const { editor, vim } = current;
  const column = place === 'below' ? lineOf(current).length : 0;
  const start = { line: editor.caret.line, column };
  const edited = applyEdit(editor, { range: { start, end: start }, text: '\n' });
  const caret = place === 'below' ? edited.caret : start;
  return { ...current, editor: moveCaret(edited, caret), vim: settled(vim, { mode: 'insert' }) };
}

function replaceCharacter({ editor, vim }: VimEditor, key: string): EditorState {
  const line = editor.buffer.line(editor.caret.line);
  let end = editor.caret.column;
  for (let step = 0; step < repeatCount(vim); step++) {
    if (end >= line.length) return editor;
    end = nextColumn(line, end);
  }
  const range = { start: editor.caret, end: { line: editor.caret.line, column: end } };
  if (key === 'enter') return applyEdit(editor, { range, text: '\n' });
  const edited = applyEdit(editor, { range, text: cleanText(key).repeat(repeatCount(vim)) });
  const { line: row, column } = edited.caret;
  return moveCaret(edited, { line: row, column: previousColumn(edited.buffer.line(row), column) });
}

function joinLines(editor: EditorState): EditorState {
  const { buffer, caret } = editor;
  if (caret.line === buffer.lineCount - 1) return editor;
  const start = { line: caret.line, column: buffer.line(caret.line).length };
  const blanks = /^\s*/.exec(buffer.line(caret.line + 1))?.[0].length ?? 0;
  const edited = applyEdit(editor, {
    range: { start, end: { line: caret.line + 1, column: blanks } },
    text: ' ',
  });
  return moveCaret(edited, start);
}

function moveBy(current: VimEditor, motion: string): VimEditor {
  return moved(current, findMotion(motion)?.({ ...startOf(current), count: 1 }));
}

/** Outside of insert mode the caret is on a character, not after the last. */
function onCharacter(current: VimEditor): VimEditor {
  const { editor, vim } = current;
  if (vim.mode === 'insert') return current;
  const last = lastColumn(lineOf(current));
  if (editor.caret.column <= last) return current;
  const { stickyColumn, run } = editor;
  const moved = moveCaret(editor, { line: editor.caret.line, column: last });
  return { ...current, editor: { ...moved, stickyColumn, run } };
}

function startOf({ editor, vim, room }: VimEditor): MotionStart {
  const isCounted = vim.count !== '' || vim.operatorCount > 1;
  return { editor, room, count: repeatCount(vim), isCounted, isOperated: vim.operator !== undefined };
}

function linesFromCaret({ editor, vim }: VimEditor): { readonly first: number; readonly last: number } {
  const first = editor.caret.line;
  return { first, last: Math.min(first + repeatCount(vim) - 1, editor.buffer.lineCount - 1) };
}

function wholeLine({ buffer, caret }: EditorState): Range {
  const { line } = caret;
  return { start: { line, column: 0 }, end: { line, column: buffer.line(line).length } };
}

function lineOf({ editor }: VimEditor): string {
  return editor.buffer.line(editor.caret.line);
}

function settle(current: VimEditor, editor: EditorState): VimEditor {
  return { ...current, editor, vim: settled(current.vim) };
}

function drop(current: VimEditor): VimEditor {
  return { ...current, vim: settled(current.vim) };
}

function times(editor: EditorState, count: number, step: (editor: EditorState) => EditorState): EditorState {
  let result = editor;
  for (let done = 0; done < count; done++) result = step(result);
  return result;
}

function isPending(key: string): key is NonNullable<VimState['pending']> {
  return ['g', 'r', 'f', 'F', 't', 'T'].includes(key);
}

function isOperator(key: string): key is VimOperator {
  return key === 'd' || key === 'c' || key === 'y';
}
