import { dirname } from 'node:path';
import type { TrustGate } from '@robota-sdk/agent-config';
import type { Command, CommandContext, CommandOutcome } from '@robota-sdk/agent-core';
import { describeProblem, given, givenFields, isProblem } from '@robota-sdk/agent-core';
import type { ActiveSkills } from '../skills/active-skills.ts';
import { adjustSession } from '../skills/adjust-session.ts';
import { templateInput } from '../skills/render-skill.ts';
import type { Skill } from '../skills/skill.ts';
import { withTrustedModel } from '../skills/skill-trust.ts';
import type { ResourceHost } from '../source/resource-host.ts';
import { subagentHost } from '../source/subagent-host.ts';
import { expandTemplate, withArguments } from '../template/expand-template.ts';
import { shortName } from './command-name.ts';
import type { FoundCommand } from './find-command-files.ts';
import { type CommandFile, readCommandFile } from './read-command-file.ts';

/** Services shared by all file commands. */
export interface FileCommandServices {
  readonly trust: TrustGate | undefined;
  /** The tool lists of active commands; a command counts as a skill here. */
  readonly active: ActiveSkills;
}

/** Creates a command from a file. Its text is read on each use, so that changes take effect immediately. */
export function fileCommand(
  found: FoundCommand,
  { description, argumentHint }: Pick<CommandFile, 'description' | 'argumentHint'>,
  parts: FileCommandServices,
): Command<ResourceHost> {
  const short = shortName(found.name);
  return {
    name: found.name,
    description,
    ...given('aliases', short === undefined ? undefined : [short]),
    ...given('argumentHint', argumentHint),
    run: async (args, context) => {
      const file = await readCommandFile(found);
      if (isProblem(file)) return { kind: 'error', text: describeProblem(file) };
      return promptOf(file, { ...parts, args, context, skill: asSkill(file, found) });
    },
  };
}

/** A command as the skill that it could be. */
export function asSkill(
  { description, allowedTools, restrictsTools, model }: CommandFile,
  { name, path, folder }: FoundCommand,
): Skill {
  return {
    // Lists show it next to skills, so the slash distinguishes them.
    name: `/${name}`,
    description,
    path,
    directory: dirname(path),
    defaultName: name,
    folder: folder.path,
    ...(folder.dialect === 'claude' || folder.plugin !== undefined ? { countsFromZero: true } : {}),
    scope: folder.scope,
    isUserInvocable: true,
    isModelInvocable: false,
    context: 'inline',
    ...givenFields({
      allowedTools,
      restrictsTools,
      model,
      plugin: folder.plugin,
      pluginRoot: folder.pluginRoot,
    }),
  };
}

interface Invocation extends FileCommandServices {
  readonly skill: Skill;
  readonly args: string;
  readonly context: CommandContext<ResourceHost>;
}

async function promptOf(file: CommandFile, invocation: Invocation): Promise<CommandOutcome> {
  const { skill, args, context, active } = invocation;
  const { session, signal } = context;
  const host = session.getSession().state.get(subagentHost);
  const { workspace = { cwd: process.cwd(), additional: [], home: '' } } = host.options;
  const input = {
    ...templateInput(file.body, { ...invocation, host, workspace, signal }),
    argumentNames: file.argumentNames,
  };
  const text = withArguments(await expandTemplate(file.body, input), args);
  // File mentions are expanded before command output is inserted, so output never names files.
  const own = withArguments(await expandTemplate(file.body, { ...input, runShell: async () => '' }), args);
  const { attachments, notices } = await host.expandMentions(session, own, signal);
  for (const notice of notices) session.getSession().notify({ level: 'warning', text: notice });
  const notify = (notice: string) => session.getSession().notify({ level: 'warning', text: notice });
  const restore = await adjustSession(withTrustedModel(skill, invocation.trust, notify), host);
  const end = active.begin(skill);
  return {
    kind: 'prompt',
    text,
    ...(attachments.length > 0 ? { attachments } : {}),
    after: async () => {
      end();
      await restore();
    },
  };
}
