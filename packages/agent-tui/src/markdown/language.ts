/** The grammar of a language, for highlighting line by line. */
export interface Language {
  readonly keywords: ReadonlySet<string>;
  /** Names of types that are known; others are known by a capital letter. */
  readonly types: ReadonlySet<string>;
  readonly literals: ReadonlySet<string>;
  readonly lineComments: readonly string[];
  readonly blockComments: readonly (readonly [open: string, close: string])[];
  readonly strings: readonly StringForm[];
  readonly isCaseIgnored: boolean;
  readonly hasCapitalTypes: boolean;
  /** Names of variables, such as `$HOME`. */
  readonly variable: RegExp | undefined;
  /** A name with a value, at the start of a line or after a brace. */
  readonly key: RegExp | undefined;
  /** Compiler directives: `#include`, `@Override`. */
  readonly directive: RegExp | undefined;
  readonly kind: 'code' | 'markup' | 'diff';
}

/** A way of writing strings. */
export interface StringForm {
  readonly open: string;
  readonly close: string;
  readonly hasEscapes: boolean;
  readonly isMultiline: boolean;
}

/** The parts of a language that differ from nothing. */
export interface LanguageGrammar {
  readonly keywords?: string;
  readonly types?: string;
  readonly literals?: string;
  readonly lineComments?: readonly string[];
  readonly blockComments?: readonly (readonly [open: string, close: string])[];
  readonly strings?: readonly StringForm[];
  readonly isCaseIgnored?: boolean;
  readonly hasCapitalTypes?: boolean;
  readonly variable?: RegExp;
  readonly key?: RegExp;
  readonly directive?: RegExp;
  readonly kind?: Language['kind'];
}

/** Describes a language; words are given in one string. */
export function defineLanguage(parts: LanguageGrammar): Language {
  return {
    keywords: words(parts.keywords),
    types: words(parts.types),
    literals: words(parts.literals),
    lineComments: parts.lineComments ?? [],
    blockComments: parts.blockComments ?? [],
    strings: parts.strings ?? [],
    isCaseIgnored: parts.isCaseIgnored ?? false,
    hasCapitalTypes: parts.hasCapitalTypes ?? false,
    variable: parts.variable,
    key: parts.key,
    directive: parts.directive,
    kind: parts.kind ?? 'code',
  };
}

/** A string that ends with its line, with escapes. */
export function quoted(mark: string): StringForm {
  return { open: mark, close: mark, hasEscapes: true, isMultiline: false };
}

/** A string that may go over lines, with escapes. */
export function multiline(mark: string): StringForm {
  return { open: mark, close: mark, hasEscapes: true, isMultiline: true };
}

/** A string that may span lines and has no escapes. */
export function raw(open: string, close = open): StringForm {
  return { open, close, hasEscapes: false, isMultiline: true };
}

function words(list = ''): ReadonlySet<string> {
  return new Set(list.split(' ').filter((word) => word !== ''));
}
