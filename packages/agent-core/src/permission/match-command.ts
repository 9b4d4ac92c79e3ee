import {
  globsOverlap,
  literalOf,
  markedText,
  matchGlob,
  nameValuesOf,
  type ShellWord,
  type SimpleCommand,
  unknownText,
  type Variables,
  valuesOf,
} from '@robota-sdk/agent-shell';

/** A parsed specifier of a Bash rule: `:*` and ` *` at the end match any arguments or none. */
export interface CommandPattern {
  readonly text: string;
  /** The original text. */
  readonly spelt: string;
  /** Matches every command, as `Bash` and `Bash(*)` do. */
  readonly any: boolean;
  /** Its first word, if that has no `*`. */
  readonly name?: string;
  /** The part before ` *`. */
  readonly stem?: string;
  /** Its options, if only its end is open. */
  readonly flags?: Flagged;
}

/** Replaces a space inside a word, so that `"run build"` is not read as two words. */
const innerSpace = '\uE000';
const maximumReadings = 16;

/** Parses the specifier of a Bash rule. */
export function commandPattern(specifier: string | undefined): CommandPattern {
  const spelt = (specifier ?? '*').trim();
  const collapsed = collapseSpace(spelt);
  const text = collapsed.endsWith(':*') ? `${collapsed.slice(0, -2)} *` : collapsed;
  if (/^[\s*]*$/.test(text)) return { text, spelt, any: true };
  const name = firstWord(text);
  const pattern = { text, spelt, any: false, ...(name.includes('*') ? {} : { name }) };
  if (!text.endsWith(' *')) return pattern;
  const stem = text.slice(0, -2);
  if (stem.includes('*') || !stem.includes(' -')) return { ...pattern, stem };
  return { ...pattern, stem, flags: flagged(stem.split(' ')) };
}

/** Collapses runs of spaces, so that layout never matters. */
export function collapseSpace(text: string): string {
  return text.trim().replaceAll(/[ \t]+/g, ' ');
}

/** The command as written, with spaces collapsed. */
export function sourceText(command: SimpleCommand): string {
  return command.words.map((word) => word.text).join(' ');
}

/** True if an allow rule covers a command: word by word, with a literal name, and unknown parts only under a `*`. */
export function coversCommand(pattern: CommandPattern, command: SimpleCommand): boolean {
  if (pattern.any) return true;
  if (spellsOut(pattern, sourceText(command))) return true;
  if (command.words[0]?.plain !== true) return false;
  return matchPattern(
    pattern,
    command.words.map((word) => markedText(word).replaceAll(/\s/g, innerSpace)).join(' '),
  );
}

/**
 * True if a pattern spells a whole command or script, so that its author saw all of it. Layout matters only in quotes
 * and in text of several lines.
 */
export function spellsOut(pattern: CommandPattern, text: string): boolean {
  if (pattern.spelt === text.trim()) return true;
  return !/["'\\\n]/.test(text) && pattern.text === collapseSpace(text);
}

/** True if a deny or ask rule matches a command or script as it is written, with its quotes and operators. */
export function matchesText(pattern: CommandPattern, text: string): boolean {
  return pattern.any || spellsOut(pattern, text) || matchPattern(pattern, collapseSpace(text));
}

/** Every possible reading of a command, for deny and ask rules. */
export function readingsOf(command: SimpleCommand, variables: Variables): string[] {
  const texts = new Set<string>();
  for (const words of wordReadings(command.words, variables)) {
    for (const reading of withoutUnknownStart(words)) addReadings(reading, texts);
  }
  return [...texts];
}

/** Tells whether a deny or ask rule matches a reading, for certain or possibly after expansion. */
export function hitsReading(pattern: CommandPattern, reading: string): 'hit' | 'maybe' | 'miss' {
  if (pattern.any || matchPattern(pattern, reading)) return 'hit';
  if (pattern.flags !== undefined && includesFlags(flagged(reading.split(' ')), pattern.flags)) return 'hit';
  if (!reading.includes(unknownText)) return 'miss';
  const open = reading.replaceAll(unknownText, '*');
  const overlaps =
    globsOverlap(pattern.text, open) || (pattern.stem !== undefined && globsOverlap(pattern.stem, open));
  return overlaps ? 'maybe' : 'miss';
}

/** A text up to its first space. */
export function firstWord(text: string): string {
  const end = text.search(/\s/);
  return end === -1 ? text : text.slice(0, end);
}

function matchPattern(pattern: CommandPattern, text: string): boolean {
  return matchGlob(pattern.text, text) || (pattern.stem !== undefined && matchGlob(pattern.stem, text));
}

function wordReadings(words: readonly ShellWord[], variables: Variables): string[][] {
  let readings: string[][] = [[]];
  words.forEach((word, index) => {
    const [value = '', ...others] = wordValues(word, index, variables);
    if (others.length === 0 || readings.length >= maximumReadings) {
      for (const reading of readings) reading.push(value);
      return;
    }
    readings = readings.flatMap((reading) => [value, ...others].map((one) => [...reading, one]));
  });
  return readings;
}

function wordValues(word: ShellWord, index: number, variables: Variables): string[] {
  const literal = literalOf(word);
  if (literal !== undefined) return [literal];
  // A name that is a glob is unknown; a glob among the arguments is compared as written.
  if (index > 0) return valuesOf(word, variables);
  return hasGlob(word) ? [markedText(word)] : nameValuesOf(word, variables);
}

function hasGlob(word: ShellWord): boolean {
  return word.pieces.some((piece) => piece.kind === 'glob');
}

/** If a word expands to nothing, the next one is the name. */
function withoutUnknownStart(words: readonly string[]): (readonly string[])[] {
  const first = words.findIndex((word) => word !== unknownText && word !== '');
  return first > 0 ? [words, words.slice(first)] : [words];
}

function addReadings(words: readonly string[], texts: Set<string>): void {
  const [name = '', ...rest] = words;
  const tails = [rest, ...withoutOptions(rest)];
  const names = name.includes('/') ? [name, name.slice(name.lastIndexOf('/') + 1)] : [name];
  for (const one of names) {
    for (const tail of tails) texts.add([one, ...tail].join(' '));
  }
}

/** Options before a subcommand may be present or not, with or without a value: `git -C dir push` is a push. */
function withoutOptions(words: readonly string[]): (readonly string[])[] {
  const found: (readonly string[])[] = [];
  const open = [0];
  const seen = new Set<number>();
  for (let at = open.pop(); at !== undefined && found.length < maximumReadings; at = open.pop()) {
    const word = words[at];
    if (word === undefined || seen.has(at)) continue;
    seen.add(at);
    if (!word.startsWith('-')) {
      if (at > 0) found.push(words.slice(at));
      continue;
    }
    open.push(at + 1, at + 2);
  }
  return found;
}

/** The words of a command: its options in any order and spelling, and the rest. */
interface Flagged {
  readonly options: ReadonlySet<string>;
  readonly operands: readonly string[];
}

/** Equivalent spellings of common options. */
const sameOptions: Readonly<Record<string, string>> = { '--force': '-f', '--recursive': '-r', '-R': '-r' };

/** Separates options from other words, after the name; bundled letters are split. */
function flagged(words: readonly string[]): Flagged {
  const options = new Set<string>();
  const operands: string[] = [];
  for (const word of words) {
    if (!word.startsWith('-') || word === '-' || word === '--') {
      operands.push(word);
      continue;
    }
    const letters = /^-[A-Za-z]{2,4}$/.test(word) ? [...word.slice(1)].map((letter) => `-${letter}`) : [word];
    for (const letter of letters) options.add(sameOptions[letter] ?? letter);
  }
  return { options, operands };
}

/** True if a command has all options of a rule and starts with its operands: `rm -fr x` matches `rm -rf *`. */
function includesFlags(command: Flagged, rule: Flagged): boolean {
  return (
    rule.operands.every((operand, index) => command.operands[index] === operand) &&
    [...rule.options].every((option) => command.options.has(option))
  );
}
