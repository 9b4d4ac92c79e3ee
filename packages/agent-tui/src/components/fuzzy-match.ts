/**
 * How well a text fits what was typed of it; less is better, nothing means not at all. Each word that was typed must
 * be found: at the beginning, at the beginning of a word, anywhere, or letter by letter in order.
 */
export function fuzzyMatch(typed: string, text: string): number | undefined {
  const whole = text.toLowerCase();
  let score = 0;
  for (const word of typed.toLowerCase().split(/\s+/)) {
    const found = wordScore(word, whole);
    if (found === undefined) return undefined;
    score += found;
  }
  return score;
}

function wordScore(word: string, text: string): number | undefined {
  if (word === '' || text.startsWith(word)) return 0;
  const at = text.indexOf(word);
  if (at > 0) return startsWord(text, at) ? 1 : 2;
  return gapsOf(word, text);
}

function startsWord(text: string, at: number): boolean {
  return !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '');
}

function gapsOf(word: string, text: string): number | undefined {
  let gaps = 3;
  let position = -1;
  for (const letter of word) {
    const next = text.indexOf(letter, position + 1);
    if (next < 0) return undefined;
    if (next !== position + 1) gaps++;
    position = next;
  }
  return gaps;
}
