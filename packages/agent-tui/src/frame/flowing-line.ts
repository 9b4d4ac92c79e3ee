import { isImageLine } from '../image/encode-image.ts';
import { plainWidth } from '../text/grapheme-width.ts';
import { piecesOf, plainText } from '../text/styled-text.ts';

/** Characters that every terminal measures alike. */
const certain =
  /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u0391-\u03a1\u03a3-\u03c9\u0400-\u045f\u2010-\u2027\u2030-\u205e\u2190-\u2193\u2500-\u25fc\u2713\u2717\u3001-\u301e\u3041-\u3096\u30a1-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff5e]*$/;
const uncertainWidth = 2;

/**
 * True if a finished line may take more than one row. Then it is written as it is, and the terminal breaks it, so that a
 * selection copies it whole. So is a line with tabs, which many terminals copy as tabs only if they got them.
 */
export function flowsIn(line: string, columns: number): boolean {
  if (isImageLine(line)) return false;
  if (line.includes('\t')) return true;
  if (uncertainWidth * line.length <= columns) return false;
  return widestOf(plainText(line)) > columns;
}

/** The columns between the tab stops of a terminal. */
export const terminalTabs = 8;

/** The line as it is written: a tab that a full row would swallow is a blank. */
export function withoutLostTabs(line: string, columns: number): string {
  let column = 0;
  let text = '';
  for (const piece of piecesOf(line)) {
    const isLost = piece.text === '\t' && column >= columns;
    text += isLost ? ' ' : piece.text;
    if (piece.kind === 'sequence') continue;
    if (piece.text === '\t' && !isLost)
      column = Math.min(columns - 1, column + terminalTabs - (column % terminalTabs));
    else {
      const width = isLost ? 1 : piece.width;
      column = column + width > columns ? width : column + width;
    }
  }
  return text;
}

/** The most columns that a terminal may take for a text. Blanks that fill a coloured row have no place of their own. */
function widestOf(plain: string): number {
  if (certain.test(plain)) return plainWidth(plain);
  let width = 0;
  for (const character of plain.trimEnd())
    width += certain.test(character) ? plainWidth(character) : uncertainWidth;
  return width;
}
