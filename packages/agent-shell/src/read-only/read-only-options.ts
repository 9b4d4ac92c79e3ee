import { literalOf, type ShellWord, wordOf } from '../word/shell-word.ts';
import type { ReadOnlySpec } from './read-only-spec.ts';

/** An option as named in the table, with its value. */
export interface ParsedOption {
  readonly name: string;
  readonly value?: string;
}

/** The parsed arguments of a command, or the argument that is not known to be read-only. */
export type ReadOnlyArguments =
  | {
      readonly ok: true;
      readonly options: readonly ParsedOption[];
      readonly operands: readonly ShellWord[];
      /** Files among the values. */
      readonly files: readonly ShellWord[];
    }
  | { readonly ok: false; readonly word: string };

/** The text of a word with its globs as written; `~` stands for home. */
export function wordText(word: ShellWord): string {
  return word.pieces.map(shownPiece).join('');
}

/** Separates options, values and operands by the table; anything unlisted is refused. */
export function readArguments(words: readonly ShellWord[], spec: ReadOnlySpec): ReadOnlyArguments {
  const reading = new Reading(words, spec);
  return reading.read();
}

class Reading {
  readonly #words: readonly ShellWord[];
  readonly #spec: ReadOnlySpec;
  readonly #options: ParsedOption[] = [];
  readonly #operands: ShellWord[] = [];
  readonly #files: ShellWord[] = [];
  #at = 0;

  constructor(words: readonly ShellWord[], spec: ReadOnlySpec) {
    this.#words = words;
    this.#spec = spec;
  }

  read(): ReadOnlyArguments {
    let optionsEnded = this.#spec.operands === 'free' || this.#spec.operands === 'archive';
    for (; this.#at < this.#words.length; this.#at += 1) {
      const word = this.#words[this.#at] ?? wordOf('');
      const text = wordText(word);
      if (!optionsEnded && startsWithGlob(word) && !this.#spec.startingGlobs) return refused(word);
      if (optionsEnded || !text.startsWith('-') || text === '-') this.#operands.push(word);
      else if (text === '--') optionsEnded = true;
      else if (literalOf(word) === undefined || !this.#readOption(text)) return refused(word);
    }
    return { ok: true, options: this.#options, operands: this.#operands, files: this.#files };
  }

  #readOption(text: string): boolean {
    const { words } = this.#spec;
    if (words !== undefined && Object.hasOwn(words, text))
      return this.#readWordOption(text, words[text] ?? 0);
    return text.startsWith('--') ? this.#readLong(text) : this.#readLetters(text);
  }

  #readWordOption(name: string, count: number): boolean {
    if (count === 0) return this.#note(name);
    const values = Array.from({ length: count }, () => this.#nextValue());
    const [value] = values;
    if (value === undefined || values.includes(undefined)) return false;
    if (this.#spec.fileWords?.includes(name)) this.#files.push(textWord(value));
    return this.#note(name, value);
  }

  #readLong(text: string): boolean {
    const { long = [] } = this.#spec;
    const equals = text.indexOf('=');
    if (equals !== -1) {
      const name = text.slice(0, equals);
      const isKnown = long.includes(`${name}=`) || long.includes(`${name}[=`);
      return isKnown && this.#note(name, text.slice(equals + 1));
    }
    if (long.includes(text) || long.includes(`${text}[=`)) return this.#note(text);
    if (!long.includes(`${text}=`)) return false;
    const value = this.#nextValue();
    return value !== undefined && this.#note(text, value);
  }

  #readLetters(text: string): boolean {
    const { flags = '', values = '', numbers = '', attached = '', separate } = this.#spec;
    for (let at = 1; at < text.length; at += 1) {
      const letter = text.charAt(at);
      const rest = text.slice(at + 1);
      if (attached.includes(letter)) return this.#note(`-${letter}`, rest);
      if (values.includes(letter) || numbers.includes(letter)) {
        const isNumber = numbers.includes(letter);
        if (rest !== '' && separate && !(isNumber && isCount(rest))) return false;
        const value = rest === '' ? this.#nextValue() : rest;
        return value !== undefined && (!isNumber || isCount(value)) && this.#note(`-${letter}`, value);
      }
      if (flags.includes(letter)) this.#note(`-${letter}`);
      else return at === 1 && /^-\d+$/.test(text) && this.#note('-0', text.slice(1));
    }
    return true;
  }

  /** Takes the next word as a value, unless another version of the tool would read it as an option. */
  #nextValue(): string | undefined {
    this.#at += 1;
    const word = this.#words[this.#at];
    const value = word === undefined ? undefined : literalOf(word);
    if (value === undefined || (/^-./.test(value) && !isCount(value))) return undefined;
    // If another version of the tool takes no value, this is a file.
    if (leadsOut(value)) this.#files.push(textWord(value));
    return value;
  }

  #note(name: string, value?: string): boolean {
    this.#options.push(value === undefined ? { name } : { name, value });
    return true;
  }
}

function startsWithGlob(word: ShellWord): boolean {
  return word.pieces.find((piece) => shownPiece(piece) !== '')?.kind === 'glob';
}

function shownPiece(piece: ShellWord['pieces'][number]): string {
  switch (piece.kind) {
    case 'text':
    case 'glob':
      return piece.value;
    case 'home':
      return '~';
    case 'variable':
      return piece.text;
    case 'unknown':
      return '?';
  }
}

function isCount(value: string): boolean {
  return /^[+-]?\d+[A-Za-z]{0,3}$/.test(value);
}

function leadsOut(value: string): boolean {
  return /^(?:\/.|~)/.test(value) || value.split('/').includes('..');
}

function textWord(value: string): ShellWord {
  return { ...wordOf(value), plain: false };
}

function refused(word: ShellWord): ReadOnlyArguments {
  return { ok: false, word: word.text };
}
