import { StyleState } from './style-state.ts';
import { piecesOf } from './styled-text.ts';

/** Ends what a styled text leaves open, so that the next one does not inherit its colours or its link. */
export function closeStyle(text: string): string {
  if (!text.includes('\x1b')) return text;
  const state = new StyleState();
  for (const piece of piecesOf(text)) if (piece.kind === 'sequence') state.apply(piece.text);
  return text + state.closing;
}
