import type { SimpleCommand } from '../word/shell-script.ts';
import type { ShellWord } from '../word/shell-word.ts';
import { baseName } from './nested-runs.ts';
import { shells } from './wrappers.ts';

/**
 * True if a script's variable may expand to several words that matter: a name with arguments if the script sets IFS, or
 * shell options with values.
 */
export function mayBeSplit(
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
