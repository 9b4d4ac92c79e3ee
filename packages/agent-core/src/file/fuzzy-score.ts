/** How well a path fits what was typed of it; less is better, nothing means not at all. */
export function fuzzyScore(typed: string, path: string): number | undefined {
  const query = typed.toLowerCase();
  const whole = path.toLowerCase();
  const name = whole.slice(whole.lastIndexOf('/', whole.length - 2) + 1);
  // Of equal fits the shorter path is the likelier one.
  const length = path.length / 10_000;
  if (name.startsWith(query)) return length;
  if (whole.startsWith(query)) return 1 + length;
  if (name.includes(query)) return 2 + length;
  if (whole.includes(query)) return 3 + length;
  const gaps = gapsOf(query, whole);
  return gaps === undefined ? undefined : 4 + gaps + length;
}

/** How often the letters of a query are not beside each other in a text; nothing if they are not all there in order. */
function gapsOf(query: string, text: string): number | undefined {
  let gaps = 0;
  let position = -1;
  for (const letter of query) {
    const next = text.indexOf(letter, position + 1);
    if (next === -1) return undefined;
    if (next !== position + 1) gaps++;
    position = next;
  }
  return gaps;
}
