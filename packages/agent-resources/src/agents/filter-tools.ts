import { type AnyTool, isMcpGateway, listNames, parseRule } from '@robota-sdk/agent-core';
import type { IAgentDefinition } from '../source/agent-definition.ts';

/** Tools that no subagent has: it starts no others and cannot ask the user. */
const neverNested: ReadonlySet<string> = new Set(['Agent', 'AskUser', 'ExitPlanMode']);

/**
 * The tools an agent has: without the disallowed ones, then only the allowed ones, never those that nest. What is said in
 * parentheses, as in `Bash(git *)`, is judged with each call.
 */
export function filterTools<T extends Pick<AnyTool, 'name'>>(
  tools: readonly T[],
  { tools: allowed, disallowedTools = [] }: Pick<IAgentDefinition, 'tools' | 'disallowedTools'>,
): readonly T[] {
  const denied = new Set(disallowedTools.filter((rule) => !isOfCalls(rule)).map(bareName));
  const kept = allowed && !allowed.includes('*') ? new Set(allowed.map(bareName)) : undefined;
  return tools.filter(({ name }) => {
    const bare = name.toLowerCase();
    const isKept = !kept || listNames(kept, bare) || isMcpGateway(kept, bare);
    return isKept && !listNames(denied, bare) && !neverNested.has(name);
  });
}

/** A rule such as `Bash(git *)` names its tool before the parenthesis; dialects differ in capitals. */
export function bareName(rule: string): string {
  return (rule.split('(')[0] ?? '').trim().toLowerCase();
}

/** A malformed call rule counts for the whole tool, so that it never disallows nothing. */
function isOfCalls(rule: string): boolean {
  return parseRule(rule.trim(), { source: '' }).ok && rule.includes('(');
}
