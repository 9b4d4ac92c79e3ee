const beyondAscii = /[\u0080-\uffff]/;

/** A text as searching compares it: without case, and with one form for what Unicode can write in several. */
export function foldText(text: string): string {
  if (!beyondAscii.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[ςß]/g, (letter) => (letter === 'ς' ? 'σ' : 'ss'));
}

/** The place in a text that a place in its folded form came from; in a long text it may be a few characters off. */
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

/** Folding a whole text over and over would take long where the text is. */
const pieceLength = 1024;
