/** Scripts that need more parser steps for braces are not parsed. */
const maximumSteps = 30_000_000;

/** True if a script has so many possible brace expansions that finding their ends takes too long. */
export function hasTooManyBraces(source: string): boolean {
  let count = 0;
  for (let at = source.indexOf('{'); at !== -1; at = source.indexOf('{', at + 1)) {
    const next = source[at + 1] ?? ' ';
    if (next > ' ' && next !== '}') count += 1;
  }
  return count * source.length > maximumSteps;
}
