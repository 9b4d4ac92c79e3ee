import { AgentError, type Command, type CommandOutcome } from '@robota-sdk/agent-core';
import type { InteractiveSession } from '../interactive-session.ts';
import { subagentHost } from '../subagents/subagent-host.ts';
import { adjustSession } from './adjust-session.ts';
import { renderSkill, skillBlock } from './render-skill.ts';
import { runSkillAgent, type SkillAgentUse } from './run-skill-agent.ts';
import type { Skill } from './skill.ts';
import type { SkillParts } from './skills-extension.ts';

/** A skill as the command by which a person uses it: `/name`, or `/skill:name`. */
export function skillCommand(skill: Skill, parts: SkillParts): Command<InteractiveSession> {
  const { name, plugin, argumentHint } = skill;
  const short = plugin === undefined ? [] : [name.slice(plugin.length + 1)];
  return {
    name,
    description: skill.description,
    aliases: [`skill:${name}`, ...short, ...short.map((each) => `skill:${each}`)],
    ...(argumentHint === undefined ? {} : { argumentHint }),
    run: async (args, { session, signal }) => {
      const host = session.getSession().state.get(subagentHost).current;
      if (!host) throw new AgentError('session', 'Skills need a session that is made by createSession.');
      const workspace = host.options.workspace ?? parts.workspace;
      const use: SkillAgentUse = { ...parts, skill, args, host, workspace, signal };
      session.emit('skill_activation', { skill: name, path: skill.path, by: 'user' });
      return skill.context === 'inline' ? promptOf(use) : reportOf(use);
    },
  };
}

async function promptOf(use: SkillAgentUse): Promise<CommandOutcome> {
  const { args, host, active } = use;
  const rendered = await renderSkill(use);
  const { skill } = rendered;
  const restore = await adjustSession(skill, host);
  const end = active.begin(skill);
  return {
    kind: 'prompt',
    text: skillBlock(rendered, args),
    ...(skill.maxTurns === undefined ? {} : { maxTurns: skill.maxTurns }),
    after: async () => {
      end();
      await restore();
    },
  };
}

async function reportOf(use: SkillAgentUse): Promise<CommandOutcome> {
  const { text, outcome, agentId, transcriptPath } = await runSkillAgent(use);
  if (outcome.status !== 'completed') return { kind: 'error', text };
  const transcript = transcriptPath === undefined ? {} : { transcriptPath };
  return { kind: 'notice', text, data: { skill: use.skill.name, agentId, ...transcript } };
}
