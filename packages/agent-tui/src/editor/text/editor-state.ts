import { snapColumn } from './cluster.ts';
import { movedRanges } from './pasted-parts.ts';
import type { Position, Range } from './position.ts';
import { endOfInsertion, TextBuffer } from './text-buffer.ts';
import { expandTokens, type Token } from './token.ts';

/** The last action, as far as the next one may continue it. */
type Run =
  | { readonly kind: 'type' | 'erase' | 'kill' }
  | { readonly kind: 'yank'; readonly range: Range; readonly index: number };

/** A text as it was, and the one before that. */
interface Snapshot {
  readonly buffer: TextBuffer;
  readonly caret: Position;
  readonly pasted: readonly Range[];
  readonly next: Snapshot | undefined;
}

/** A text that is being written: a value; every action gives a new one. */
export interface EditorState {
  readonly buffer: TextBuffer;
  readonly caret: Position;
  readonly tokens: readonly Token[];
  /** Lines that were pasted as they are, in which nothing is a command; what is shown by a token is not among them. */
  readonly pasted: readonly Range[];
  /** The deleted pieces, the last first. */
  readonly killRing: readonly string[];
  readonly past: Snapshot | undefined;
  readonly future: Snapshot | undefined;
  readonly run: Run | undefined;
  /** The column of the screen that moving up and down tries to keep. */
  readonly stickyColumn: number | undefined;
}

/** An edit: what is put in place of what, and what it continues. */
export interface EditorEdit {
  readonly range: Range;
  readonly text: string;
  readonly run?: Run;
  /** True if one undo takes this back together with the edit before. */
  readonly joinsLast?: boolean;
}

/** A state of an empty text. */
export function emptyEditorState(): EditorState {
  return {
    buffer: TextBuffer.of(''),
    caret: { line: 0, column: 0 },
    tokens: [],
    pasted: [],
    killRing: [],
    past: undefined,
    future: undefined,
    run: undefined,
    stickyColumn: undefined,
  };
}

/** Applies an undoable edit, and puts the caret after the inserted text. */
export function applyEdit(state: EditorState, { range, text, run, joinsLast }: EditorEdit): EditorState {
  const isNothing =
    text === '' && range.start.line === range.end.line && range.start.column === range.end.column;
  if (isNothing) return { ...state, run: undefined, stickyColumn: undefined };
  const buffer = state.buffer.replace(range, text);
  const end = endOfInsertion(range.start, text);
  return {
    ...state,
    buffer,
    caret: { line: end.line, column: snapColumn(buffer.line(end.line), end.column) },
    pasted: movedRanges(state.pasted, range, text),
    past: joinsLast && state.past ? state.past : snapshot(state, state.past),
    future: undefined,
    run,
    stickyColumn: undefined,
  };
}

/** Puts the caret at a place, or at the nearest one that is there and between two characters. */
export function moveCaret(state: EditorState, { line, column }: Position): EditorState {
  const row = Math.min(Math.max(0, line), state.buffer.lineCount - 1);
  const caret = { line: row, column: snapColumn(state.buffer.line(row), column) };
  return { ...state, caret, run: undefined, stickyColumn: undefined };
}

/** Takes the last edit back. */
export function undo(state: EditorState): EditorState {
  const { past } = state;
  if (!past) return state;
  const { next, ...text } = past;
  const future = snapshot(state, state.future);
  return { ...state, ...text, past: next, future, run: undefined, stickyColumn: undefined };
}

/** Does again what was undone last. */
export function redo(state: EditorState): EditorState {
  const { future } = state;
  if (!future) return state;
  const { next, ...text } = future;
  const past = snapshot(state, state.past);
  return { ...state, ...text, past, future: next, run: undefined, stickyColumn: undefined };
}

/** The text as it is sent, with the values of its tokens. */
export function submittedText(state: EditorState): string {
  return expandTokens(state.buffer.text, state.tokens);
}

/** The same with the labels of what is no text, such as images. */
export function shownText({ buffer, tokens }: EditorState): string {
  return expandTokens(
    buffer.text,
    tokens.map((token) => (token.kind === 'paste' ? token : { ...token, text: token.label })),
  );
}

/** An empty text after this one was sent; what was cut out can still be put in. */
export function clearedState(state: EditorState): EditorState {
  const killRing = state.killRing.map((text) => expandTokens(text, state.tokens));
  return { ...emptyEditorState(), killRing };
}

function snapshot({ buffer, caret, pasted }: EditorState, next: Snapshot | undefined): Snapshot {
  return { buffer, caret, pasted, next };
}
