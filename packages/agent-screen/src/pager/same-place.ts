import { plainText } from '@robota-sdk/agent-tui';

/** How many letters stand before a line. */
export function lettersBefore(lines: readonly string[], line: number): number {
  return lines.slice(0, line).reduce((sum, text) => sum + lettersIn(text), 0);
}

/** The line that a letter stands in; it is the same piece of text at every width. */
export function lineOfLetter(lines: readonly string[], letters: number): number {
  let before = 0;
  for (const [index, text] of lines.entries()) {
    before += lettersIn(text);
    if (before > letters) return index;
  }
  return Math.max(0, lines.length - 1);
}

/** Letters and digits only: blanks and edges are others at every width. */
function lettersIn(line: string): number {
  return plainText(line).match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}
