import type { TrustGate } from '@robota-sdk/agent-config';
import { type Command, type Extension, type Rule, shorten, type Workspace } from '@robota-sdk/agent-core';
import { folderTitle } from '../files/folder-title.ts';
import type { ResourceHost } from '../source/resource-host.ts';
import { subagentHost } from '../source/subagent-host.ts';
import { ActiveSkills } from './active-skills.ts';
import { skillsOfFiles } from './file-skills.ts';
import type { LoadedSkills } from './load-skills.ts';
import type { Skill } from './skill.ts';
import { skillTool } from './skill-tool.ts';
import { skillsCommand } from './skills-command.ts';

export interface SkillsOptions {
  readonly workspace: Workspace;
  /** The trust decision about a repository's skills; without it nothing of them runs. */
  readonly trust: TrustGate | undefined;
  /** Rules such as `Skill(deploy)` prevent the model from using a skill. */
  readonly deny?: readonly Rule[];
}

/** Services shared by the tool and the commands. */
export interface SkillServices extends SkillsOptions {
  readonly skills: readonly Skill[];
  readonly active: ActiveSkills;
}

/** The skills as extensions: the tool for the model and `/skills` in one, then for each folder the commands of its skills. */
export function skillExtensions(
  loaded: LoadedSkills,
  options: SkillsOptions,
): readonly Extension<ResourceHost>[] {
  const { skills } = loaded;
  const parts: SkillServices = { ...options, skills, active: new ActiveSkills(options) };
  const forModel = skills.filter((skill) => skill.isModelInvocable && !isDenied(skill, options.deny));
  const common: Extension<ResourceHost> = {
    name: 'skills',
    setup: (host) => {
      host.command(skillsCommand(loaded));
      if (forModel.length > 0) host.tool(skillTool(forModel, parts));
      const forFiles = forModel.filter(({ paths }) => paths !== undefined);
      if (forFiles.length > 0) host.hook('tool-after', skillsOfFiles(forFiles, options.workspace));
      if (skills.length > 0) host.hook('tool-before', parts.active.toolBefore);
      if (skills.some(({ maxTurns }) => maxTurns !== undefined))
        host.hook('request-before', parts.active.requestBefore);
    },
  };
  const byFolder = new Map<string, Skill[]>();
  for (const skill of skills.filter(({ isUserInvocable }) => isUserInvocable))
    byFolder.set(skill.folder, [...(byFolder.get(skill.folder) ?? []), skill]);
  return [common, ...[...byFolder.values()].map((each) => commandsOf(each, parts))];
}

function commandsOf(skills: readonly Skill[], parts: SkillServices): Extension<ResourceHost> {
  const [first] = skills;
  return {
    name: `skills in ${first ? folderTitle({ ...first, path: first.folder }, parts.workspace) : ''}`,
    setup: (host) => {
      for (const skill of skills) host.command(skillCommand(skill, parts));
    },
  };
}

/** True if a rule names a skill: by its name, with or without arguments, or by a beginning. */
function isDenied({ name }: Skill, rules: readonly Rule[] = []): boolean {
  return rules.some(({ tool, specifier }) => {
    if (tool !== 'Skill' || specifier === undefined) return false;
    const pattern = specifier.replace(/(?::| )\*$/, '');
    return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
  });
}

/** The slash command of a skill: `/name`, or `/skill:name`. */
function skillCommand(skill: Skill, parts: SkillServices): Command<ResourceHost> {
  const { name, folderName, plugin, argumentHint } = skill;
  const short = plugin === undefined ? [] : [name.slice(plugin.length + 1)];
  return {
    name,
    // Descriptions are written for models; lists show one line.
    description: shorten(skill.description, 160),
    aliases: [
      `skill:${name}`,
      ...(folderName === undefined ? [] : [folderName, `skill:${folderName}`]),
      ...short,
      ...short.map((each) => `skill:${each}`),
    ],
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
