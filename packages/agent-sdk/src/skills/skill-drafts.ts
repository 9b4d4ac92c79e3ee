import { resourceFolders } from '../resources/resource-folders.ts';
import { templateSegments } from '../resources/template-segments.ts';
import type { ProjectSource } from '../trust/collectors.ts';
import { hookSubject } from '../trust/hook-subject.ts';
import { referencedFiles } from '../trust/referenced-files.ts';
import type { TrustDraft } from '../trust/trust-item.ts';
import { findSkillFiles } from './find-skill-files.ts';
import { type ReadSkill, readSkill } from './read-skill.ts';
import type { Skill } from './skill.ts';
import { hookGroups } from './skill-hooks.ts';
import { grantSubject, snippetSubject } from './skill-trust.ts';

/** Finds the shell commands and the grants of tools in a repository's skills. */
export async function skillDrafts({ cwd, host }: ProjectSource): Promise<readonly TrustDraft[]> {
  const folders = resourceFolders('skills', cwd, host).filter(({ scope }) => scope === 'project');
  const read = await Promise.all(findSkillFiles(folders).map(readSkill));
  return read.flatMap((each) => (each.skill ? draftsOf(each, cwd) : []));
}

function draftsOf({ skill, body, bodyLine }: ReadSkill, cwd: string): TrustDraft[] {
  const grant = grantSubject(skill);
  const snippets = commandsIn(body).map((command) => ({
    ...snippetSubject(skill, command),
    source: `${skill.path}:${bodyLine + body.slice(0, body.indexOf(command)).split('\n').length - 1}`,
    files: referencedFiles(command, cwd),
  }));
  return [...(grant ? [{ ...grant, source: skill.path }] : []), ...hookDrafts(skill, cwd), ...snippets];
}

function hookDrafts(skill: Skill, cwd: string): TrustDraft[] {
  // What is wrong with them is said when the skill is used.
  return hookGroups(skill, []).flatMap((group) =>
    group.hooks.map((hook) => ({
      ...hookSubject(group, hook),
      source: skill.path,
      files: typeof hook.command === 'string' ? referencedFiles(hook.command, cwd) : [],
    })),
  );
}

/** The shell commands of a skill's text, as they are written. */
export function commandsIn(body: string): string[] {
  return templateSegments(body).flatMap((segment) => (segment.kind === 'shell' ? [segment.command] : []));
}
