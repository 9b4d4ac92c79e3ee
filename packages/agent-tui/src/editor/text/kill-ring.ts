import { applyEdit, type EditorState } from './editor-state.ts';
import { foldLongLines } from './paste-text.ts';
import { comparePositions, type Position, type Range } from './position.ts';
import { endOfInsertion } from './text-buffer.ts';

const ringSize = 60;

/** Deletes the text between the caret and a position; consecutive deletions are kept as one piece. */
export function killTo(state: EditorState, target: Position): EditorState {
  const isBackward = comparePositions(target, state.caret) < 0;
  const range = isBackward ? { start: target, end: state.caret } : { start: state.caret, end: target };
  const text = state.buffer.slice(range);
  if (text === '') return { ...state, run: undefined };
  const [last, ...others] = state.killRing;
  const joins = state.run?.kind === 'kill' && last !== undefined;
  const piece = joins ? (isBackward ? text + last : last + text) : text;
  const killRing = joins ? [piece, ...others] : keep(state, piece);
  return { ...applyEdit(state, { range, text: '', run: { kind: 'kill' } }), killRing };
}

/** Cuts out a range as a separate piece. */
export function killRange(state: EditorState, range: Range): EditorState {
  const killRing = keep(state, state.buffer.slice(range));
  return { ...applyEdit(state, { range, text: '' }), killRing };
}

/** Keeps a text as if it had been cut out. */
export function copyToRing(state: EditorState, text: string): EditorState {
  return { ...state, killRing: keep(state, text) };
}

/** Puts in what was cut out last. */
export function yank(state: EditorState): EditorState {
  return putPiece(state, { start: state.caret, end: state.caret }, 0);
}

/** Puts the piece that was cut out before in place of the one just put in. */
export function yankPop(state: EditorState): EditorState {
  if (state.run?.kind !== 'yank') return state;
  return putPiece(state, state.run.range, (state.run.index + 1) % state.killRing.length);
}

function putPiece(state: EditorState, range: Range, index: number): EditorState {
  const piece = state.killRing[index];
  if (piece === undefined) return state;
  const { tokens, text } = foldLongLines(state.tokens, piece);
  const placed = { start: range.start, end: endOfInsertion(range.start, text) };
  const joinsLast = state.run?.kind === 'yank' && comparePositions(range.start, range.end) !== 0;
  return applyEdit(
    { ...state, tokens },
    { range, text, run: { kind: 'yank', range: placed, index }, joinsLast },
  );
}

function keep(state: EditorState, piece: string): readonly string[] {
  return piece === '' ? state.killRing : [piece, ...state.killRing].slice(0, ringSize);
}
