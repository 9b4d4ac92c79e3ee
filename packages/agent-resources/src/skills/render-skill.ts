import type { TrustGate } from '@robota-sdk/agent-config';
import { AgentError, type Authorizer, type Workspace } from '@robota-sdk/agent-core';
import type { SubagentHost } from '../source/subagent-host.ts';
import { expandTemplate, type TemplateInput } from '../template/expand-template.ts';
import { mayEvaluate } from '../template/fill-command.ts';
import { revealText } from '../template/hidden-text.ts';
import type { ActiveSkills } from './active-skills.ts';
import { readSkill } from './read-skill.ts';
import { notRun, refuseSnippet, runSnippet } from './run-snippet.ts';
import type { Skill } from './skill.ts';
import { commandsIn } from './skill-drafts.ts';
import { mayRunSnippet, skillLabel, withTrustedModel } from './skill-trust.ts';

/** A skill that is to be used now. */
export interface SkillUse {
  /** As at the start of the session; its file is read again. */
  readonly skill: Skill;
  /** The text after its name. */
  readonly args: string;
  readonly workspace: Workspace;
  /** The session that uses it. A subagent has none and runs no commands of skills. */
  readonly host: SubagentHost | undefined;
  readonly signal: AbortSignal;
  readonly trust: TrustGate | undefined;
  readonly active: ActiveSkills;
}

/** A skill as its file is now, with its template expanded. */
export interface RenderedSkill {
  readonly skill: Skill;
  readonly text: string;
}

/** Reads a skill and fills its text: first its own commands are run, then variables and arguments are put in. */
export async function renderSkill(use: SkillUse): Promise<RenderedSkill> {
  const { skill: listed } = use;
  const read = await readSkill(listed);
  if (!read.skill) {
    const [problem] = read.problems;
    throw new AgentError('tool', problem?.message ?? `${listed.path} is no longer a skill.`, problem);
  }
  const notify = (text: string) => use.host?.session.notify({ level: 'warning', text });
  const skill = withTrustedModel({ ...read.skill, name: listed.name }, use.trust, notify);
  const { text } = await expandTemplate(read.body, templateInput(read.body, { ...use, skill }));
  return { skill, text: revealText(text).text.trim() };
}

/** Values for a skill's template: arguments, variables, and the output of its commands if they may run. */
export function templateInput(body: string, use: SkillUse): TemplateInput {
  const { skill, args } = use;
  const written = commandsIn(body);
  const variables = variablesOf(use);
  let index = 0;
  return {
    arguments: args,
    countsFromZero: skill.countsFromZero,
    argumentNames: skill.argumentNames,
    variables,
    // Trust depends on the text in the file, from which the command differs.
    runShell: (command) => runTrusted({ command, written: written[index++] ?? '', variables }, use),
  };
}

/** A skill as a block of a conversation, with the request. */
export function skillBlock({ skill, text }: RenderedSkill, args: string): string {
  const { name, path, directory } = skill;
  const body = text.replace(/<(?=\/skill\b)/gi, '&lt;');
  const asked = args.trim() === '' ? '' : ` Arguments: ${args.trim()}`;
  return `<skill name="${name}" location="${path.replaceAll('"', '&quot;')}">\nPaths in it begin in ${directory}.\n\n${body}\n</skill>\n\nFollow the skill "${name}".${asked}`;
}

interface SkillCommand {
  readonly command: string;
  /** As in the file. */
  readonly written: string;
  readonly variables: Readonly<Record<string, string>>;
}

async function runTrusted({ command, written, variables }: SkillCommand, use: SkillUse): Promise<string> {
  const { skill, args, host, workspace, signal, trust, active } = use;
  if (!host)
    return notRun(command, 'agents do not run the commands of skills. Run it yourself if you need it.');
  const asker = `The ${skillLabel(skill.name)}`;
  const env = { ...variables, ARGUMENTS: args.trim() };
  const snippet = { command, asker, host, workspace, signal, env };
  if (skill.shell !== undefined && skill.shell !== 'bash')
    return refuseSnippet(snippet, `it is for ${skill.shell}, and only bash is run.`);
  if (!(await mayRunSnippet(skill, written, trust)))
    return refuseSnippet(snippet, 'the repository supplies it, and it is not trusted as it is now.');
  if (mayEvaluate(written, args))
    return refuseSnippet(snippet, 'it calculates, and its arguments hold an index with a command in it.');
  const authorize: Authorizer['authorize'] = async (request, given, view) => {
    const word = await active.judge([{ ...skill, disallowedTools: [] }], request.call, request.access);
    const isGranted = word !== undefined && 'verdict' in word && request.hook === undefined;
    return host.authorize(isGranted ? { ...request, hook: word } : request, given, view);
  };
  return runSnippet({ ...snippet, authorize });
}

function variablesOf({ skill, host, workspace }: SkillUse): Readonly<Record<string, string>> {
  const session = host?.session;
  return {
    PROJECT_DIR: workspace.cwd,
    CLAUDE_PROJECT_DIR: workspace.cwd,
    USER_HOME: workspace.home,
    CLAUDE_SKILL_DIR: skill.directory,
    ...(skill.pluginRoot === undefined ? {} : { CLAUDE_PLUGIN_ROOT: skill.pluginRoot }),
    ...(session
      ? {
          CLAUDE_SESSION_ID: session.id,
          CLAUDE_MODEL: session.model.id,
          CLAUDE_EFFORT: session.thinking,
        }
      : {}),
  };
}
