import { AgentError } from '@robota-sdk/agent-core';
import { type GlobToken, matchesTokens, wildcardsIn } from './glob-tokens.ts';

/** Tells whether a path matches. */
export interface GlobPattern {
  test(path: string): boolean;
}

/**
 * Compiles a glob in ripgrep's dialect: `*` and `?` stay within a name, `**` between slashes crosses directories,
 * `[a-z]` and `[!a-z]` are classes, `{a,b}` are alternatives and `\` makes the next character literal.
 */
export function compileGlob(glob: string): GlobPattern {
  const tokens = new GlobParser(glob).parse();
  if (tokens.length === 1 && tokens[0]?.kind === 'prefix') return { test: () => true };
  const bytes = (path: string) => (isAscii(path) ? path : bytesOf(path));
  // A regular expression is faster, but with many wildcards it could backtrack exponentially.
  if (wildcardsIn(tokens) > mostInExpression) return { test: (path) => matchesTokens(tokens, bytes(path)) };
  const pattern = new RegExp(`^${sourceOf(tokens)}$`, 's');
  return { test: (path) => pattern.test(bytes(path)) };
}

const mostInExpression = 2;

// As in ripgrep and git, `?` and classes match one byte, so both sides are compared as bytes.
function bytesOf(text: string): string {
  return Buffer.from(text).toString('latin1');
}

function isAscii(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are part of ASCII
  return /^[\u0000-\u007f]*$/.test(text);
}

class GlobParser {
  readonly #glob: string;
  readonly #characters: readonly string[];
  #at = 0;
  #depth = 0;

  constructor(glob: string) {
    this.#glob = glob;
    this.#characters = [...bytesOf(glob)];
  }

  parse(): readonly GlobToken[] {
    const tokens = this.#sequence();
    if (this.#at < this.#characters.length) this.#fail('has a "}" without "{"');
    return tokens;
  }

  #sequence(): GlobToken[] {
    const tokens: GlobToken[] = [];
    while (this.#at < this.#characters.length) {
      const character = this.#characters[this.#at] ?? '';
      if (character === '}' || (character === ',' && this.#depth > 0)) break;
      this.#at += 1;
      if (character === '*') this.#star(tokens);
      else tokens.push(this.#token(character));
    }
    return tokens;
  }

  #token(character: string): GlobToken {
    if (character === '/') return separator;
    if (character === '?') return { kind: 'character', source: '[^/]', matches: (one) => one !== '/' };
    if (character === '[') return this.#characterClass();
    if (character === '{') return this.#alternatives();
    if (character !== '\\') return literal(character);
    const escaped = this.#characters[this.#at];
    if (escaped === undefined) this.#fail('ends with a lone "\\"');
    this.#at += 1;
    return escaped === '/' ? separator : literal(escaped ?? '');
  }

  #star(tokens: GlobToken[]): void {
    if (this.#characters[this.#at] !== '*') {
      tokens.push(star);
      return;
    }
    const before = this.#characters[this.#at - 2];
    this.#at += 1;
    const after = this.#characters[this.#at];
    if (tokens.length === 0 && (after === undefined || after === '/')) {
      this.#at += 1;
      tokens.push({ kind: 'prefix', source: '(?:/?|.*/)' });
      return;
    }
    const isInBraces = this.#depth > 0;
    const startsName = before === '/' || (isInBraces && (before === ',' || before === '{'));
    const endsGlob = after === undefined || (isInBraces && (after === ',' || after === '}'));
    if (tokens.length === 0 || !startsName || !(endsGlob || after === '/')) {
      tokens.push(star);
      return;
    }
    if (!endsGlob) this.#at += 1;
    tokens.push(recursive(tokens.pop(), endsGlob));
  }

  #alternatives(): GlobToken {
    const branches: GlobToken[][] = [];
    this.#depth += 1;
    for (;;) {
      branches.push(this.#sequence());
      const next = this.#characters[this.#at];
      if (next === undefined) this.#fail('has a "{" without "}"');
      this.#at += 1;
      if (next === '}') break;
    }
    this.#depth -= 1;
    const filled = branches.filter((branch) => sourceOf(branch) !== '');
    const source = filled.length === 0 ? '' : `(?:${filled.map(sourceOf).join('|')})`;
    return { kind: 'choice', source, branches: filled };
  }

  #characterClass(): GlobToken {
    const isNegated = this.#characters[this.#at] === '!' || this.#characters[this.#at] === '^';
    if (isNegated) this.#at += 1;
    const members: string[] = [];
    for (let isFirst = true; ; isFirst = false) {
      const low = this.#classMember();
      if (low === ']' && !isFirst) break;
      const next = this.#characters[this.#at + 1];
      if (this.#characters[this.#at] !== '-' || next === undefined || next === ']') {
        members.push(quoteInClass(low));
        continue;
      }
      this.#at += 1;
      members.push(this.#range(low, this.#classMember()));
    }
    const source = isNegated ? `[^/${members.join('')}]` : `(?!/)[${members.join('')}]`;
    const pattern = new RegExp(`^${source}$`, 's');
    return { kind: 'character', source, matches: (one) => pattern.test(one) };
  }

  #classMember(): string {
    const character = this.#characters[this.#at];
    if (character === undefined) this.#fail('has a "[" without "]"');
    this.#at += 1;
    return character ?? '';
  }

  #range(low: string, high: string): string {
    if ((low.codePointAt(0) ?? 0) > (high.codePointAt(0) ?? 0))
      this.#fail(`has an empty range "${low}-${high}"`);
    return `${quoteInClass(low)}-${quoteInClass(high)}`;
  }

  #fail(problem: string): never {
    const advice = 'Put a backslash before special characters that are meant literally.';
    throw new AgentError('tool', `The pattern ${JSON.stringify(this.#glob)} ${problem}. ${advice}`);
  }
}

/** `**` together with the separator, or the other `**`, before it. */
function recursive(previous: GlobToken | undefined, isLast: boolean): GlobToken {
  if (previous?.kind === 'prefix' || previous?.kind === 'suffix') return previous;
  return isLast ? { kind: 'suffix', source: '/.*' } : { kind: 'between', source: '(?:/|/.*/)' };
}

function literal(character: string): GlobToken {
  return { kind: 'character', source: quote(character), matches: (one) => one === character };
}

const star: GlobToken = { kind: 'star', source: '[^/]*' };
const separator: GlobToken = { kind: 'separator', source: '/' };

function sourceOf(tokens: readonly GlobToken[]): string {
  return tokens.map((token) => token.source).join('');
}

function quote(character: string): string {
  return /[\\^$.*+?()[\]{}|/]/.test(character) ? `\\${character}` : character;
}

function quoteInClass(character: string): string {
  return /[\\^\]\-[]/.test(character) ? `\\${character}` : character;
}
