import { fitDescriptions } from '../template/fit-descriptions.ts';
import type { Skill } from './skill.ts';

/** Characters of one description in the prompt. */
const descriptionLimit = 1_536;

/** Lists the skills that the model may use, with their descriptions; empty if there are none. */
export function skillSection(skills: readonly Pick<Skill, 'name' | 'description'>[]): string {
  if (skills.length === 0) return '';
  const descriptions = fitDescriptions(
    skills.map(({ description }) => description),
    descriptionLimit,
  );
  const lines = skills.map(
    ({ name }, index) => `<skill name="${escaped(name)}">${escaped(descriptions[index] ?? '')}</skill>`,
  );
  return `Skills are instructions for certain tasks. When one fits what is asked, call Skill with its name before you begin, and follow what it says.\n<available_skills>\n${lines.join('\n')}\n</available_skills>`;
}

/** Escapes tags, so that a description cannot end the list and imitate the system prompt. */
function escaped(text: string): string {
  return text.replaceAll('<', '&lt;');
}
