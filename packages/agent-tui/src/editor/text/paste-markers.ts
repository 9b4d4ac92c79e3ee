import { applyEdit, type EditorState } from './editor-state.ts';
import { foldLongLines, isInertPaste, isLongPaste, pasteLabel, pasteToken } from './paste-text.ts';
import type { TextSpan } from './pasted-parts.ts';
import { comparePositions, type Position, type Range } from './position.ts';
import { endOfInsertion } from './text-buffer.ts';
import { cleanText, isTokenAt, type Token, tokenCharacter, tokenLimit, tokenOf } from './token.ts';

/** A pasted text that is shown by its label, and its place. */
export interface PasteMarker {
  readonly token: Token;
  readonly range: Range;
}

/** The marker at the caret or directly before it, else the next one before it, else the first one. */
export function pasteNearCaret(state: EditorState): PasteMarker | undefined {
  const markers = pasteMarkers(state);
  const { caret } = state;
  return (
    markers.find(({ range }) => comparePositions(range.start, caret) === 0) ??
    markers.findLast(({ range }) => comparePositions(range.end, caret) <= 0) ??
    markers[0]
  );
}

/** Puts the text of a marker in its place, where it stays inert; lines that are too long stay labels. */
export function expandPaste(state: EditorState, { token, range }: PasteMarker): EditorState {
  const { tokens, text } = foldLongLines(state.tokens, token.text);
  if (text.length === 1 && isTokenAt(text, 0)) return state;
  const expanded = applyEdit({ ...state, tokens }, { range, text });
  if (!isInertPaste(token.text)) return expanded;
  const pasted = { start: range.start, end: endOfInsertion(range.start, text) };
  return { ...expanded, pasted: [...expanded.pasted, pasted] };
}

/** Puts another text instead of a marker; if it is long, it is a marker with the same number. */
export function replacePaste(
  state: EditorState,
  { token, range }: PasteMarker,
  written: string,
): EditorState {
  const text = cleanText(written);
  const { tokens } = state;
  if (!isLongPaste(text) || tokens.length >= tokenLimit) return applyEdit(state, { range, text });
  const next = { ...pasteToken(tokens, text), label: pasteLabel(text, numberOf(token)) };
  const edited = { ...state, tokens: [...tokens, next] };
  return applyEdit(edited, { range, text: tokenCharacter(tokens.length) });
}

function numberOf({ label }: Token): number {
  return Number(/#(\d+)/.exec(label)?.[1] ?? 1);
}

/** Removes a marker with its text. */
export function removePaste(state: EditorState, { range }: PasteMarker): EditorState {
  return applyEdit(state, { range, text: '' });
}

/** The parts of an edited text that are still the texts of markers, in their order. */
export function pastesIn(state: EditorState, text: string): readonly TextSpan[] {
  const spans: TextSpan[] = [];
  let from = 0;
  for (const { token } of pasteMarkers(state)) {
    const start = text.indexOf(token.text, from);
    if (start < 0) continue;
    from = start + token.text.length;
    spans.push({ start, end: from });
  }
  return spans;
}

/** The markers of a text in their order. */
function pasteMarkers({ buffer, tokens }: EditorState): readonly PasteMarker[] {
  if (tokens.length === 0) return [];
  const markers: PasteMarker[] = [];
  for (let line = 0; line < buffer.lineCount; line++) {
    const written = buffer.line(line);
    for (const { index } of written.matchAll(/\p{Surrogate}/gu)) {
      const token = tokenOf(written.charAt(index), tokens);
      const start: Position = { line, column: index };
      if (token?.kind === 'paste')
        markers.push({ token, range: { start, end: { line, column: index + 1 } } });
    }
  }
  return markers;
}
