/** The name that a mistyped one most likely meant; nothing if none is alike. */
export function nearestName(written: string, names: Iterable<string>): string | undefined {
  const wanted = written.toLowerCase();
  let best: { name: string; distance: number } | undefined;
  for (const name of names) {
    const distance = changesBetween(wanted, name.toLowerCase());
    const tolerance = Math.max(1, Math.floor(Math.max(wanted.length, name.length) / 3));
    if (distance <= tolerance && (!best || distance < best.distance)) best = { name, distance };
  }
  return best?.name;
}

/** How many characters are to be put in, taken out or exchanged. */
function changesBetween(from: string, to: string): number {
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const exchange = (last[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      current.push(Math.min((last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, exchange));
    }
    last = current;
  }
  return last[to.length] ?? 0;
}
