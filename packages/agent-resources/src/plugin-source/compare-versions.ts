/** A parsed version; undefined if it is not a semantic version. */
interface Version {
  readonly numbers: readonly number[];
  readonly before: readonly string[];
}

/** Negative, zero or positive if the first version is older, equal or newer; undefined if they cannot be compared. */
export function compareVersions(a: string, b: string): number | undefined {
  const [first, second] = [parse(a), parse(b)];
  if (!first || !second) return a === b ? 0 : undefined;
  for (let at = 0; at < 3; at++) {
    const difference = (first.numbers[at] ?? 0) - (second.numbers[at] ?? 0);
    if (difference !== 0) return Math.sign(difference);
  }
  return compareStages(first.before, second.before);
}

/** True if a text is a semantic version, with or without a `v` before it. */
export function isVersion(text: string): boolean {
  return parse(text) !== undefined;
}

function parse(text: string): Version | undefined {
  const match =
    /^v?(\d{1,15})\.(\d{1,15})\.(\d{1,15})(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z.-]+)?$/.exec(
      text,
    );
  if (!match) return undefined;
  return { numbers: match.slice(1, 4).map(Number), before: match[4]?.split('.') ?? [] };
}

/** A prerelease (`-beta.2`) is older than its release. */
function compareStages(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return Math.sign(b.length - a.length);
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const [first, second] = [a[at], b[at]];
    if (first === undefined || second === undefined) return first === undefined ? -1 : 1;
    const order = compareParts(first, second);
    if (order !== 0) return order;
  }
  return 0;
}

function compareParts(a: string, b: string): number {
  const [isNumber, isOther] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumber && isOther) return Math.sign(Number(a) - Number(b));
  if (isNumber !== isOther) return isNumber ? -1 : 1;
  return a === b ? 0 : a < b ? -1 : 1;
}
