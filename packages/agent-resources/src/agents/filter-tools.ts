import { type AnyTool, isMcpGateway, listNames, parseRule, splitRules } from '@robota-sdk/agent-core';
import type { IAgentDefinition } from '../source/agent-definition.ts';

/** Tools that no subagent has: it cannot start agents or ask the user. */
const neverNested: ReadonlySet<string> = new Set(['Agent', 'AskUser', 'ExitPlanMode']);

/**
 * The tools of an agent: without disallowed ones, then only allowed ones, never those that nest. Rules in parentheses,
 * as in `Bash(git *)`, are judged with each call.
 */
export function filterTools<T extends Pick<AnyTool, 'name'>>(
  tools: readonly T[],
  {
    tools: allowed,
    disallowedTools = [],
    skills = [],
  }: Pick<IAgentDefinition, 'tools' | 'disallowedTools' | 'skills'>,
): readonly T[] {
  const denied = new Set(
    disallowedTools
      .filter((rule) => !isOfCalls(rule))
      .flatMap((rule) => splitRules(rule))
      .map(bareName),
  );
  const kept =
    allowed && !allowed.includes('*')
      ? new Set([...allowed.map(bareName), ...(skills.length > 0 ? ['skill'] : [])])
      : undefined;
  return tools.filter(({ name }) => {
    const bare = name.toLowerCase();
    const isKept = !kept || listNames(kept, bare) || isMcpGateway(kept, bare);
    return isKept && !listNames(denied, bare) && !neverNested.has(name);
  });
}

/** Tells an agent to read its skills first. */
export function skillsNote(
  { skills = [] }: Pick<IAgentDefinition, 'skills'>,
  tools: readonly Pick<AnyTool, 'name'>[],
): readonly string[] {
  if (skills.length === 0 || !tools.some(({ name }) => name === 'Skill')) return [];
  return [`Before you begin, read these skills with the Skill tool: ${skills.join(', ')}.`];
}

/** The tool of a rule such as `Bash(git *)`; dialects differ in case. */
export function bareName(rule: string): string {
  return (rule.split('(')[0] ?? '').trim().toLowerCase();
}

/** A malformed call rule applies to every tool that it names, so that it never disallows nothing. */
function isOfCalls(rule: string): boolean {
  return parseRule(rule.trim(), { source: '' }).ok && rule.includes('(');
}
