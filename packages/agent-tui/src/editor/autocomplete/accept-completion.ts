import { applyEdit, type EditorState, moveCaret } from '../text/editor-state.ts';
import { cleanText } from '../text/token.ts';
import type { Completion, CompletionRequest, CompletionToken } from './autocomplete-provider.ts';

/** The request for the text around the caret. */
export function completionRequest({ buffer, caret }: EditorState): CompletionRequest {
  const line = buffer.line(caret.line);
  return { before: line.slice(0, caret.column), after: line.slice(caret.column), line: caret.line };
}

/** Replaces the completed part by a suggestion, and puts the caret where typing continues. */
export function acceptCompletion(state: EditorState, token: CompletionToken, item: Completion): EditorState {
  const value = cleanText(item.value).replaceAll('\n', ' ');
  const isComplete = item.next !== 'continue' && item.next !== 'submit';
  const hasBlank = state.buffer.line(state.caret.line)[token.end] === ' ';
  const edited = replacePart(state, token, isComplete && !hasBlank ? `${value} ` : value);
  const { line, column } = edited.caret;
  if (isComplete && hasBlank) return moveCaret(edited, { line, column: column + 1 });
  // The caret stays inside the quotes, so that a longer path can follow.
  const isQuoted = item.next === 'continue' && value.endsWith('"');
  return isQuoted ? moveCaret(edited, { line, column: column - 1 }) : edited;
}

/** Replaces the typed text by the common prefix of all suggestions. */
export function acceptPrefix(state: EditorState, token: CompletionToken, prefix: string): EditorState {
  return replacePart(state, { ...token, end: state.caret.column }, cleanText(prefix).replaceAll('\n', ' '));
}

function replacePart(state: EditorState, { start, end }: CompletionToken, text: string): EditorState {
  const { line } = state.caret;
  return applyEdit(state, { range: { start: { line, column: start }, end: { line, column: end } }, text });
}
