import {
  builtInToolNames,
  decide,
  hostFiles,
  type PermissionRequest,
  parseRule,
  type Rule,
  splitRules,
  type Workspace,
} from '@robota-sdk/agent-core';
import type { Skill } from './skill.ts';

/** The standing of a call towards a list of tools; `granted` if a rule of it would allow the call. */
export type Standing = 'granted' | 'inside' | 'outside';

type SkillFolders = Partial<Pick<Skill, 'directory' | 'pluginRoot'>>;

/** Other programs' names for our tools, in lower case. */
const otherNames: Readonly<Record<string, string>> = {
  task: 'Agent',
  askuserquestion: 'AskUser',
  multiedit: 'Edit',
  notebookedit: 'Edit',
  slashcommand: 'Skill',
  find: 'Glob',
  ls: 'Glob',
};

/** The built-in tool that other programs spell differently. */
export function ourToolName(name: string): string | undefined {
  const lower = name.toLowerCase();
  return builtInToolNames.find((own) => own.toLowerCase() === lower) ?? otherName(lower);
}

function otherName(lower: string): string | undefined {
  return Object.hasOwn(otherNames, lower) ? otherNames[lower] : undefined;
}

/** The rules in a skill's list of allowed tools, with our tool names. Unreadable rules are dropped. */
export function toolRules(skill: RuleOwner, texts: readonly string[] = []): readonly Rule[] {
  return texts.flatMap((text) => toolRule(skill, text) ?? []);
}

/** The same for disallowed tools. An unreadable rule disallows every tool that it names. */
export function disallowedRules(skill: RuleOwner, texts: readonly string[] = []): readonly Rule[] {
  return texts.flatMap((text) => {
    const rule = toolRule(skill, text);
    if (rule) return [rule];
    return splitRules(text).flatMap((part) => toolRule(skill, part.replace(/\(.*/s, '')) ?? []);
  });
}

type RuleOwner = Pick<Skill, 'path'> & SkillFolders;

function toolRule(skill: RuleOwner, written: string): Rule | undefined {
  const text = withFolders(written, skill);
  const [, tool = '', rest = ''] = /^([^(\s]*)\s*(\(.*)?$/s.exec(text.trimStart()) ?? [];
  const parsed = parseRule(`${ourToolName(tool) ?? tool}${rest}`, { source: skill.path });
  return parsed.ok ? parsed.rule : undefined;
}

/** Expands the folders in tool lists; one that would change the meaning of a rule is omitted. */
function withFolders(text: string, { directory, pluginRoot }: SkillFolders): string {
  const folders = { CLAUDE_SKILL_DIR: directory, CLAUDE_PLUGIN_ROOT: pluginRoot };
  return Object.entries(folders).reduce(
    (filled, [name, folder]) =>
      folder !== undefined && /^[\w@%+=:,./ -]+$/.test(folder)
        ? filled.replaceAll(`\${${name}}`, folder)
        : filled,
    text,
  );
}

/** Relates a call to a list of tools. */
export async function standingOf(
  request: PermissionRequest,
  { rules, workspace }: { readonly rules: readonly Rule[]; readonly workspace: Workspace },
): Promise<Standing> {
  if (rules.some(({ tool }) => tool === '*')) return 'inside';
  const own = rules.filter((rule) => namesTool(rule.tool, request.tool));
  if (own.length === 0) return 'outside';
  const policy = {
    mode: 'default',
    rules: { allow: own, ask: [], deny: [] },
    workspace,
    files: hostFiles,
  } as const;
  const decision = await decide(policy, request);
  // A call allowed without a rule, such as a read-only command, is not in the list.
  if (decision.verdict === 'allow' && decision.rule !== undefined) return 'granted';
  return own.some(({ specifier }) => specifier === undefined) ? 'inside' : 'outside';
}

function namesTool(pattern: string, tool: string): boolean {
  const star = pattern.indexOf('*');
  if (star !== -1) return tool.startsWith(pattern.slice(0, star));
  return pattern === tool || (pattern.startsWith('mcp__') && tool.startsWith(`${pattern}__`));
}
