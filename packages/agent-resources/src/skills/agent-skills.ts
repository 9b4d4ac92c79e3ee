import type { TrustGate } from '@robota-sdk/agent-config';
import type { Workspace } from '@robota-sdk/agent-core';
import type { IAgentDefinition } from '../source/agent-definition.ts';
import { ActiveSkills } from './active-skills.ts';
import { renderSkill, skillBlock } from './render-skill.ts';
import type { Skill } from './skill.ts';

interface SkillContext {
  readonly workspace: Workspace;
  readonly trust: TrustGate | undefined;
}

/** The agent with the text of its skills in its prompt. Skills that cannot be read stay names, which it is told. */
export async function withSkills(
  agent: IAgentDefinition,
  skills: readonly Skill[],
  { workspace, trust }: SkillContext,
): Promise<IAgentDefinition> {
  if (agent.skills === undefined || agent.skills.length === 0) return agent;
  const [plugin] = agent.name.includes(':') ? agent.name.split(':') : [];
  const texts: string[] = [];
  const unread: string[] = [];
  const signal = new AbortController().signal;
  for (const name of agent.skills) {
    const names = [`${plugin}:${name}`, name];
    const skill = skills.find(
      (each) => names.includes(each.name) || names.includes(each.folderName ?? each.name),
    );
    const use = {
      args: '',
      workspace,
      host: undefined,
      signal,
      trust,
      active: new ActiveSkills({ workspace, trust }),
    };
    const rendered = skill && (await renderSkill({ ...use, skill }).catch(() => undefined));
    if (rendered) texts.push(skillBlock(rendered, ''));
    else unread.push(name);
  }
  return { ...agent, systemPrompt: [agent.systemPrompt, ...texts].join('\n\n'), skills: unread };
}
