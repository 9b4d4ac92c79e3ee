/** The words of a command: its options in any order and spelling, and the rest. */
export interface Flagged {
  readonly options: ReadonlySet<string>;
  readonly operands: readonly string[];
}

/** Equivalent spellings of common options. */
const sameOptions: Readonly<Record<string, string>> = { '--force': '-f', '--recursive': '-r', '-R': '-r' };

/** Separates options from other words, after the name; bundled letters are split. */
export function flagged(words: readonly string[]): Flagged {
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
export function includesFlags(command: Flagged, rule: Flagged): boolean {
  return (
    rule.operands.every((operand, index) => command.operands[index] === operand) &&
    [...rule.options].every((option) => command.options.has(option))
  );
}
