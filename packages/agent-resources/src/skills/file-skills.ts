import { type Hook, isWithin, relativePath, type Workspace } from '@robota-sdk/agent-core';
import { matcherOf } from '../instructions/read-rules.ts';
import type { Skill } from './skill.ts';
import { skillSection } from './skill-section.ts';

/** Tells the model of skills for certain files with the first call that touches such a file. */
export function skillsOfFiles(skills: readonly Skill[], { cwd }: Workspace): Hook<'tool-after'> {
  const matchers = skills.map((skill) => ({ skill, matches: matcherOf(skill.paths ?? []) }));
  const told = new Map<string, Set<Skill>>();
  return ({ output, access = [], sessionId = '' }) => {
    if (output.isError) return undefined;
    const known = told.get(sessionId) ?? new Set();
    told.set(sessionId, known);
    const touched = access.flatMap((each) => ('real' in each && isWithin(cwd, each.real) ? [each.real] : []));
    const found = matchers.filter(
      ({ skill, matches }) => !known.has(skill) && touched.some((path) => matches(relativePath(cwd, path))),
    );
    for (const { skill } of found) known.add(skill);
    return found.length === 0 ? undefined : { context: skillSection(found.map(({ skill }) => skill)) };
  };
}
