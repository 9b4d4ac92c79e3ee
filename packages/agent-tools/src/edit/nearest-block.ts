const maxLinesShown = 20;
const maxLinesCompared = 20_000;
const maxLineLength = 200;

/** Describes the lines of a text that are most similar to the wanted ones, and the differences. */
export function describeNearest(text: string, wanted: string): string {
  const lines = text.split('\n');
  const old = wanted.replace(/\n$/, '').split('\n');
  const start = findByEqualLines(lines, old) ?? findBySimilarLine(lines, old);
  if (start === undefined) return 'Nothing in the file resembles it. Read the file again.';
  const end = Math.min(lines.length, start + old.length);
  const place = end - start === 1 ? `line ${end} is` : `lines ${start + 1}-${end} are`;
  return `Nearest ${place} (- old_string, + file):\n${compare(lines.slice(start, end), old, start + 1)}`;
}

/** Every line that occurs in the text votes for a start position of the whole block. */
function findByEqualLines(lines: readonly string[], old: readonly string[]): number | undefined {
  const places = new Map<string, number[]>();
  for (const [index, line] of old.entries()) {
    const key = line.trim();
    if (key !== '') places.set(key, [...(places.get(key) ?? []), index]);
  }
  const votes = new Map<number, number>();
  for (const [row, line] of lines.entries()) {
    const key = line.trim();
    for (const index of places.get(key) ?? []) {
      const start = row - index;
      // Longer lines are stronger evidence than a lone brace.
      if (start >= 0) votes.set(start, (votes.get(start) ?? 0) + Math.min(key.length, 40));
    }
  }
  const best = [...votes].reduce((winner, vote) => (vote[1] > winner[1] ? vote : winner), [-1, 2]);
  return best[0] === -1 ? undefined : best[0];
}

function findBySimilarLine(lines: readonly string[], old: readonly string[]): number | undefined {
  const longest = old.reduce(
    (index, line, at) => (line.trim().length > (old[index] ?? '').trim().length ? at : index),
    0,
  );
  const wanted = pairsOf(old[longest] ?? '');
  let best: number | undefined;
  let bestScore = 0.45;
  for (const [row, line] of lines.slice(0, maxLinesCompared).entries()) {
    const score = similarity(wanted, pairsOf(line));
    if (score > bestScore) {
      bestScore = score;
      best = Math.max(0, row - longest);
    }
  }
  return best;
}

function pairsOf(line: string): ReadonlySet<string> {
  const text = line.trim().slice(0, maxLineLength);
  const pairs = new Set<string>();
  for (let index = 0; index + 1 < text.length; index += 1) pairs.add(text.slice(index, index + 2));
  return pairs;
}

function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  let shared = 0;
  for (const pair of a) if (b.has(pair)) shared += 1;
  return (2 * shared) / (a.size + b.size);
}

function compare(found: readonly string[], old: readonly string[], firstLine: number): string {
  const rows: string[] = [];
  for (const [index, wanted] of old.entries()) {
    const line = found[index];
    if (line === wanted) rows.push(`  ${firstLine + index}\t${shorten(line)}`);
    else {
      rows.push(`- \t${shorten(wanted)}`);
      if (line !== undefined) rows.push(`+ ${firstLine + index}\t${shorten(line)}`);
    }
  }
  const shown = rows.slice(0, maxLinesShown);
  return rows.length > shown.length
    ? [...shown, `… ${rows.length - shown.length} more lines`].join('\n')
    : shown.join('\n');
}

function shorten(line: string): string {
  return line.length > maxLineLength ? `${line.slice(0, maxLineLength)}...` : line;
}
