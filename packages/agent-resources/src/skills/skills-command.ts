import { statSync } from 'node:fs';
import type { CommandRow } from '@robota-sdk/agent-config';
import { type Command, shorten } from '@robota-sdk/agent-core';
import { tokensOfCharacters } from '@robota-sdk/agent-sessions';
import type { ResourceHost } from '../source/resource-host.ts';
import type { LoadedSkills } from './load-skills.ts';
import type { Skill } from './skill.ts';

/** The facts of `/skills`, for the command table. */
export const skillsRow: CommandRow = {
  name: 'skills',
  description: 'List skills with their purpose, location and size',
  needs: [],
  during: 'run',
};

/** `/skills`: lists the skills with their files and sizes. */
export function skillsCommand({ skills, hidden }: LoadedSkills): Command<ResourceHost> {
  return {
    ...skillsRow,
    run: async () => {
      const listed = skills.map((skill) => ({ ...rowOf(skill), isHidden: false }));
      const others = hidden.map((skill) => ({ ...rowOf(skill), isHidden: true }));
      const data = { skills: [...listed, ...others] };
      if (data.skills.length === 0) {
        const text = 'No skills found. Put one into .robota/skills/NAME/SKILL.md, or ~/.robota/skills.';
        return { kind: 'notice', text, data };
      }
      const texts = [
        ...skills.map(describe),
        ...hidden.map(({ name, path }) => `${name}  hidden by another of its name\n  ${path}`),
      ];
      return { kind: 'notice', text: texts.join('\n'), data };
    },
  };
}

function rowOf(skill: Skill) {
  const { name, description, path, scope, plugin } = skill;
  const tokens = tokensOf(path);
  return { name, description, path, scope, tokens, ...(plugin === undefined ? {} : { plugin }) };
}

function describe(skill: Skill): string {
  const { name, description, path, argumentHint } = skill;
  const who = whoUses(skill);
  const facts = [`about ${tokensOf(path)} tokens`, ...(who === undefined ? [] : [who])];
  const head = argumentHint === undefined ? name : `${name} ${argumentHint}`;
  const shown = shorten(description, 200);
  return [`${head}  (${facts.join(', ')})`, ...(shown === '' ? [] : [`  ${shown}`]), `  ${path}`].join('\n');
}

function whoUses({ isUserInvocable, isModelInvocable }: Skill): string | undefined {
  if (isUserInvocable && isModelInvocable) return undefined;
  if (isUserInvocable) return 'only you use it';
  return isModelInvocable ? 'only the model uses it' : 'disabled for user and model';
}

/** A guess by the size of the file. */
function tokensOf(path: string): number {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return tokensOfCharacters(size);
}
