const beyondAscii = /[\u0080-\uffff]/;

/** A text as searching compares it: without case, and with one form for what Unicode can write in several. */
export function foldText(text: string): string {
  if (!beyondAscii.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[ςß]/g, (letter) => (letter === 'ς' ? 'σ' : 'ss'));
}

/** The place in a text that a place in its folded form came from. */
export function unfoldedOffset(text: string, offset: number): number {
  if (!beyondAscii.test(text)) return offset;
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (foldText(text.slice(0, middle)).length <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
