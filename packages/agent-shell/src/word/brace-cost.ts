/** Steps of the parser for braces above which a script is not parsed. */
const maximumSteps = 30_000_000;

/**
 * True if a script has so many braces that may begin an expansion that looking for the end of each takes too
 * long.
 */
export function hasTooManyBraces(source: string): boolean {
  let count = 0;
  for (let at = source.indexOf('{'); at !== -1; at = source.indexOf('{', at + 1)) {
    const next = source[at + 1] ?? ' ';
    if (next > ' ' && next !== '}') count += 1;
  }
  return count * source.length > maximumSteps;
}
