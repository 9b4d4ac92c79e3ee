import type { TrustGate } from '@robota-sdk/agent-config';
import { type HookGroup, parseHooks, trustedGroups } from '@robota-sdk/agent-config';
import { describeProblem, type Problem } from '@robota-sdk/agent-core';
import { hookInstaller } from '../source/hook-installer.ts';
import type { SubagentHost } from '../source/subagent-host.ts';
import type { Skill } from './skill.ts';

/** Installs the hooks of a skill, those of a repository if they are trusted; the returned function removes them. */
export function installHooks(
  skill: Skill,
  { host, trust }: { readonly host: SubagentHost; readonly trust: TrustGate | undefined },
): () => void {
  if (skill.hooks === undefined) return () => {};
  const problems: Problem[] = [];
  const groups = hookGroups(skill, problems);
  for (const problem of problems) host.session.notify({ level: 'warning', text: describeProblem(problem) });
  const usable = skill.scope !== 'project' ? groups : trust ? trustedGroups(groups, trust) : [];
  return host.session.state.peek(hookInstaller)?.install(usable) ?? (() => {});
}

/** The hooks of a skill. */
export function hookGroups({ hooks, path }: Pick<Skill, 'hooks' | 'path'>, problems: Problem[]): HookGroup[] {
  return parseHooks(hooks, { source: path, problems }).map((group) => ({ ...group, isTemporary: true }));
}
