/**
 * The items of a JSON array as texts, each one whole. A file that was cut off gives those before the cut; its last,
 * unfinished item is told apart.
 */
export function jsonItems(text: string): { readonly items: readonly string[]; readonly isCutOff: boolean } {
  const items: string[] = [];
  const begin = text.indexOf('[') + 1;
  let depth = 0;
  let start = -1;
  for (let at = begin; at < text.length; at++) {
    const character = text[at];
    if (character === '"') {
      if (start < 0) start = at;
      at = endOfString(text, at);
      if (at < 0) return { items, isCutOff: true };
    } else if (character === '{' || character === '[') {
      if (depth === 0 && start < 0) start = at;
      depth++;
    } else if (depth > 0 && (character === '}' || character === ']')) {
      depth--;
    } else if (depth === 0 && (character === ',' || character === ']')) {
      if (start >= 0) items.push(text.slice(start, at));
      start = -1;
      if (character === ']') return { items, isCutOff: false };
    } else if (start < 0 && character !== undefined && character.trim() !== '') start = at;
  }
  if (depth === 0 && start >= 0) items.push(text.slice(start));
  return { items, isCutOff: true };
}

/** The index of the closing quote of a string; -1 if there is none. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at;
  }
  return -1;
}
