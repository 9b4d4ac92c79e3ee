import type { ReadOnlyCheck } from './read-only-checks.ts';

/** The read-only uses of a command: every harmless option, and how it takes its value. */
export interface ReadOnlySpec {
  /** Letters without a value, which may be bundled after one dash. */
  readonly flags?: string;
  /** Letters with a value that is not a file: the rest of the word, or the next word. */
  readonly values?: string;
  /** Letters with a numeric value: the rest of the word, or the next word. */
  readonly numbers?: string;
  /** Letters with an optional value, which can only be the rest of the word. */
  readonly attached?: string;
  /** Values are only in the next word: `-Po` is two options with a value each. */
  readonly separate?: true;
  /** `--name` has no value, `--name=` one here or in the next word, `--name[=` one here or none. */
  readonly long?: readonly string[];
  /** Single-dash options of several letters, with the number of words they take. */
  readonly words?: Readonly<Record<string, number>>;
  /** Options of `words` whose value is a file. */
  readonly fileWords?: readonly string[];
  /**
   * The meaning of operands: files, text, a pattern and then files, none, words that are never options, or an archive
   * and its members.
   */
  readonly operands: 'files' | 'text' | 'pattern' | 'none' | 'free' | 'archive';
  readonly maximumOperands?: number;
  /** Options that provide the pattern or make it unnecessary, so that every operand is a file. */
  readonly patternOptions?: readonly string[];
  /** Operands need one of these options; without one they would be created or changed. */
  readonly operandsNeed?: readonly string[];
  /** No option is harmful, so a glob may match names that look like options. */
  readonly startingGlobs?: true;
  /** The only subcommands that read: with another one, its options say nothing. */
  readonly reading?: readonly string[];
  /** An additional condition by name. */
  readonly check?: ReadOnlyCheck;
}

/** Splits a text into words, to keep long lists readable. */
export function wordList(text: string): readonly string[] {
  return text.split(' ');
}
