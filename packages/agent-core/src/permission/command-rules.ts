import type { SimpleCommand } from '@robota-sdk/agent-shell';
import { literalOf } from '@robota-sdk/agent-shell';
import { type CommandPattern, commandPattern, firstWord } from './match-command.ts';
import type { Rule } from './policy/permission.ts';

/** A Bash rule with its parsed specifier. */
export interface CommandRule {
  readonly rule: Rule;
  readonly pattern: CommandPattern;
}

/** The Bash rules of a list, indexed by program name, so that most commands are compared with few of them. */
export class CommandRules {
  readonly #named = new Map<string, CommandRule[]>();
  readonly #open: CommandRule[] = [];

  constructor(rules: readonly Rule[]) {
    for (const entry of commandRulesOf(rules)) {
      const { name } = entry.pattern;
      if (name === undefined) this.#open.push(entry);
      else this.#named.set(name, [...(this.#named.get(name) ?? []), entry]);
    }
  }

  /** The rules whose first word may be the command's name. */
  for(command: SimpleCommand): readonly CommandRule[] {
    const first = command.words[0];
    const name = first === undefined ? undefined : literalOf(first);
    if (name === undefined || name === '') return [...this.#open, ...[...this.#named.values()].flat()];
    const [full, base] = [firstWord(name), firstWord(name.slice(name.lastIndexOf('/') + 1))];
    const named = [...(this.#named.get(full) ?? []), ...(base === full ? [] : (this.#named.get(base) ?? []))];
    return named.length === 0 ? this.#open : [...this.#open, ...named];
  }
}

/** The Bash rules of a list. */
export function commandRulesOf(rules: readonly Rule[]): CommandRule[] {
  return rules.flatMap((rule) => (rule.tool === 'Bash' ? [{ rule, pattern: patternOf(rule) }] : []));
}

const patterns = new WeakMap<Rule, CommandPattern>();

/** Cached, because rules outlive decisions. */
function patternOf(rule: Rule): CommandPattern {
  const known = patterns.get(rule) ?? commandPattern(rule.specifier);
  patterns.set(rule, known);
  return known;
}
