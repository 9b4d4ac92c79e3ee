import type { InteractiveSession } from '@robota-sdk/agent-sdk/front-end';

/** How many skills are named when a session begins. */
const shownSkills = 12;

/** The names of the skills in one line; nothing where there are none. */
export function describeSkills({ skills }: InteractiveSession): string {
  if (skills.length === 0) return '';
  const rest = skills.length - shownSkills;
  const names = skills.slice(0, shownSkills).map(({ name }) => name);
  return `skills: ${names.join(', ')}${rest > 0 ? ` and ${rest} more, /skills lists them` : ''}\n`;
}
