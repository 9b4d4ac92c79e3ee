/**
 * How well an entry matches the typed text: less is better, undefined is no match. Each typed word must occur in the
 * name, as a whole or as letters at the starts of words and right after each other, or as a whole in the description.
 */
export function listMatch(typed: string, name: string, description = ''): number | undefined {
  const [label, about] = [name.toLowerCase(), description.toLowerCase()];
  let score = 0;
  for (const word of typed.toLowerCase().split(/\s+/)) {
    const found = nameScore(word, label, name) ?? aboutScore(word, about);
    if (found === undefined) return undefined;
    score += found;
  }
  return score;
}

function nameScore(word: string, label: string, name: string): number | undefined {
  if (word === '' || label.startsWith(word)) return 0;
  const at = label.indexOf(word);
  if (at > 0) return beginsWord(name, at) ? 1 : 2;
  return isOfBeginnings(word, label, name) ? 3 : undefined;
}

function aboutScore(word: string, about: string): number | undefined {
  const at = about.indexOf(word);
  if (at < 0) return undefined;
  return beginsWord(about, at) ? 4 : 5;
}

/** A word starts after a character that is no letter, and at a capital after a small letter. */
function beginsWord(text: string, at: number): boolean {
  const [before = '', letter = ''] = [text[at - 1], text[at]];
  if (!/[\p{L}\p{N}]/u.test(before)) return true;
  return /\p{Ll}\p{Lu}|\p{L}\p{N}/u.test(before + letter);
}

/** True if letters are at the starts of words or right after each other, as in `gst` of `git status`. */
function isOfBeginnings(word: string, label: string, name: string): boolean {
  const places = Array.from({ length: label.length }, (_, at) => at);
  const beginnings = new Set(places.filter((at) => beginsWord(name, at)));
  // All positions at which the letters so far may end.
  let ends = new Set([-1]);
  for (const [index, letter] of [...word].entries()) {
    const first = Math.min(...ends);
    const isPossible = (at: number) => (at > first && beginnings.has(at)) || (index > 0 && ends.has(at - 1));
    ends = new Set(places.filter((at) => label[at] === letter && isPossible(at)));
    if (ends.size === 0) return false;
  }
  return true;
}
