import { matchGlob } from '@robota-sdk/agent-shell';
import { allowedBy, askedBy, deniedBy } from './combine.ts';
import { namesTool } from './policy/names-tool.ts';
import type { PermissionDecision, PermissionPolicy, PermissionRules, Rule } from './policy/permission.ts';

/** A named agent or skill, and the tool that uses it. */
export interface UseRequest {
  readonly tool: string;
  readonly name: string;
}

/** Judges the use of an agent or a skill by rules such as `Agent(Explore)`; undefined if no rule names it. */
export function decideUse(
  { rules }: PermissionPolicy,
  { tool, name }: UseRequest,
): PermissionDecision | undefined {
  const find = (list: keyof PermissionRules) =>
    rules[list].find((rule) => namesTool(rule, tool) && coversName(rule, { name, list }));
  const what = `${tool} ${name}`;
  const denied = find('deny');
  if (denied !== undefined) return deniedBy(denied, what);
  const asked = find('ask');
  if (asked !== undefined) return askedBy(asked, what);
  const allowed = find('allow');
  return allowed && allowedBy(allowed, what);
}

/** True if one of these deny rules names the agent, skill or other named thing that a tool uses. */
export function deniesUse(deny: readonly Rule[], { tool, name }: UseRequest): boolean {
  return deny.some((rule) => namesTool(rule, tool) && coversName(rule, { name, list: 'deny' }));
}

/** Agents match in any case and skills without their plugin's name, so deny and ask rules must too. */
function coversName(
  { specifier }: Rule,
  { name, list }: { readonly name: string; readonly list: keyof PermissionRules },
): boolean {
  if (specifier === undefined) return false;
  const patterns = patternsIn(specifier);
  if (list === 'allow') return patterns.some((pattern) => matchGlob(pattern, name));
  const used = name.toLowerCase();
  return patterns
    .map((pattern) => pattern.toLowerCase())
    .some((guarded) => matchGlob(guarded, used) || used.endsWith(`:${guarded}`));
}

/** `/review`, `review *` and `review:*` are the skill `review` with any arguments; the last may also be a plugin. */
function patternsIn(specifier: string): readonly string[] {
  const written = specifier.replace(/^\/(?:skill:)?/, '');
  return [written, written.replace(/(?<=.)(?: \*|:\*)$/, '')];
}
