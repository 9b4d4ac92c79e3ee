import path from 'node:path';
import { isInWorkspace, isWithin } from '@robota-sdk/agent-shell';
import type { PathProblem } from '../file/path-problem.ts';
import type { Access } from '../tool/access.ts';
import { allowedBy, askedBy, deniedBy } from './combine.ts';
import { matchPath, type PathReading } from './match-path.ts';
import { parseRule } from './parse-rule.ts';
import type { PermissionDecision, PermissionPolicy, Rule, RuleList } from './policy/permission.ts';
import { namesProtectedPart, protectedPart } from './protected-paths.ts';

/** An access to a path. */
export type PathAccess = Extract<Access, { path: string }>;

/** A path to judge, and the tool that requests it. */
export interface PathRequest {
  readonly tool: string;
  readonly access: PathAccess;
}

/** Problems that are denied here; others are left to the tool, which explains them better. */
const refusedProblems: Partial<Record<PathProblem, string>> = {
  InvalidPath: 'is not a path that can be used',
  OutsideWorkspace: 'leads to a place that is never opened',
  Sandboxed:
    'is closed to commands in the sandbox, and so to file tools. The user can grant it with --sandbox-read or --sandbox-write, or the settings sandbox.readable and sandbox.writable',
  TooDeep: 'lies in more than 256 nested directories',
};

const writeRules = ['Edit', 'Write'];

/** Judges one access to a path by rules and mode. */
export function decidePath(policy: PermissionPolicy, request: PathRequest): PermissionDecision {
  const { access } = request;
  const what = `${access.kind === 'write' ? 'Writing' : 'Reading'} ${access.path}`;
  // First, because rules of ignore files are looked up in every directory of a path.
  const refused = access.problem === undefined ? undefined : refusedProblems[access.problem];
  if (refused !== undefined)
    return { verdict: 'deny', reason: `${what} is refused: ${quoted(access.path)} ${refused}.` };
  const denied = pathRule('deny', policy, request);
  if (denied !== undefined) return deniedBy(denied, what);
  if (access.kind === 'write' && policy.mode === 'plan') {
    return {
      verdict: 'deny',
      mode: policy.mode,
      reason: `${what} is refused: plan mode never writes. Leave plan mode to change files.`,
    };
  }
  const asked = pathRule('ask', policy, request);
  if (asked !== undefined) return askedBy(asked, what);
  const allowed = pathRule('allow', policy, request);
  if (allowed !== undefined) return allowedBy(allowed, what);
  return access.kind === 'write' ? decideWriteByMode(policy, access) : decideReadByMode(policy, access);
}

/** The first rule of a list that covers an access to a path. */
export function pathRule(list: RuleList, policy: PermissionPolicy, request: PathRequest): Rule | undefined {
  const { access } = request;
  const hidden = list === 'deny' ? hiddenBy(policy, access) : undefined;
  if (hidden !== undefined) return hidden;
  const tools = toolsOf(list, request);
  return policy.rules[list].find(
    (rule) => tools.includes(rule.tool) && coversPath(rule, list, { policy, request }),
  );
}

/** The ignore file line that hides a path or its link target. */
function hiddenBy({ ignored }: PermissionPolicy, { path: asked, real }: PathAccess): Rule | undefined {
  return ignored?.ruleFor(asked) ?? (real === asked ? undefined : ignored?.ruleFor(real));
}

/** The rule for exactly this path; undefined if a rule would read the name as a pattern. */
function rulesForPath(
  policy: PermissionPolicy,
  access: PathAccess,
): { readonly wouldAllow?: readonly string[] } {
  const rule = ruleForPath(policy, access);
  const isClear = !/[*\n]|^\s|\s$/.test(access.real) && parseRule(rule, { source: 'suggestion' }).ok;
  return isClear ? { wouldAllow: [rule] } : {};
}

function ruleForPath(policy: PermissionPolicy, access: PathAccess): string {
  const tool = access.kind === 'write' ? 'Edit' : 'Read';
  const { cwd } = policy.workspace;
  if (policy.isElsewhere || !isWithin(cwd, access.real) || access.real === cwd)
    return `${tool}(/${access.real})`;
  const relative = path.posix.relative(cwd, access.real);
  return relative.includes('/') ? `${tool}(${relative})` : `${tool}(/${relative})`;
}

/** Tools whose rules apply: Edit and Write for writing; files that must not be read must not be written. */
function toolsOf(list: RuleList, { tool, access }: PathRequest): readonly string[] {
  if (access.kind !== 'write') return ['Read', tool];
  return list === 'deny' ? [...writeRules, 'Read', tool] : [...writeRules, tool];
}

function coversPath(
  rule: Rule,
  list: RuleList,
  { policy, request }: { policy: PermissionPolicy; request: PathRequest },
): boolean {
  if (rule.isIgnoreLine) return false;
  const { access } = request;
  const { workspace } = policy;
  const part = access.kind === 'write' && list === 'allow' ? protectedPart(access.real, policy) : undefined;
  if (rule.specifier === undefined) {
    const isFarWrite = access.kind === 'write' && list === 'allow' && !isInWorkspace(access.real, workspace);
    return part === undefined && !isFarWrite;
  }
  const specifier = rule.specifier;
  if (part !== undefined && !namesProtectedPart(specifier, part)) return false;
  const reading: PathReading = list === 'allow' ? 'strict' : 'wide';
  const files = list === 'allow' ? [access.real] : [access.path, access.real];
  return files.some((file) => matchPath(specifier, file, { workspace, reading }));
}

const isOutside = 'outside the workspace';

function decideReadByMode(policy: PermissionPolicy, access: PathAccess): PermissionDecision {
  if (isInWorkspace(access.real, policy.workspace)) {
    return { verdict: 'allow', reason: `${quoted(access.path)} lies in the workspace, which may be read.` };
  }
  if (policy.mode === 'bypassPermissions') return bypassed(`Reading ${access.path}`);
  if (access.kind === 'search' && isInWorkspace(access.path, policy.workspace)) {
    const reason = `OutsideWorkspace: ${quoted(access.path)}${leading(access)} lies outside the workspace. A search does not follow links out of it.`;
    return { verdict: 'deny', reason, brief: isOutside, ...rulesForPath(policy, access) };
  }
  return {
    verdict: 'ask',
    reason: `${quoted(access.path)}${leading(access)} lies outside the workspace, so reading it needs your confirmation.`,
    ...rulesForPath(policy, access),
  };
}

function decideWriteByMode(policy: PermissionPolicy, access: PathAccess): PermissionDecision {
  if (policy.mode === 'bypassPermissions') return bypassed(`Writing ${access.path}`);
  const wouldAllow = rulesForPath(policy, access);
  const part = protectedPart(access.real, policy) ?? protectedPart(access.path, policy);
  if (!isInWorkspace(access.real, policy.workspace)) {
    const reason = `OutsideWorkspace: ${quoted(access.path)}${leading(access)} lies outside the workspace, where nothing is written unless a rule or an added directory allows it.`;
    return { verdict: 'deny', reason, brief: isOutside, ...wouldAllow };
  }
  if (access.problem !== undefined) {
    return {
      verdict: 'allow',
      reason: `Left to the tool, which reports what is wrong with ${quoted(access.path)}.`,
    };
  }
  if (part !== undefined) {
    const reason = `${quoted(access.path)} is protected: ${part} decides ${isIgnoreFile(part) ? 'which files are hidden' : 'what programs run'}, so writing it needs your confirmation in every mode but bypassPermissions.`;
    return { verdict: 'ask', reason, ...wouldAllow, isProtected: true, isFinal: true };
  }
  if (policy.mode === 'acceptEdits') {
    return { verdict: 'allow', reason: `acceptEdits allows writing in the workspace.` };
  }
  return {
    verdict: 'ask',
    reason: `No rule allows edits to ${access.path}.`,
    ...wouldAllow,
  };
}

function isIgnoreFile(part: string): boolean {
  return part.endsWith('ignore') || part === '.aiexclude';
}

function bypassed(what: string): PermissionDecision {
  return { verdict: 'allow', reason: `${what} is allowed: bypassPermissions asks nothing.` };
}

function leading(access: PathAccess): string {
  return access.path === access.real ? '' : ` leads to ${access.real}, which`;
}

function quoted(file: string): string {
  return JSON.stringify(file);
}
