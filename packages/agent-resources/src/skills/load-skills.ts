import type { ResourceFolder } from '@robota-sdk/agent-config';
import type { Problem } from '@robota-sdk/agent-core';
import { findSkillFiles } from './find-skill-files.ts';
import { readSkillHead } from './read-skill.ts';
import type { Skill } from './skill.ts';

/** The skills of some folders. */
export interface LoadedSkills {
  readonly skills: readonly Skill[];
  /** Skills hidden by another one of the same name. */
  readonly hidden: readonly Skill[];
  /** Problems of single files. */
  readonly problems: readonly Problem[];
}

/** How skills are read. */
export interface LoadSkillsOptions {
  /** The default invocation: `user` only, or `auto-invoke` by user and model. Default: `auto-invoke`. */
  readonly invocation?: 'user' | 'auto-invoke' | undefined;
}

/** Finds the skills in folders, the strongest folder first; the first of a name is the one in force. */
export async function loadSkills(
  folders: readonly ResourceFolder[],
  { invocation }: LoadSkillsOptions = {},
): Promise<LoadedSkills> {
  const read = await Promise.all(findSkillFiles(folders).map((file) => readSkillHead(file, invocation)));
  const skills = new Map<string, Skill>();
  const hidden: Skill[] = [];
  for (const { skill } of read) {
    if (!skill) continue;
    if (skills.has(skill.name)) hidden.push(skill);
    else skills.set(skill.name, skill);
  }
  const usable = [...skills.values()].map(({ folderName, ...skill }) =>
    folderName === undefined || skills.has(folderName) ? skill : { ...skill, folderName },
  );
  return { skills: usable, hidden, problems: read.flatMap(({ problems }) => problems) };
}
