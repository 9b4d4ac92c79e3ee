import { type Command, shorten } from '@robota-sdk/agent-core';
import type { ResourceHost } from '../source/resource-host.ts';
import { subagentHost } from '../source/subagent-host.ts';
import type { Skill } from './skill.ts';
import type { SkillServices } from './skills-extension.ts';

/** The slash command of a skill: `/name`, or `/skill:name`. */
export function skillCommand(skill: Skill, parts: SkillServices): Command<ResourceHost> {
  const { name, plugin, argumentHint } = skill;
  const short = plugin === undefined ? [] : [name.slice(plugin.length + 1)];
  return {
    name,
    // Descriptions are written for models; lists show one line.
    description: shorten(skill.description, 160),
    aliases: [`skill:${name}`, ...short, ...short.map((each) => `skill:${each}`)],
    ...(argumentHint === undefined ? {} : { argumentHint }),
    run: async (args, { session, signal }) => {
      const host = session.getSession().state.get(subagentHost);
      const workspace = host.options.workspace ?? parts.workspace;
      session.publish({ type: 'skill-start', skill: name, path: skill.path, by: 'user' });
      const { useByCommand } = await import('./use-skill.ts');
      return useByCommand({ ...parts, skill, args, host, workspace, signal });
    },
  };
}
