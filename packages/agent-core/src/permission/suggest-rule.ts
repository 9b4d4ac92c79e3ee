import type { SimpleCommand } from '@robota-sdk/agent-shell';
import { sourceText } from './match-command.ts';

const maximumLength = 500;

/** The rule that allows a command and no other: its text. None where a rule would read that text as more. */
export function ruleForCommand(command: SimpleCommand): string[] | undefined {
  // Of braces, the words they expand to are known, not how they were written.
  if (command.words.some((word) => !word.plain && word.text.includes('{'))) return undefined;
  return ruleOf(sourceText(command));
}

/** The rule that allows a whole script by spelling it. */
export function ruleForScript(source: string): string[] | undefined {
  return ruleOf(source.trim());
}

/** A `*` in a rule is a wildcard, and what only the running shell knows has no spelling: no rule says just that. */
function ruleOf(specifier: string): string[] | undefined {
  return specifier === '' || specifier.length > maximumLength || /[*\uE001]/.test(specifier)
    ? undefined
    : [`Bash(${specifier})`];
}
