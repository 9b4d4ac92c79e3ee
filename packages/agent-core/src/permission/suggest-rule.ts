import type { SimpleCommand } from '@robota-sdk/agent-shell';
import { sourceText } from './match-command.ts';
import { parseRule } from './parse-rule.ts';

const maximumLength = 500;
const maximumScript = 10_000;

/** The rule for exactly this command; undefined if a rule would read its text as more. */
export function ruleForCommand(command: SimpleCommand): string[] | undefined {
  // The words that braces expand to are known, but not how they were written.
  if (command.words.some((word) => !word.plain && word.text.includes('{'))) return undefined;
  return ruleOf(sourceText(command));
}

/** The rule that allows a whole script by spelling it. */
export function ruleForScript(source: string): string[] | undefined {
  return ruleOf(source.trim(), maximumScript);
}

/** No rule can express a literal `*`, a part that only the shell can expand, or a parenthesis without its pair. */
function ruleOf(specifier: string, longest = maximumLength): string[] | undefined {
  const rule = `Bash(${specifier})`;
  const isClear = specifier.length <= longest && !/[*\uE001]/.test(specifier);
  return isClear && parseRule(rule, { source: 'suggestion' }).ok ? [rule] : undefined;
}
