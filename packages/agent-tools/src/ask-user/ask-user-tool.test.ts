import { type Answer, type JsonValue, type Question, silentInterface } from '@robota-sdk/agent-core';
import { describe, expect, it } from 'vitest';
import { textOfOutput, toolContext } from '../bash/fixtures/tool-context.ts';
import { askUserTool } from './ask-user-tool.ts';

async function ask(value: JsonValue, answer: Answer) {
  const asked: Question[] = [];
  const ui = {
    ...silentInterface,
    ask: async (question: Question) => {
      asked.push(question);
      return answer;
    },
  };
  const parsed = askUserTool.input.parse(value);
  if (!parsed.ok) throw new Error(parsed.error);
  const output = await askUserTool.execute(parsed.value, toolContext({ ui }));
  return { text: textOfOutput(output), isError: output.isError, asked };
}

const colours = {
  question: 'Which colour?',
  options: [{ label: 'red', description: 'warm' }, { label: 'blue' }],
};

describe('AskUser', () => {
  it('offers the options and tells the model what was chosen', async () => {
    const { text, asked } = await ask(colours, { kind: 'selected', indexes: [1] });
    expect(text).toBe('The user answered: blue');
    expect(asked).toEqual([
      {
        kind: 'select',
        words: 'your own words',
        isShownByCall: true,
        callId: toolContext({}).callId,
        title: 'Which colour?',
        options: colours.options,
        multiple: false,
      },
    ]);
  });

  it('takes several choices and words of the user’s own', async () => {
    const answer: Answer = { kind: 'selected', indexes: [0, 1], text: 'and a little green' };
    const { text, asked } = await ask({ ...colours, multiple: true }, answer);
    expect(text).toBe('The user answered: red; blue; and in their own words: and a little green');
    expect(asked[0]).toMatchObject({ multiple: true });
  });

  it('asks for free text where there are no options', async () => {
    const { text, asked } = await ask({ question: 'What name?' }, { kind: 'text', text: 'robota' });
    expect(text).toBe('The user answered: robota');
    expect(asked).toEqual([
      { kind: 'text', title: 'What name?', isShownByCall: true, callId: toolContext({}).callId },
    ]);
  });

  it('takes plain strings as options', async () => {
    const { asked } = await ask({ question: '?', options: ['a', 'b'] }, { kind: 'dismissed' });
    expect(asked[0]).toMatchObject({ options: [{ label: 'a' }, { label: 'b' }] });
  });

  it('tells the model to decide by itself when no user can answer, and does not wait', async () => {
    const { text, isError } = await ask(colours, { kind: 'unavailable' });
    expect(text).toMatch(/No user is available.*Decide by yourself.*state your assumption/);
    expect(isError).toBeUndefined();
  });

  it('says so when the user declines, chooses nothing or writes nothing', async () => {
    expect((await ask(colours, { kind: 'dismissed' })).text).toMatch(/declined/);
    expect((await ask(colours, { kind: 'selected', indexes: [] })).text).toMatch(/none of the options/);
    expect((await ask({ question: '?' }, { kind: 'text', text: ' ' })).text).toMatch(/empty answer/);
  });

  it('costs few bytes in every request', () => {
    const { name, description, input } = askUserTool;
    expect(JSON.stringify({ name, description, input: input.json }).length).toBeLessThanOrEqual(450);
  });
});
