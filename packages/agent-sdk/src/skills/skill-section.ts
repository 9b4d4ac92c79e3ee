import type { Skill } from './skill.ts';

/** Characters of one description in the prompt. */
const descriptionLimit = 1_536;

/** Characters of all descriptions in the prompt together, about 4000 tokens. */
export const listingLimit = 16_000;

/** Names the skills that the model may use, with no more than their descriptions; nothing where there are none. */
export function skillSection(skills: readonly Pick<Skill, 'name' | 'description'>[]): string {
  if (skills.length === 0) return '';
  const limit = commonLimit(skills.map(({ description }) => description.length));
  const lines = skills.map(
    ({ name, description }) =>
      `<skill name="${escaped(name)}">${escaped(shortened(description, limit))}</skill>`,
  );
  return `Skills are instructions for certain tasks. When one fits what is asked, call Skill with its name before you begin, and follow what it says.\n<available_skills>\n${lines.join('\n')}\n</available_skills>`;
}

/** The length that all descriptions are cut to, so that together they stay below the limit and short ones stay whole. */
function commonLimit(lengths: readonly number[]): number {
  const sorted = [...lengths].sort((a, b) => a - b);
  let left = listingLimit;
  for (const [index, length] of sorted.entries()) {
    const share = Math.floor(left / (sorted.length - index));
    if (length > share) return Math.min(descriptionLimit, share);
    left -= length;
  }
  return descriptionLimit;
}

function shortened(text: string, limit: number): string {
  if (text.length <= limit) return text;
  if (limit < 2) return '';
  return `${text.slice(0, limit - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** A description must not be able to end the list and go on as if it were ours. */
function escaped(text: string): string {
  return text.replaceAll('<', '&lt;');
}
