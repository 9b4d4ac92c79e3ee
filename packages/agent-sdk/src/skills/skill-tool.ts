import { AgentError, jsonSchema, nearest, type Tool, textOutput } from '@robota-sdk/agent-core';
import { limitText } from '@robota-sdk/agent-tools';
import { type SubagentHost, subagentHost } from '../subagents/subagent-host.ts';
import { adjustSession } from './adjust-session.ts';
import { renderSkill, skillBlock } from './render-skill.ts';
import { runSkillAgent } from './run-skill-agent.ts';
import type { Skill } from './skill.ts';
import { skillSection } from './skill-section.ts';
import type { SkillParts } from './skills-extension.ts';

interface SkillInput {
  readonly skill: string;
  readonly args?: string;
}

/** Instructions are only of use whole, so they may be longer than other results. */
const textLimit = 100_000;

/** The tool by which a model reads a skill, or has it done by an agent. */
export function skillTool(skills: readonly Skill[], parts: SkillParts): Tool<SkillInput> {
  return {
    name: 'Skill',
    description:
      'Use a skill: returns its instructions, or the result where the skill is done by an agent of its own.',
    promptSection: skillSection(skills),
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
    access: () => [],
    execute: async ({ skill: name, args = '' }, context) => {
      const host = context.state.get(subagentHost).current;
      const { signal, workspace } = context;
      const use = { ...parts, skill: findSkill(name, skills, parts.skills), args, host, signal, workspace };
      if (host && use.skill.context !== 'inline') {
        const { text, outcome } = await runSkillAgent({ ...use, host, progress: context.progress });
        return textOutput(text, { isError: outcome.status !== 'completed' });
      }
      const rendered = await renderSkill(use);
      parts.active.join(rendered.skill, signal);
      if (host) await adjustUntilEnd(rendered.skill, host);
      const block = skillBlock(rendered, args);
      const { outputDir, callId } = context;
      return textOutput((await limitText(block, { outputDir, name: callId, limit: textLimit })).text);
    },
  };
}

/** The skill of a name, also without the name of its plugin or with a slash before it. */
function findSkill(written: string, skills: readonly Skill[], all: readonly Skill[]): Skill {
  const name = written.trim().replace(/^\/(?:skill:)?/, '');
  const short = skills.filter((each) => each.name.endsWith(`:${name}`));
  const found = skills.find((each) => each.name === name) ?? (short.length === 1 ? short[0] : undefined);
  if (found) return found;
  if (all.some((each) => each.name === name))
    throw new AgentError('tool', `Only the user may use the skill "${name}", by /${name}.`);
  const names = skills.map((each) => each.name);
  const [near] = nearest(name, names);
  const hint = near === undefined ? `There are ${names.join(', ')}.` : `Did you mean ${near}?`;
  throw new AgentError('tool', `There is no skill "${name}". ${hint}`);
}

/** The run goes on with the model and effort of the skill. */
async function adjustUntilEnd(skill: Skill, host: SubagentHost): Promise<void> {
  if (skill.model === undefined && skill.effort === undefined) return;
  const restore = await adjustSession(skill, host);
  const stop = host.session.subscribe(async (event) => {
    if (event.type !== 'run-end') return;
    stop();
    await restore();
  });
}
