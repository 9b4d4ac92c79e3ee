/** The words of a command sorted into its options, whatever their order and spelling, and the rest. */
export interface Flagged {
  readonly options: ReadonlySet<string>;
  readonly operands: readonly string[];
}

/** Spellings that mean the same wherever they are known. */
const sameOptions: Readonly<Record<string, string>> = { '--force': '-f', '--recursive': '-r', '-R': '-r' };

/** Sorts words, name first; bundled letters are taken apart. */
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

/**
 * True if a command has all the options of a rule and begins with its operands: `rm -fr x` is an `rm -rf *`.
 */
export function includesFlags(command: Flagged, rule: Flagged): boolean {
  return (
    rule.operands.every((operand, index) => command.operands[index] === operand) &&
    [...rule.options].every((option) => command.options.has(option))
  );
}
