import { applyEdit, type EditorState, moveCaret } from '../text/editor-state.ts';
import { cleanText } from '../text/token.ts';
import type { Completion, CompletionRequest, CompletionToken } from './autocomplete-provider.ts';

/** The text around the caret, as providers are asked about it. */
export function requestOf({ buffer, caret }: EditorState): CompletionRequest {
  const line = buffer.line(caret.line);
  return { before: line.slice(0, caret.column), behind: line.slice(caret.column), line: caret.line };
}

/** Puts a suggestion in place of the part it completes, and the caret where one goes on writing. */
export function acceptCompletion(state: EditorState, token: CompletionToken, item: Completion): EditorState {
  const value = cleanText(item.value).replaceAll('\n', ' ');
  const isWhole = item.next !== 'continue' && item.next !== 'submit';
  const hasBlank = state.buffer.line(state.caret.line)[token.end] === ' ';
  const edited = replacePart(state, token, isWhole && !hasBlank ? `${value} ` : value);
  const { line, column } = edited.caret;
  if (isWhole && hasBlank) return moveCaret(edited, { line, column: column + 1 });
  // A longer path must stand inside of the quotes.
  const isQuoted = item.next === 'continue' && value.endsWith('"');
  return isQuoted ? moveCaret(edited, { line, column: column - 1 }) : edited;
}

/** Puts what all suggestions begin with in place of what was typed. */
export function acceptPrefix(state: EditorState, token: CompletionToken, prefix: string): EditorState {
  return replacePart(state, { ...token, end: state.caret.column }, cleanText(prefix).replaceAll('\n', ' '));
}

function replacePart(state: EditorState, { start, end }: CompletionToken, text: string): EditorState {
  const { line } = state.caret;
  return applyEdit(state, { range: { start: { line, column: start }, end: { line, column: end } }, text });
}
