import type { Command } from 'unbash';
import type { SimpleCommand } from '../word/shell-script.ts';
import { literalOf, type ShellWord, wordsFrom } from '../word/shell-word.ts';
import { baseName, inputText } from './nested-runs.ts';
import { echoedText } from './program-input.ts';
import { interpreters, shells } from './wrappers.ts';

/** Remembers the files that a line writes from its own text, to read them if the line runs them: `cat >x <<E`, then `sh x`. */
export class WrittenScripts {
  readonly #texts = new Map<string, string[]>();

  /** Notes the files that a command writes with known text. */
  note(command: Command): void {
    const name = command.name?.value ?? '';
    const input = command.redirects.flatMap(inputText).find((text) => text !== undefined);
    const text = name === 'tee' || name === 'cat' ? input : echoedText(command);
    if (text === undefined) return;
    const targets = command.redirects.flatMap((one) =>
      one.type === 'Redirect' && one.operator.includes('>') && one.target !== undefined ? [one.target] : [],
    );
    const named = name === 'tee' ? command.args.flatMap((one) => (one.type === 'Word' ? [one] : [])) : [];
    for (const word of [...targets, ...named].flatMap(wordsFrom)) {
      const file = baseName(word);
      if (file !== undefined) this.#texts.set(file, [...(this.#texts.get(file) ?? []), text]);
    }
  }

  /** The written texts that a command runs as shell scripts. */
  scriptsFor(command: SimpleCommand): readonly string[] {
    if (this.#texts.size === 0) return [];
    const name = literalOf(command.words[0] ?? none) ?? '';
    const isShell = shells.has(baseName(command.words[0]) ?? '') || name === '.' || name === 'source';
    const file = isShell ? firstOperand(command) : name.includes('/') ? command.words[0] : undefined;
    return [...this.#of(file), ...command.runs.flatMap((one) => this.scriptsFor(one))];
  }

  /** The written texts that a command runs as code of another language. */
  codeFor(command: SimpleCommand): readonly string[] {
    if (this.#texts.size === 0) return [];
    const isInterpreter = interpreters.has(baseName(command.words[0]) ?? '');
    const own = isInterpreter ? this.#of(firstOperand(command)) : [];
    return [...own, ...command.runs.flatMap((one) => this.codeFor(one))];
  }

  #of(file: ShellWord | undefined): readonly string[] {
    return this.#texts.get(baseName(file) ?? '') ?? [];
  }
}

const none: ShellWord = { text: '', pieces: [], plain: false };

function firstOperand({ words }: SimpleCommand): ShellWord | undefined {
  return words.slice(1).find(({ text }) => !/^[-+]/.test(text));
}
