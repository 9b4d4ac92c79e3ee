/** More files than these are counted by folder. */
export const longestList = 60;

/** Counts a thing in words: "1 file", "3 files", "2 matches". */
export function countText(count: number, thing: string): string {
  const plural = /(s|x|ch|sh)$/.test(thing) ? `${thing}es` : `${thing}s`;
  return `${count.toLocaleString('en-US')} ${count === 1 ? thing : plural}`;
}

/** Files per folder, as deep as the number of rows stays readable. */
export function countByFolder(paths: readonly string[]): ReadonlyMap<string, number> {
  let best = countAtDepth(paths, 1);
  for (let depth = 2; depth <= 4; depth++) {
    const deeper = countAtDepth(paths, depth);
    if (deeper.size > longestList / 2) break;
    best = deeper;
  }
  return best;
}

function countAtDepth(paths: readonly string[], depth: number): Map<string, number> {
  const top = paths.filter((path) => !path.includes('/')).length;
  const counts = new Map<string, number>(top > 0 ? [['(top level)', top]] : []);
  for (const path of paths) {
    const folders = path.split('/').slice(0, -1).slice(0, depth);
    if (folders.length === 0) continue;
    const folder = `${folders.join('/')}/`;
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return counts;
}
