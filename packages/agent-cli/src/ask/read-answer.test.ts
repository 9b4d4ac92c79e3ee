import type { Question } from '@robota-sdk/agent-sdk/front-end';
import { describe, expect, it } from 'vitest';
import { readAnswer } from './read-answer.ts';

/** Answers a question with lines; nothing in their place is Ctrl+C. */
async function answer(question: Question, ...lines: (string | undefined)[]) {
  const prompts: string[] = [];
  const said: string[] = [];
  const given = await readAnswer(question, {
    ask: async (prompt) => {
      prompts.push(prompt);
      if (lines.length === 0) throw new Error(`asked too often: ${said.join(' ')}`);
      return lines.shift();
    },
    say: (text) => void said.push(text),
  });
  return { given, prompts, said: said.join('\n') };
}

const colours = { kind: 'select', title: 'Which?', options: [{ label: 'Red' }, { label: 'Blue' }] } as const;
const permission: Question = {
  kind: 'select',
  title: 'May it?',
  options: [
    { label: 'Allow once', means: 'yes' },
    { label: 'Deny', means: 'no', asks: 'What instead?' },
  ],
};

describe('answers line by line', () => {
  it('are numbers and labels; words that are none change nothing and are told what is possible', async () => {
    expect((await answer(colours, '2')).given).toEqual({ kind: 'selected', indexes: [1] });
    expect((await answer(colours, ' red ')).given).toEqual({ kind: 'selected', indexes: [0] });
    const { given, said, prompts } = await answer(colours, 'stop', '3', '1 2', 'yes', '1');
    expect(given).toEqual({ kind: 'selected', indexes: [0] });
    expect(said).toContain('Answer with 1-2; press Enter to cancel.');
    expect(said).toContain('No choice 3.');
    expect(prompts).toEqual(Array(5).fill('1-2 (Enter cancels): '));
  });

  it.each([[''], ['cancel'], ['  Cancel '], [undefined]])('%j cancels', async (line) => {
    expect((await answer(colours, line)).given).toEqual({ kind: 'dismissed' });
    expect((await answer(permission, line)).given).toEqual({ kind: 'dismissed' });
    expect((await answer({ kind: 'confirm', title: 'Go?' }, line)).given).toEqual({ kind: 'dismissed' });
  });

  it('are several numbers, or own words, only where the question takes them', async () => {
    expect((await answer({ ...colours, multiple: true }, '1, 2')).given).toEqual({
      kind: 'selected',
      indexes: [0, 1],
    });
    const own = await answer({ ...colours, words: 'your own words' }, 'neither of them');
    expect(own.given).toEqual({ kind: 'selected', indexes: [], text: 'neither of them' });
    expect(own.prompts).toEqual(['1-2, or your own words (Enter cancels): ']);
  });

  it.each([
    'yes please',
    'Yep!',
    'ok',
    'okay, do it',
    'sure thing',
    'go ahead',
    'ye',
    'always allow',
    '1 please',
  ])('%j neither allows nor denies: it is asked again', async (line) => {
    const { given, said } = await answer(permission, line, '1');
    expect(given).toEqual({ kind: 'selected', indexes: [0] });
    expect(said).toContain('Answer with 1-2');
    expect((await answer(permission, line, '')).given).toEqual({ kind: 'dismissed' });
  });

  it.each(['use pnpm instead', 'no, use pnpm', 'not now, read the file first'])(
    '%j at a permission question denies with these words',
    async (line) => {
      const { given, said } = await answer(permission, line);
      expect(given).toEqual({ kind: 'selected', indexes: [1], text: line });
      expect(said).toContain('Denied. Your text is sent as the reason.');
    },
  );

  it('a bare yes or no is the choice that means it; choosing one that wants words asks for them', async () => {
    expect((await answer(permission, 'y')).given).toEqual({ kind: 'selected', indexes: [0] });
    expect((await answer(permission, 'NO')).given).toEqual({ kind: 'selected', indexes: [1] });
    const denied = await answer(permission, '2', 'use ls');
    expect(denied.given).toEqual({ kind: 'selected', indexes: [1], text: 'use ls' });
    expect(denied.prompts[1]).toBe('What instead? (Enter: nothing) ');
    expect((await answer(permission, '2', undefined)).given).toEqual({ kind: 'selected', indexes: [1] });
  });

  it('yes and no are all that confirms or refuses', async () => {
    const { given, said } = await answer({ kind: 'confirm', title: 'Go?' }, 'yellow', '/tree 2', 'n');
    expect(given).toEqual({ kind: 'confirmed', yes: false });
    expect(said).toContain('Answer yes or no');
  });
});
