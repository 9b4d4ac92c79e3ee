import type { Workspace } from '@robota-sdk/agent-shell';
import type { Access } from '../tool/access.ts';
import { decide } from './decide.ts';
import { hostFiles } from './host-files.ts';
import { namesTool } from './policy/names-tool.ts';
import type { PermissionPolicy, PermissionRequest, Rule } from './policy/permission.ts';

/** The result of matching a rule. `maybe`: the call cannot be parsed well enough. */
export type RuleMatch = 'yes' | 'maybe' | 'no';

/**
 * Compares a call with a deny or ask rule: one matching simple command or path is enough, and an unreadable part is a
 * `maybe`.
 */
export async function matchCall(
  rule: Rule,
  request: PermissionRequest,
  workspace: Workspace,
): Promise<RuleMatch> {
  const policy = policyOf('ask', rule, workspace);
  if (request.access.length === 0) return matchAccess(policy, rule, request);
  const matches = await Promise.all(
    request.access.map((access) => matchAccess(policy, rule, { ...request, access: [access] })),
  );
  return matches.find((match) => match === 'yes') ?? matches.find((match) => match === 'maybe') ?? 'no';
}

async function matchAccess(
  policy: PermissionPolicy,
  rule: Rule,
  request: PermissionRequest,
): Promise<RuleMatch> {
  const isNamed = namesTool(rule, request.tool);
  const [access] = request.access;
  if (access?.kind === 'run') {
    if (!isNamed) return 'no';
    return rule.specifier === undefined ? 'yes' : matchCommand(policy, access);
  }
  const decision = await decide(policy, request);
  if (decision.rule === rule) return 'yes';
  return decision.verdict === 'deny' && isNamed ? 'maybe' : 'no';
}

/** True if a rule covers the whole call, as an allow rule has to. */
export async function coversCall(
  rule: Rule,
  request: PermissionRequest,
  workspace: Workspace,
): Promise<boolean> {
  const decision = await decide(policyOf('allow', rule, workspace), request);
  return decision.verdict === 'allow' && decision.rule === rule;
}

function policyOf(list: 'allow' | 'ask', rule: Rule, workspace: Workspace): PermissionPolicy {
  const rules = { allow: [], ask: [], deny: [], [list]: [rule] };
  return { mode: 'default', rules, workspace, files: hostFiles };
}

async function matchCommand(
  policy: PermissionPolicy,
  { command, cwd }: Extract<Access, { kind: 'run' }>,
): Promise<RuleMatch> {
  const { readScript } = await import('./decide-command.ts');
  const { placeCommands } = await import('@robota-sdk/agent-shell');
  const { scriptHit } = await import('./match-script.ts');
  const script = await readScript(command);
  const hit = scriptHit('ask', policy, placeCommands(script, policy, cwd));
  if (hit?.certainty === 'hit') return 'yes';
  return hit !== undefined || script.doubts.length > 0 ? 'maybe' : 'no';
}
