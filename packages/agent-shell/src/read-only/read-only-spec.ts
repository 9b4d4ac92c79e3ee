import type { ReadOnlyCheck } from './read-only-checks.ts';

/** Which uses of a command only read: every option that keeps it so, with how it takes its value. */
export interface ReadOnlySpec {
  /** Letters without a value, which may stand together behind one dash. */
  readonly flags?: string;
  /** Letters with a value that is no file: the rest of the word, or else the next word. */
  readonly values?: string;
  /** Letters with a number for a value: the rest of the word, or else the next word. */
  readonly numbers?: string;
  /** Letters whose value is optional, so that it can only be the rest of the word. */
  readonly attached?: string;
  /** A value stands in the next word only: `-Po` are two options with a value each. */
  readonly separate?: true;
  /** `--name` has no value, `--name=` one here or in the next word, `--name[=` one here or none. */
  readonly long?: readonly string[];
  /** Options of one word whose letters mean nothing alone, with how many words they take. */
  readonly words?: Readonly<Record<string, number>>;
  /** Options of `words` whose value is a file. */
  readonly fileWords?: readonly string[];
  /**
   * The meaning of operands: files, text, a pattern and then files, none, words that are never options, or a
   * key, an archive and its members.
   */
  readonly operands: 'files' | 'text' | 'pattern' | 'none' | 'free' | 'archive';
  readonly maximumOperands?: number;
  /** Options that give the pattern or make it needless, so that every operand is a file. */
  readonly patternOptions?: readonly string[];
  /** Operands need one of these options, without which they would be created or changed. */
  readonly operandsNeed?: readonly string[];
  /** No option does harm, so that a glob may stand for names that look like one. */
  readonly startingGlobs?: true;
  /** A further condition by name. */
  readonly check?: ReadOnlyCheck;
}

/** The words of a text, to keep long lists readable. */
export function list(text: string): readonly string[] {
  return text.split(' ');
}
