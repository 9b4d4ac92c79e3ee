import { AgentError, didYouMean, jsonSchema, type Tool } from '@robota-sdk/agent-core';
import { subagentHost } from '../source/subagent-host.ts';
import type { Skill } from './skill.ts';
import { skillSection } from './skill-section.ts';
import type { SkillServices } from './skills-extension.ts';

interface SkillInput {
  readonly skill: string;
  readonly args?: string;
}

/** The tool by which a model reads a skill, or has it done by an agent. */
export function skillTool(skills: readonly Skill[], parts: SkillServices): Tool<SkillInput> {
  return {
    name: 'Skill',
    description:
      'Use a skill: returns its instructions, or the result where the skill is done by an agent of its own.',
    promptSection: skillSection(skills.filter(({ paths }) => paths === undefined)),
    input: jsonSchema<SkillInput>({
      type: 'object',
      properties: {
        skill: { type: 'string', description: 'The name of an available skill' },
        args: { type: 'string', description: 'Arguments, as they would be typed' },
      },
      required: ['skill'],
    }),
    execution: 'sequential',
    paged: true,
    access: ({ skill }) => [{ kind: 'use', name: nameIn(skill) }],
    execute: async ({ skill: name, args = '' }, context) => {
      const { useInCall } = await import('./use-skill.ts');
      const host = context.state.peek(subagentHost);
      const { signal, workspace } = context;
      const skill = findSkill(name, skills, parts.skills);
      return useInCall({ ...parts, skill, args, host, signal, workspace }, context);
    },
  };
}

/** The skill of a name, also without the name of its plugin or with a slash before it. */
function findSkill(written: string, skills: readonly Skill[], all: readonly Skill[]): Skill {
  const name = nameIn(written);
  const short = skills.filter((each) => each.name.endsWith(`:${name}`));
  const found =
    skills.find((each) => each.name === name) ??
    skills.find((each) => each.folderName === name) ??
    (short.length === 1 ? short[0] : undefined);
  if (found) return found;
  if (all.some((each) => each.name === name))
    throw new AgentError('tool', `Only the user may use the skill "${name}", by /${name}.`);
  const names = skills.map((each) => each.name);
  const hint = didYouMean(name, names) ?? `Available: ${names.join(', ')}.`;
  throw new AgentError('tool', `Unknown skill "${name}". ${hint}`);
}

function nameIn(written: string): string {
  return written.trim().replace(/^\/(?:skill:)?/, '');
}
