const beyondAscii = /[\u0080-\uffff]/;

/** Normalizes a text for searching: ignores case and Unicode composition. */
export function foldText(text: string): string {
  if (!beyondAscii.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[ςß]/g, (letter) => (letter === 'ς' ? 'σ' : 'ss'));
}

/** Maps an offset in the folded text to the original; in long texts it may be a few characters off. */
export function unfoldedOffset(text: string, offset: number): number {
  if (!beyondAscii.test(text)) return offset;
  let start = 0;
  let rest = offset;
  for (;;) {
    const length = foldText(text.slice(start, start + pieceLength)).length;
    if (length > rest || start + pieceLength >= text.length) break;
    rest -= length;
    start += pieceLength;
  }
  let [low, high] = [start, Math.min(text.length, start + pieceLength)];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (foldText(text.slice(start, middle)).length <= rest) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Folds in pieces, because folding a long text again for each offset would be slow. */
const pieceLength = 1024;
