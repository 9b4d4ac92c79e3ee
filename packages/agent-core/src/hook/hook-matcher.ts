/** Longer patterns and names are rejected as hostile. */
const maxPatternLength = 500;
const maxNameLength = 256;
const maxUnboundedQuantifiers = 4;

/** Tests a name against the matcher of a hook. */
type HookMatcher = (name: string) => boolean;

/**
 * Compiles a matcher: nothing or `*` is every name; names of tools joined by `|` are those tools alone; anything else
 * is a regular expression searched in the name, or the exact name where it is no valid expression.
 * A pattern that could take very long matches everything, since a guard that runs too often does no harm.
 */
export function compileMatcher(pattern: string, isToolName: (word: string) => boolean): HookMatcher {
  if (pattern === '' || pattern === '*') return () => true;
  const words = pattern.split('|').map((word) => word.trim());
  if (words.every(isToolName)) return (name) => words.includes(name);
  if (!isQuickPattern(pattern)) return () => true;
  try {
    const expression = new RegExp(pattern);
    return (name) => expression.test(name.slice(0, maxNameLength));
  } catch {
    return (name) => name === pattern;
  }
}

/** True if matching a short name takes no time worth mentioning: no repetition of something ambiguous. */
export function isQuickPattern(pattern: string): boolean {
  if (pattern.length > maxPatternLength) return false;
  const plain = pattern.replace(/\\./gsu, '_').replace(/\[[^\]]*(?:\]|$)/g, '_');
  const unbounded = plain.match(/[*+]|\{\d+,\}/g) ?? [];
  return unbounded.length <= maxUnboundedQuantifiers && !repeatsAmbiguity(plain);
}

/** True if a group that holds a choice or a repetition is itself repeated. */
function repeatsAmbiguity(plain: string): boolean {
  const openAt: number[] = [];
  for (let at = 0; at < plain.length; at++) {
    if (plain[at] === '(') openAt.push(at);
    if (plain[at] !== ')') continue;
    const inside = plain.slice((openAt.pop() ?? 0) + 1, at).replace(/^\?[:=!<]+/, '');
    if (/^[*+{]/.test(plain.slice(at + 1)) && /[*+?{|]/.test(inside)) return true;
  }
  return false;
}
