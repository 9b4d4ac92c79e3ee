import { applyEdit, type EditorState, moveCaret } from './editor-state.ts';
import { rangesOf, type TextSpan } from './pasted-parts.ts';
import { countLineBreaks, endOfInsertion } from './text-buffer.ts';
import { cleanText, expandTokens, type Token, tokenCharacter, tokenLimit } from './token.ts';

const linesInSight = 10;
const charactersInSight = 1000;
/** A longer line is never laid out, since that takes time in proportion to its length with every key. */
const longestLine = 10_000;

interface FoldedText {
  readonly tokens: readonly Token[];
  readonly text: string;
}

/** Puts pasted text at the caret: as it is, or as one token if it is more than one wants to see. */
export function pasteText(state: EditorState, pasted: string): EditorState {
  const text = cleanText(pasted);
  const isLong = text.length > charactersInSight || countLineBreaks(text) >= linesInSight;
  if (isLong && state.tokens.length < tokenLimit) return insertToken(state, pasteToken(state.tokens, text));
  const inserted = insertAtCaret(state, text);
  if (!isInertPaste(text)) return inserted;
  const range = { start: state.caret, end: endOfInsertion(state.caret, text) };
  return { ...inserted, pasted: [...inserted.pasted, range] };
}

/** True if a pasted text never counts as a command, since it is more than one visible line. */
export function isInertPaste(text: string): boolean {
  return text.length > charactersInSight || text.trimEnd().includes('\n');
}

/** Puts a token at the caret. */
export function insertToken(state: EditorState, token: Token): EditorState {
  if (state.tokens.length >= tokenLimit) return insertAtCaret(state, cleanText(token.text));
  const tokens = [...state.tokens, token];
  return insertAtCaret({ ...state, tokens }, tokenCharacter(state.tokens.length));
}

/** Puts another text in place of all, some parts of which were pasted; it can be undone. */
export function replaceText(
  state: EditorState,
  replacement: string,
  pasted: readonly TextSpan[] = [],
): EditorState {
  const whole = cleanText(replacement);
  const { tokens, text } = foldLongLines(state.tokens, whole);
  const ranges = rangesOf(whole, pasted);
  if (text === state.buffer.text) return ranges.length === 0 ? state : { ...state, pasted: ranges };
  const range = { start: { line: 0, column: 0 }, end: state.buffer.end };
  return { ...applyEdit({ ...state, tokens }, { range, text }), pasted: ranges };
}

/** Inserts a text before the draft, on separate lines. */
export function prependText(
  state: EditorState,
  given: string,
  pasted: readonly TextSpan[] = [],
): EditorState {
  if (state.buffer.isEmpty) return replaceText(state, given, pasted);
  const whole = cleanText(given);
  const { tokens, text } = foldLongLines(state.tokens, whole);
  const start = { line: 0, column: 0 };
  const edited = applyEdit({ ...state, tokens }, { range: { start, end: start }, text: `${text}\n` });
  const ranges = [...rangesOf(whole, pasted), ...edited.pasted];
  return { ...moveCaret(edited, edited.buffer.end), pasted: ranges };
}

/** Makes tokens of lines that are too long to be laid out. */
export function foldLongLines(tokens: readonly Token[], text: string): FoldedText {
  if (text.length <= longestLine) return { tokens, text };
  const known = [...tokens];
  const folded = text.split('\n').map((line) => {
    if (line.length <= longestLine || known.length >= tokenLimit) return line;
    // A line that was cut out may hold tokens itself; what is in a token is plain text.
    known.push(pasteToken(known, expandTokens(line, known)));
    return tokenCharacter(known.length - 1);
  });
  return { tokens: known, text: folded.join('\n') };
}

function insertAtCaret(state: EditorState, text: string): EditorState {
  return applyEdit(state, { range: { start: state.caret, end: state.caret }, text });
}

function pasteToken(tokens: readonly Token[], text: string): Token {
  const number = tokens.filter(({ kind }) => kind === 'paste').length + 1;
  const breaks = countLineBreaks(text);
  // A break at the end begins no further line.
  const lines = text.endsWith('\n') ? breaks : breaks + 1;
  const size = breaks >= linesInSight ? `+${lines} lines` : `${text.length} chars`;
  return { kind: 'paste', label: `[paste #${number} ${size}]`, text };
}
