import { applyEdit, type EditorState, moveCaret } from './editor-state.ts';
import { rangesOf, type TextSpan } from './pasted-parts.ts';
import type { Range } from './position.ts';
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

interface FilledText extends FoldedText {
  /** The parts that were pasted and are not tokens. */
  readonly ranges: readonly Range[];
}

/** Puts pasted text at the caret: as it is, or as one token if it is more than one wants to see. */
export function pasteText(state: EditorState, pasted: string): EditorState {
  const text = cleanText(pasted);
  if (isLongPaste(text) && state.tokens.length < tokenLimit)
    return insertToken(state, pasteToken(state.tokens, text));
  const inserted = insertAtCaret(state, text);
  if (!isInertPaste(text)) return inserted;
  const range = { start: state.caret, end: endOfInsertion(state.caret, text) };
  return { ...inserted, pasted: [...inserted.pasted, range] };
}

/** True if a pasted text is shown by its label. */
export function isLongPaste(text: string): boolean {
  return text.length > charactersInSight || countLineBreaks(text) >= linesInSight;
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

/** Puts another text in place of all, some parts of which were pasted; long ones are tokens. It can be undone. */
export function replaceText(
  state: EditorState,
  replacement: string,
  pasted: readonly TextSpan[] = [],
): EditorState {
  const { tokens, text, ranges } = filled(state.tokens, cleanText(replacement), pasted);
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
  const { tokens, text, ranges: added } = filled(state.tokens, cleanText(given), pasted);
  const start = { line: 0, column: 0 };
  const edited = applyEdit({ ...state, tokens }, { range: { start, end: start }, text: `${text}\n` });
  const ranges = [...added, ...edited.pasted];
  return { ...moveCaret(edited, edited.buffer.end), pasted: ranges };
}

/** A text for a buffer: what was pasted and is long, and lines that are too long, are tokens. */
function filled(tokens: readonly Token[], whole: string, pasted: readonly TextSpan[]): FilledText {
  const known = [...tokens];
  const inSight: TextSpan[] = [];
  let text = '';
  let from = 0;
  for (const span of pasted.toSorted((one, other) => one.start - other.start)) {
    const start = Math.max(from, span.start);
    const end = Math.min(whole.length, span.end);
    if (end <= start) continue;
    const part = whole.slice(start, end);
    text += whole.slice(from, start);
    from = end;
    const token = isLongPaste(part) ? tokenFor(known, part) : undefined;
    if (token === undefined) inSight.push({ start: text.length, end: text.length + part.length });
    text += token ?? part;
  }
  const folded = foldLongLines(known, text + whole.slice(from));
  return { ...folded, ranges: rangesOf(folded.text, inSight) };
}

/** The placeholder of a pasted text, which may be known already; undefined if there are too many. */
function tokenFor(known: Token[], text: string): string | undefined {
  const index = known.findIndex((token) => token.kind === 'paste' && token.text === text);
  if (index >= 0) return tokenCharacter(index);
  if (known.length >= tokenLimit) return undefined;
  known.push(pasteToken(known, text));
  return tokenCharacter(known.length - 1);
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

/** The token of a text, with the next number. */
export function pasteToken(tokens: readonly Token[], text: string): Token {
  const number = tokens.filter(({ kind }) => kind === 'paste').length + 1;
  return { kind: 'paste', label: pasteLabel(text, number), text };
}

/** The label of a pasted text: its number and its size. */
export function pasteLabel(text: string, number: number): string {
  const breaks = countLineBreaks(text);
  // A break at the end begins no further line.
  const lines = text.endsWith('\n') ? breaks : breaks + 1;
  const size = breaks >= linesInSight ? `+${lines} lines` : `${text.length} chars`;
  return `[paste #${number} ${size}]`;
}
