/** One step of a glob: one character, or a run of them. */
type Step =
  | { readonly kind: 'character'; matches(one: string): boolean }
  | { readonly kind: 'star' | 'globstar' | 'directories' };

/** Matches paths given as `globCharacters`. */
export interface GitGlob {
  test(path: readonly string[]): boolean;
}

/**
 * Compiles a glob of an ignore file as git reads it: `*` and `?` stay within a name, `**` between slashes crosses
 * directories, and braces are literal. Undefined if the line is invalid for git, so that it matches nothing.
 */
export function compileGitGlob(
  glob: string,
  { ignoreCase }: { readonly ignoreCase: boolean },
): GitGlob | undefined {
  const steps = new GlobReader(globCharacters(glob, { ignoreCase })).read();
  if (steps === undefined) return undefined;
  return { test: (path) => matches(steps, path) };
}

/** The characters of a path or a glob. A letter may have several encodings, such as é with one or two code points. */
export function globCharacters(
  text: string,
  { ignoreCase }: { readonly ignoreCase: boolean },
): readonly string[] {
  const normal = text.normalize('NFC');
  return [...(ignoreCase ? normal.toLowerCase() : normal)];
}

class GlobReader {
  readonly #characters: readonly string[];
  #at = 0;

  constructor(characters: readonly string[]) {
    this.#characters = characters;
  }

  read(): readonly Step[] | undefined {
    const steps: Step[] = [];
    while (this.#at < this.#characters.length) {
      const step = this.#step();
      if (step === undefined) return undefined;
      steps.push(step);
    }
    return steps;
  }

  #step(): Step | undefined {
    const start = this.#at;
    const character = this.#characters[this.#at++] ?? '';
    if (character === '*') return this.#stars(start);
    if (character === '?') return { kind: 'character', matches: (one) => one !== '/' };
    if (character === '[') return this.#class();
    if (character !== '\\') return literal(character);
    const escaped = this.#characters[this.#at++];
    return escaped === undefined ? undefined : literal(escaped);
  }

  #stars(start: number): Step {
    while (this.#characters[this.#at] === '*') this.#at += 1;
    const [before, after] = [this.#characters[start - 1], this.#characters[this.#at]];
    const endsName =
      after === undefined || after === '/' || (after === '\\' && this.#characters[this.#at + 1] === '/');
    const isWhole = this.#at - start > 1 && (before === undefined || before === '/') && endsName;
    if (!isWhole) return { kind: 'star' };
    if (after !== '/') return { kind: 'globstar' };
    this.#at += 1;
    return { kind: 'directories' };
  }

  /** A class never matches a slash; an unterminated one makes the line invalid. */
  #class(): Step | undefined {
    const isNegated = this.#peek() === '!' || this.#peek() === '^';
    if (isNegated) this.#at += 1;
    const members: ((one: string) => boolean)[] = [];
    for (let isFirst = true; ; isFirst = false) {
      if (this.#peek() === undefined) return undefined;
      if (this.#peek() === ']' && !isFirst) break;
      const member = this.#member();
      if (member === undefined) return undefined;
      members.push(member);
    }
    this.#at += 1;
    return {
      kind: 'character',
      matches: (one) => one !== '/' && members.some((member) => member(one)) !== isNegated,
    };
  }

  #member(): ((one: string) => boolean) | undefined {
    const named = this.#named();
    if (named !== undefined) return named === 'unknown' ? undefined : (one) => named.test(one);
    const low = this.#classCharacter();
    if (low === undefined) return undefined;
    const isRange = this.#peek() === '-' && this.#peek(1) !== undefined && this.#peek(1) !== ']';
    if (!isRange) return (one) => one === low;
    this.#at += 1;
    const high = this.#classCharacter();
    return high === undefined ? undefined : (one) => one >= low && one <= high;
  }

  /** `[:alpha:]` and similar. */
  #named(): RegExp | 'unknown' | undefined {
    if (this.#peek() !== '[' || this.#peek(1) !== ':') return undefined;
    const rest = this.#characters.slice(this.#at + 2);
    const end = rest.indexOf(']');
    // Unterminated, it is an ordinary bracket.
    if (end < 1 || rest[end - 1] !== ':') return undefined;
    this.#at += end + 3;
    return classes[rest.slice(0, end - 1).join('')] ?? 'unknown';
  }

  #classCharacter(): string | undefined {
    const character = this.#characters[this.#at++];
    return character === '\\' ? this.#characters[this.#at++] : character;
  }

  #peek(ahead = 0): string | undefined {
    return this.#characters[this.#at + ahead];
  }
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

function literal(character: string): Step {
  return { kind: 'character', matches: (one) => one === character };
}

/** Follows all alternatives at once, so the cost is at most path length times number of steps. */
function matches(steps: readonly Step[], path: readonly string[]): boolean {
  let places: readonly number[] = [0];
  for (const step of steps) {
    places =
      step.kind === 'character'
        ? places.filter((at) => at < path.length && step.matches(path[at] ?? '')).map((at) => at + 1)
        : reached(step.kind, places, path);
    // Most patterns fail here, at their first character.
    if (places.length === 0) return false;
  }
  return places.at(-1) === path.length;
}

/** Positions that a run of characters reaches from others, in ascending order. */
function reached(
  kind: Exclude<Step['kind'], 'character'>,
  starts: readonly number[],
  path: readonly string[],
): readonly number[] {
  const ends: number[] = [];
  let isOpen = false;
  let next = 0;
  for (let at = starts[0] ?? 0; at <= path.length && (isOpen || next < starts.length); at += 1) {
    const isStart = starts[next] === at;
    if (isStart) next += 1;
    const before = path[at - 1];
    isOpen = isStart || (isOpen && (kind !== 'star' || before !== '/'));
    // `**/` matches nothing, or directories up to a slash.
    if (isOpen && (kind !== 'directories' || isStart || before === '/')) ends.push(at);
  }
  return ends;
}
