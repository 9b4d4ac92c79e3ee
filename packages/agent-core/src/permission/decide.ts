import type { Access } from '../tool/access.ts';
import { allowedBy, askedBy, deniedBy, strictest } from './combine.ts';
import { decideFetch } from './decide-fetch.ts';
import { decidePath } from './decide-path.ts';
import { decideUse } from './decide-use.ts';
import { builtInTools, isUnanchored } from './parse-rule.ts';
import { namesTool } from './policy/names-tool.ts';
import type {
  PermissionDecision,
  PermissionPolicy,
  PermissionRequest,
  Rule,
  RuleList,
} from './policy/permission.ts';
import { posixView } from './policy/posix-view.ts';

/** Built-in tools declare every access, so a call without one touches nothing. */
const ownTools: ReadonlySet<string> = new Set(builtInTools);

/**
 * The one permission decision: deny rules, then ask rules, then allow rules, then the mode. It changes nothing.
 * Asynchronous because the shell parser is loaded with the first command, and because git is asked for tracked files.
 */
export async function decide(
  givenPolicy: PermissionPolicy,
  givenRequest: PermissionRequest,
): Promise<PermissionDecision> {
  const { policy, request } = posixView(givenPolicy, givenRequest);
  const denied = toolRule('deny', policy, request);
  if (denied !== undefined) return deniedBy(denied, request.tool);
  const decided = await decideAccesses(policy, request);
  if (decided.verdict === 'deny') return decided;
  const unclear = unclearRule(policy, request);
  if (unclear !== undefined) {
    return {
      verdict: 'ask',
      isFinal: true,
      rule: unclear,
      reason: `${unclear.text} can't be compared with a call of ${request.tool}.`,
    };
  }
  if (decided.verdict === 'ask' && decided.rule !== undefined) return decided;
  const asked = toolRule('ask', policy, request);
  if (asked !== undefined) return askedBy(asked, request.tool);
  if (decided.verdict === 'allow') return decided;
  const allowed = toolRule('allow', policy, request);
  return allowed === undefined ? decided : allowedBy(allowed, request.tool);
}

async function decideAccesses(
  policy: PermissionPolicy,
  request: PermissionRequest,
): Promise<PermissionDecision> {
  const decisions = await Promise.all(
    request.access.map((access) => decideAccess(policy, request.tool, access)),
  );
  return strictest(decisions) ?? decideWithoutAccess(policy, request.tool);
}

async function decideAccess(
  policy: PermissionPolicy,
  tool: string,
  access: Access,
): Promise<PermissionDecision> {
  if (access.kind === 'run') {
    // The shell parser is loaded with the first command.
    const { decideCommand } = await import('./decide-command.ts');
    return decideCommand(policy, access);
  }
  if (access.kind === 'fetch') return decideFetch(policy, { tool, url: access.url });
  if (access.kind === 'use')
    return decideUse(policy, { tool, name: access.name }) ?? decideWithoutAccess(policy, tool);
  return decidePath(policy, { tool, access });
}

/** A call without declared accesses: harmless for built-in tools, otherwise judged by the mode alone. */
function decideWithoutAccess({ mode, rules }: PermissionPolicy, tool: string): PermissionDecision {
  if (ownTools.has(tool))
    return { verdict: 'allow', reason: `This call of ${tool} touches neither files nor commands.` };
  const allowed = rules.allow.find(
    (rule) => rule.specifier === undefined && namesTool(rule, tool) && !isUnanchored(rule.tool),
  );
  if (allowed !== undefined) return allowedBy(allowed, tool);
  if (mode === 'bypassPermissions') {
    return { verdict: 'allow', reason: `${tool} is allowed: bypassPermissions asks nothing.` };
  }
  const what = `The effects of ${tool} are unknown`;
  if (mode === 'plan')
    return { verdict: 'deny', mode, reason: `${what}, and plan mode only reads.`, wouldAllow: [tool] };
  return { verdict: 'ask', reason: `${what}, and no rule allows it.`, wouldAllow: [tool] };
}

/** A rule for the whole tool: by name, by `mcp__server` or by a pattern. */
function toolRule(list: RuleList, { rules }: PermissionPolicy, request: PermissionRequest): Rule | undefined {
  return rules[list].find((rule) => {
    if (rule.specifier !== undefined || !namesTool(rule, request.tool)) return false;
    return list !== 'allow' || (!isUnanchored(rule.tool) && !judgesByAccess(request.tool));
  });
}

/** A deny or ask rule with a specifier, for a tool that declares nothing to compare it with. */
function unclearRule({ rules }: PermissionPolicy, { tool, access }: PermissionRequest): Rule | undefined {
  if (access.length > 0 || ownTools.has(tool)) return undefined;
  return [...rules.deny, ...rules.ask].find((rule) => rule.specifier !== undefined && namesTool(rule, tool));
}

/** True for built-in tools whose allow rules are matched with their accesses. */
function judgesByAccess(tool: string): boolean {
  return ['Bash', 'Edit', 'Glob', 'Grep', 'Read', 'WebFetch', 'Write'].includes(tool);
}
