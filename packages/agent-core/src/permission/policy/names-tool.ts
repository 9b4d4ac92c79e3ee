import { matchGlob } from '@robota-sdk/agent-shell';
import type { Rule } from './permission.ts';

/** True if a rule is for a tool: by its name, as the rule writes it, by `mcp__server` or by a pattern. */
export function namesTool(rule: Pick<Rule, 'tool' | 'text'>, tool: string): boolean {
  const pattern = rule.tool;
  if (pattern.includes('*')) return matchGlob(pattern, tool);
  if (pattern === tool || (pattern.startsWith('mcp__') && tool.startsWith(`${pattern}__`))) return true;
  // An extension may bring a tool under a name that otherwise means one of ours.
  return rule.text.split('(', 1)[0] === tool;
}
