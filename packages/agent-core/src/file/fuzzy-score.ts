/** Rates how well a path matches the typed text; lower is better, undefined means no match. */
export function fuzzyScore(typed: string, path: string): number | undefined {
  const query = typed.toLowerCase();
  const whole = path.toLowerCase();
  const name = whole.slice(whole.lastIndexOf('/', whole.length - 2) + 1);
  // Among equal matches, the shorter path wins.
  const length = path.length / 10_000;
  if (name.startsWith(query)) return length;
  if (whole.startsWith(query)) return 1 + length;
  if (name.includes(query)) return 2 + length;
  if (whole.includes(query)) return 3 + length;
  const gaps = gapsOf(query, whole);
  return gaps === undefined ? undefined : 4 + gaps + length;
}

/** Counts gaps between the letters of a query in a text; undefined if they do not all occur in order. */
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
