import { errorMessage } from '@robota-sdk/agent-core';
import { patternError } from './pattern-error.ts';

export interface RegexOptions {
  readonly isLiteral: boolean;
  readonly ignoreCase: boolean;
  readonly isMultiline: boolean;
}

/**
 * Converts a pattern in ripgrep's syntax to JavaScript: Rust's, with Perl's look-around and back references.
 * Unsupported: flags within the pattern except at its start, atomic groups and possessive repetition.
 */
export function compileRegex(pattern: string, options: RegexOptions): RegExp {
  if (options.isLiteral) return build(pattern.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), options, '');
  const [start = '', added = '', removed = ''] = /^\(\?([imsuU]*)(?:-([imsu]+))?\)/.exec(pattern) ?? [];
  const source = new Translation(pattern.slice(start.length)).run();
  const ignoreCase = (options.ignoreCase || added.includes('i')) && !removed.includes('i');
  const dotAll = added.includes('s') && !removed.includes('s') ? 's' : '';
  return build(source, { ...options, ignoreCase }, dotAll);
}

function build(source: string, options: RegexOptions, dotAll: string): RegExp {
  const flags = `gv${options.ignoreCase ? 'i' : ''}${options.isMultiline ? 'ms' : dotAll}`;
  try {
    return new RegExp(source, flags);
  } catch (thrown) {
    throw patternError(errorMessage(thrown).replace(/^Invalid regular expression: .*\/[a-z]*: /s, ''));
  }
}

const word = String.raw`\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}`;
const isWordBefore = `(?<=[${word}])`;
const isWordAfter = `(?=[${word}])`;
const noWordBefore = `(?<![${word}])`;
const noWordAfter = `(?![${word}])`;

const posixClasses: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\x00-\\x7f',
  blank: '\\t ',
  cntrl: '\\x00-\\x1f\\x7f',
  digit: '0-9',
  graph: '\\x21-\\x7e',
  lower: 'a-z',
  print: '\\x20-\\x7e',
  punct: '\\x21-\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-\\x7e',
  space: '\\s',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
};

const escapesAnywhere: Readonly<Record<string, string>> = {
  w: `[${word}]`,
  W: `[^${word}]`,
  d: '\\p{Nd}',
  D: '\\P{Nd}',
  a: '\\x07',
  e: '\\x1b',
  h: '[\\t\\p{Zs}]',
};

const escapesOutsideClasses: Readonly<Record<string, string>> = {
  A: '(?<![^])',
  z: '(?![^])',
  Z: '(?![^])',
  b: `(?:${isWordBefore}${noWordAfter}|${noWordBefore}${isWordAfter})`,
  B: `(?:${isWordBefore}${isWordAfter}|${noWordBefore}${noWordAfter})`,
  '<': noWordBefore + isWordAfter,
  '>': isWordBefore + noWordAfter,
};

/** Rewrites a pattern in one pass where JavaScript's syntax differs. */
class Translation {
  readonly #pattern: string;
  #at = 0;
  #source = '';
  #classDepth = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  run(): string {
    while (this.#at < this.#pattern.length) {
      this.#source += this.#classDepth > 0 ? this.#nextInClass() : this.#next();
    }
    return this.#source;
  }

  #next(): string {
    if (this.#take('\\')) return this.#escape();
    if (this.#take('[')) return this.#openClass();
    const named = this.#takeMatch(/\(\?P[<=>]/y);
    if (named === '(?P<') return '(?<';
    if (named === '(?P=') return `\\k<${this.#takeMatch(/\w*/y)}>${this.#take(')') ? '' : '('}`;
    const repetition = this.#takeMatch(/\{\d+(?:,\d*)?\}/y);
    if (repetition !== '') return repetition;
    const character = this.#takeMatch(/./suy);
    return /[{}\]]/.test(character) ? `\\${character}` : character;
  }

  #nextInClass(): string {
    if (this.#take('\\')) return this.#escape();
    if (this.#take('[:')) return this.#posixClass();
    if (this.#take('[')) return this.#openClass();
    if (this.#take(']')) {
      this.#classDepth -= 1;
      return ']]';
    }
    const operator = this.#takeMatch(/&&|--/y);
    if (operator !== '') return `]${operator}[`;
    if (this.#take('-')) return this.#isRange() ? '-' : '\\-';
    return quoteInClass(this.#takeMatch(/./suy));
  }

  #openClass(): string {
    this.#classDepth += 1;
    // Doubled, because the operands of `&&` must be classes.
    const open = this.#take('^') ? '[^[' : '[[';
    // Right after the bracket these are literal.
    return open + this.#takeMatch(/\]?-*/y).replace(/./g, '\\$&');
  }

  #isRange(): boolean {
    const next = this.#pattern[this.#at];
    return next !== ']' && next !== undefined && !/[[&-]$/.test(this.#source);
  }

  #posixClass(): string {
    const [, not = '', name = ''] = /^(\^?)([a-z]+):\]/.exec(this.#pattern.slice(this.#at)) ?? [];
    const members = posixClasses[name];
    if (members === undefined) return '\\[\\:';
    this.#at += not.length + name.length + 2;
    return `[${not}${members}]`;
  }

  #escape(): string {
    const code = this.#takeMatch(/x\{[0-9a-f]+\}|u\{[0-9a-f]+\}|U[0-9a-f]{8}|u[0-9a-f]{4}|x[0-9a-f]{2}/iy);
    if (code !== '') return `\\u{${code.replace(/[^0-9a-f]/gi, '').replace(/^0+(?=.)/, '')}}`;
    const property = this.#takeMatch(/p\{\^?[^}]*\}|p[A-Z]/iy);
    if (property !== '') return translateProperty(property);
    const character = this.#takeMatch(/./suy);
    const special = escapesAnywhere[character];
    if (special !== undefined) return special;
    if (this.#classDepth > 0) return /\w/.test(character) ? `\\${character}` : quoteInClass(character);
    const outside = escapesOutsideClasses[character];
    if (outside !== undefined) return outside;
    return /[\w^$.*+?()[\]{}|/\\]/.test(character) ? `\\${character}` : character;
  }

  #take(text: string): boolean {
    if (!this.#pattern.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #takeMatch(expression: RegExp): string {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#pattern)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }
}

function quoteInClass(character: string): string {
  return /[()[\]{}/\-|\\^$.*+?&!#%,:;<=>@`~]/.test(character) ? `\\${character}` : character;
}

/** `\pL`, `\p{Greek}`, `\p{^L}`: a single name may be a category, a property or a script. */
function translateProperty(property: string): string {
  const name = property.slice(1).replace(/[{}^]/g, '');
  const letter = property.includes('^') === property.startsWith('P') ? 'p' : 'P';
  const forms = [name, `Script=${name}`];
  const known = forms.find((form) => isProperty(form)) ?? name;
  return `\\${letter}{${known}}`;
}

function isProperty(name: string): boolean {
  try {
    new RegExp(`\\p{${name}}`, 'v');
    return true;
  } catch {
    return false;
  }
}
