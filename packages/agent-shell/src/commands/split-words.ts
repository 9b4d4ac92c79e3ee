import type { SimpleCommand } from '../word/shell-script.ts';
import type { ShellWord } from '../word/shell-word.ts';
import { baseName } from './nested-runs.ts';
import { isRunnerAssigned } from './unknown-name.ts';
import { shells } from './wrappers.ts';

/** Why a variable of a script may run a command that the script does not show. */
export function variableDoubt(
  commands: readonly SimpleCommand[],
  assigned: ReadonlyMap<string, readonly string[]>,
): string | undefined {
  if (isRunnerAssigned(commands, assigned)) return 'a variable in it names a program that runs others';
  return mayBeSplit(commands, assigned) ? 'a variable in it may be several words' : undefined;
}

/**
 * True if a script's variable may expand to several words that matter: a name with arguments if the script sets IFS, or
 * shell options with values.
 */
function mayBeSplit(
  commands: readonly SimpleCommand[],
  assigned: ReadonlyMap<string, readonly string[]>,
): boolean {
  if (assigned.size === 0) return false;
  const isSplit = assigned.get('IFS')?.some((text) => /\S/.test(text)) === true;
  const mayBeOption = (word: ShellWord): boolean => {
    const [first] = word.pieces;
    return (
      first?.kind === 'variable' && assigned.get(first.name)?.some((text) => text.startsWith('-')) === true
    );
  };
  const isOpen = ({ words, runs }: SimpleCommand): boolean =>
    (isSplit && words[0]?.pieces.some((piece) => piece.kind === 'variable') === true) ||
    (shells.has(baseName(words[0]) ?? '') && words.some(mayBeOption)) ||
    runs.some(isOpen);
  return commands.some(isOpen);
}
