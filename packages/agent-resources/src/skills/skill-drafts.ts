import type { ProjectSource, TrustDraft } from '@robota-sdk/agent-config';
import {
  filesBelow,
  hookSubject,
  modelSubject,
  referencedFiles,
  resourceFolders,
  scriptsOf,
} from '@robota-sdk/agent-config';
import { templateSegments } from '../template/template-segments.ts';
import { findSkillFiles } from './find-skill-files.ts';
import { type ReadSkill, readSkill } from './read-skill.ts';
import type { Skill } from './skill.ts';
import { hookGroups } from './skill-hooks.ts';
import { grantSubject, skillChooser, snippetSubject } from './skill-trust.ts';

/** Finds the shell commands and the grants of tools in a repository's skills. */
export async function skillDrafts({ cwd, host }: ProjectSource): Promise<readonly TrustDraft[]> {
  const folders = resourceFolders('skills', cwd, host).filter(({ scope }) => scope === 'project');
  const read = await Promise.all(findSkillFiles(folders).map(readSkill));
  return read.flatMap((each) => (each.skill ? draftsOf(each, cwd) : []));
}

function draftsOf({ skill, body, bodyLine }: ReadSkill, cwd: string): TrustDraft[] {
  const snippets = commandsIn(body).map((command) => ({
    ...snippetSubject(skill, command),
    source: `${skill.path}:${bodyLine + body.slice(0, body.indexOf(command)).split('\n').length - 1}`,
    ...filesFor(command, skill, cwd),
  }));
  const subjects = [grantSubject(skill), modelSubject(skillChooser(skill))].filter(
    (each) => each !== undefined,
  );
  return [
    ...subjects.map((subject) => ({ ...subject, source: skill.path })),
    ...hookDrafts(skill, cwd),
    ...snippets,
  ];
}

function hookDrafts(skill: Skill, cwd: string): TrustDraft[] {
  // Invalid hooks are reported when the skill is used.
  return hookGroups(skill, []).flatMap((group) =>
    group.hooks.map((hook) => ({
      ...hookSubject(group, hook),
      source: skill.path,
      ...(typeof hook.command === 'string' ? filesFor(hook.command, skill, cwd) : {}),
    })),
  );
}

/** The scripts that a command of a skill names, and all files of the skill's own folder: its text speaks of them. */
function filesFor(
  command: string,
  skill: Skill,
  cwd: string,
): Pick<TrustDraft, 'files' | 'refusal' | 'isPartlyFollowed'> {
  const variables = { CLAUDE_SKILL_DIR: skill.directory };
  const { refusal, ...scripts } = scriptsOf(command, cwd, variables);
  // A single file does not own its folder.
  const own = () =>
    skill.isPlain ? { files: [] } : filesBelow(skill.directory, skill.root ?? skill.directory);
  return {
    ...scripts,
    files: () => [...own().files, ...referencedFiles(command, cwd, variables)],
    refusal: refusal ?? own().refusal,
  };
}

/** The shell commands of a skill's text, as they are written. */
export function commandsIn(body: string): string[] {
  return templateSegments(body).flatMap((segment) => (segment.kind === 'shell' ? [segment.command] : []));
}
