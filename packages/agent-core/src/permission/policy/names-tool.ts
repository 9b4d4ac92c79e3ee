import { matchGlob } from '@robota-sdk/agent-shell';
import type { Rule } from './permission.ts';

/** True if a rule applies to a tool: by its name, as the rule writes it, by `mcp__server` or by a pattern. */
export function namesTool(rule: Pick<Rule, 'tool' | 'text'>, tool: string): boolean {
  const pattern = rule.tool;
  if (pattern.includes('*')) return matchGlob(pattern, tool);
  if (pattern === tool || (pattern.startsWith('mcp__') && tool.startsWith(`${pattern}__`))) return true;
  // An extension may add a tool under a name that is otherwise an alias of a built-in one.
  return rule.text.split('(', 1)[0] === tool;
}
