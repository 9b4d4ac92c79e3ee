import { AgentError, matchSteps } from '@robota-sdk/agent-core';

/** Tells whether a path matches. */
export interface GlobPattern {
  test(path: string): boolean;
}

/** A glob that was read, and what it says about the paths it can match. */
export interface Glob extends GlobPattern {
  /** The last segments of its alternatives, as globs. */
  readonly names: readonly string[];
  /** The most segments that a match can have; undefined without limit. */
  readonly maxDepth: number | undefined;
}

/** One segment of a path, or `**`: any number of them. */
export type Segment = ((name: string) => boolean) | '**';

const mostAlternatives = 1_000;
const longestGlob = 4_000;
const deepestBraces = 20;

/**
 * Compiles a glob: `*` and `?` stay within a name, `**` between slashes crosses directories, `[a-z]`, `[!a-z]` and
 * `[[:alpha:]]` are classes, `{a,b}` are alternatives and `\` makes the next character literal.
 */
export function compileGlob(glob: string): Glob {
  const alternatives = expandBraces(glob).map((one) => {
    const segments = readSegments(one);
    if (typeof segments === 'string') throw globError(glob, segments);
    return { segments, name: one.slice(one.lastIndexOf('/') + 1) };
  });
  const depths = alternatives.map(({ segments }) => (segments.includes('**') ? undefined : segments.length));
  return {
    test: (path) => {
      const names = path.split('/');
      return alternatives.some(({ segments }) => matchSegments(segments, names));
    },
    names: [...new Set(alternatives.map(({ name }) => name))],
    maxDepth: depths.includes(undefined) ? undefined : Math.max(...depths.map((depth = 0) => depth)),
  };
}

/** True if segments match all names of a path. */
export function matchSegments(segments: readonly Segment[], names: readonly string[]): boolean {
  return matchSteps<Segment, string>(
    segments,
    names,
    '**',
    (segment, name) => segment !== '**' && segment(name),
  );
}

/** Splits a glob at slashes, except between braces or after a backslash. */
export function splitGlob(pattern: string): string[] {
  const names: string[] = [''];
  let depth = 0;
  for (const [part] of pattern.matchAll(/\\.|[^\\]|\\$/gsu)) {
    if (part === '{') depth += 1;
    if (part === '}') depth -= 1;
    if (part === '/' && depth <= 0) names.push('');
    else names[names.length - 1] += part;
  }
  return names.filter((name) => name !== '' && name !== '.');
}

/** The globs without braces that a glob stands for. */
function expandBraces(glob: string): readonly string[] {
  if (glob.length > longestGlob) throw globError(`${glob.slice(0, 50)}…`, 'is too long');
  const parts = [...glob.matchAll(/\\.|[^\\]|\\$/gsu)].map(([part]) => part);
  let at = 0;
  const times = (starts: readonly string[], ends: readonly string[]) => {
    if (starts.length * ends.length > mostAlternatives)
      throw globError(glob, `has more than ${mostAlternatives} alternatives`);
    return starts.flatMap((start) => ends.map((end) => start + end));
  };
  /** Reads up to the end of an alternative. */
  const sequence = (depth: number): readonly string[] => {
    if (depth > deepestBraces) throw globError(glob, 'nests braces too deeply');
    let found: readonly string[] = [''];
    for (; at < parts.length; at += 1) {
      const part = parts[at] ?? '';
      if (part === '}' || (part === ',' && depth > 0)) break;
      found = part === '{' ? times(found, choice(depth + 1)) : times(found, [part]);
    }
    return found;
  };
  const choice = (depth: number): readonly string[] => {
    const branches: string[] = [];
    while (parts[at] !== '}') {
      at += 1;
      branches.push(...sequence(depth));
      if (at >= parts.length) throw globError(glob, 'has a "{" without "}"');
    }
    return branches;
  };
  const found = sequence(0);
  if (at < parts.length) throw globError(glob, 'has a "}" without "{"');
  return found;
}

function globError(glob: string, problem: string): AgentError {
  const advice = 'Put a backslash before special characters that are meant literally.';
  return new AgentError('tool', `The pattern ${JSON.stringify(glob)} ${problem}. ${advice}`);
}

/** A character, a test of one, or any number of characters. */
type Step = string | ((character: string) => boolean);
const run = '**';

/** Reads a glob without braces; the text is what is wrong with it. */
export function readSegments(glob: string): readonly Segment[] | string {
  const segments: Segment[] = [];
  let steps: Step[] = [];
  const end = () => {
    if (steps.length === 1 && steps[0] === '/**') segments.push('**');
    else segments.push(nameTest(steps));
    steps = [];
  };
  const characters = [...glob];
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] ?? '';
    const isSlash = character === '/' || (character === '\\' && characters[at + 1] === '/');
    if (isSlash) {
      if (character === '\\') at += 1;
      end();
    } else if (character === '*') {
      const first = at;
      while (characters[at + 1] === '*') at += 1;
      const [after, next] = [characters[at + 1], characters[at + 2]];
      const isWhole =
        steps.length === 0 && (after === undefined || after === '/' || (after === '\\' && next === '/'));
      steps.push(at > first && isWhole ? '/**' : run);
    } else if (character === '?') {
      steps.push(() => true);
    } else if (character === '[') {
      const found = readClass(characters, at + 1);
      if (found === undefined) return 'has a "[" without "]"';
      steps.push(found.test);
      at = found.end;
    } else if (character === '\\') {
      at += 1;
      const escaped = characters[at];
      if (escaped === undefined) return 'ends with a lone "\\"';
      steps.push(escaped);
    } else steps.push(character);
  }
  end();
  // At the end, `**` matches what is below, not the directory itself.
  if (segments.at(-1) === '**') segments.push(() => true);
  return segments;
}

/** A test of whole names. The usual forms, a literal name and a literal end, need no loop. */
function nameTest(steps: readonly Step[]): (name: string) => boolean {
  const isLiteral = (step: Step) => typeof step === 'string' && step !== run;
  const [first, ...rest] = steps;
  if (steps.every(isLiteral)) {
    const literal = steps.join('');
    return (name) => name === literal;
  }
  if (first === run && rest.every(isLiteral)) {
    const ending = rest.join('');
    return (name) => name.endsWith(ending);
  }
  return (name) =>
    matchSteps<Step, string>(steps, /[\ud800-\udfff]/.test(name) ? [...name] : name, run, matchesCharacter);
}

function matchesCharacter(step: Step, character: string): boolean {
  return typeof step === 'string' ? step === character : step(character);
}

/** Reads a class up to its bracket; undefined if it has none. */
function readClass(
  characters: readonly string[],
  start: number,
): { readonly test: (character: string) => boolean; readonly end: number } | undefined {
  const isNegated = characters[start] === '!' || characters[start] === '^';
  const members: ((one: string) => boolean)[] = [];
  let at = isNegated ? start + 1 : start;
  const first = at;
  const take = () => {
    if (characters[at] === '\\') at += 1;
    at += 1;
    return characters[at - 1];
  };
  while (characters[at] !== ']' || at === first) {
    if (characters[at] === '[' && characters[at + 1] === ':') {
      const end = characters.indexOf(']', at + 2);
      // Unterminated, it is an ordinary bracket.
      if (end > at + 2 && characters[end - 1] === ':') {
        const named = classes[characters.slice(at + 2, end - 1).join('')];
        if (named === undefined) return undefined;
        members.push((one) => named.test(one));
        at = end + 1;
        continue;
      }
    }
    const low = take();
    if (low === undefined) return undefined;
    const isRange = characters[at] === '-' && characters[at + 1] !== ']' && characters[at + 1] !== undefined;
    if (isRange) at += 1;
    const high = isRange ? take() : low;
    if (high === undefined) return undefined;
    members.push((one) => one >= low && one <= high);
  }
  return { test: (one) => members.some((member) => member(one)) !== isNegated, end: at };
}

const classes: Readonly<Record<string, RegExp>> = {
  alnum: /^[A-Za-z0-9]$/,
  alpha: /^[A-Za-z]$/,
  blank: /^[ \t]$/,
  cntrl: /^\p{Cc}$/u,
  digit: /^[0-9]$/,
  graph: /^[!-~]$/,
  lower: /^[a-z]$/,
  print: /^[ -~]$/,
  punct: /^[!-/:-@[-`{-~]$/,
  space: /^\s$/,
  upper: /^[A-Z]$/,
  xdigit: /^[0-9A-Fa-f]$/,
};
