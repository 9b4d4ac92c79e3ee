/** Longer patterns and names are rejected, because they could be an attack. */
const maxPatternLength = 500;
const maxNameLength = 256;
const maxUnboundedQuantifiers = 4;

/** Tests a name against the matcher of a hook. */
type HookMatcher = (name: string) => boolean;

/**
 * Compiles a matcher. Nothing or `*` matches every name; tool names joined by `|` match those tools; anything else is a
 * regular expression searched in the name, or the exact name if it is only a name. A slow or unreadable pattern
 * matches everything, because a guard that runs too often does no harm.
 */
export function compileMatcher(pattern: string, isToolName: (word: string) => boolean): HookMatcher {
  if (pattern === '' || pattern === '*') return () => true;
  const words = pattern.split('|').map((word) => word.trim());
  if (words.every(isToolName)) return (name) => words.includes(name);
  if (!isQuickPattern(pattern) || !isReadableMatcher(pattern, isToolName)) return () => true;
  const expression = expressionOf(pattern);
  return expression === undefined
    ? (name) => name === pattern
    : (name) => expression.test(name.slice(0, maxNameLength));
}

/** False for an invalid expression, and for a rule such as `Bash(git *)`, which matches no tool. */
export function isReadableMatcher(pattern: string, isToolName: (word: string) => boolean): boolean {
  const expression = expressionOf(pattern);
  if (expression === undefined) return pattern === '*' || /^[\w .+-]+$/.test(pattern);
  const [, tool = ''] = /^(\w+)\(.*\)$/s.exec(pattern) ?? [];
  return !isToolName(tool) || !isQuickPattern(pattern) || expression.test(tool);
}

function expressionOf(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern);
  } catch {
    return undefined;
  }
}

/** True if a pattern matches short names quickly: it does not repeat anything ambiguous. */
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
