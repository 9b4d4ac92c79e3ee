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

/** How many characters are to be put in, taken out, exchanged, or swapped with their neighbour. */
function changesBetween(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= from.length; row++) {
    rows.push([row]);
    for (let column = 1; column <= to.length; column++) {
      const exchange = at(row - 1, column - 1) + (from[row - 1] === to[column - 1] ? 0 : 1);
      const isSwap = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const swap = isSwap ? at(row - 2, column - 2) + 1 : exchange;
      rows[row]?.push(Math.min(at(row - 1, column) + 1, at(row, column - 1) + 1, exchange, swap));
    }
  }
  return at(from.length, to.length);
}
