import type { Question } from '@robota-sdk/agent-sdk/front-end';
import { describe, expect, it } from 'vitest';
import { ElicitedInterface } from './elicited-interface.ts';
import type { ServedCall } from './served-call.ts';

const select: Question = {
  kind: 'select',
  title: 'Allow?',
  options: [{ label: 'Yes' }, { label: 'No', asks: 'Say why' }],
};

/** Asks through a client that gives one answer. */
async function ask(question: Question, answer: unknown, { canAsk = true, isOpen = true } = {}) {
  const logged: string[] = [];
  const forms: unknown[] = [];
  const asking = new ElicitedInterface((text) => void logged.push(text));
  const call = {
    canAsk,
    signal: new AbortController().signal,
    ask: async (form: unknown) => {
      forms.push(form);
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
  if (isOpen) asking.call = call as unknown as ServedCall;
  return { answer: await asking.ask(question), forms, logged };
}

const accept = (content: object) => ({ action: 'accept', content });

describe('a question to the user of an MCP client', () => {
  it('is not asked between calls, nor by a client that cannot ask', async () => {
    for (const state of [{ isOpen: false }, { canAsk: false }]) {
      const { answer, forms } = await ask(select, accept({ answer: 'Yes' }), state);
      expect([answer, forms]).toEqual([{ kind: 'unavailable' }, []]);
    }
  });

  it('is dismissed by anything that is no answer to it', async () => {
    for (const given of [
      { action: 'decline' },
      { action: 'cancel' },
      accept({}),
      accept({ answer: 'Maybe' }),
    ])
      expect((await ask(select, given)).answer).toEqual({ kind: 'dismissed' });
    const confirm: Question = { kind: 'confirm', title: 'Go on?' };
    expect((await ask(confirm, accept({ answer: 'true' }))).answer).toEqual({
      kind: 'confirmed',
      yes: false,
    });
    expect((await ask(confirm, { action: 'accept' })).answer).toEqual({ kind: 'confirmed', yes: false });
  });

  it('takes words only with the choice that asks for them', async () => {
    const said = (choice: string) => ask(select, accept({ answer: choice, words: 'too risky' }));
    expect((await said('No')).answer).toEqual({ kind: 'selected', indexes: [1], text: 'too risky' });
    expect((await said('Yes')).answer).toEqual({ kind: 'selected', indexes: [0] });
  });

  it('is a form with the choices, the detail and a field for words', async () => {
    const { forms } = await ask({ ...select, detail: 'rm -r x' }, accept({ answer: 'Yes' }));
    expect(forms).toMatchObject([
      {
        message: 'Allow?\n\nrm -r x',
        requestedSchema: {
          properties: { answer: { enum: ['Yes', 'No'] }, words: { title: 'Say why' } },
          required: ['answer'],
        },
      },
    ]);
  });

  it('that fails is logged, and counts as no approval', async () => {
    const { answer, logged } = await ask(select, new Error('client is gone'));
    expect(answer).toEqual({ kind: 'unavailable' });
    expect(logged).toEqual(['A question could not be asked: client is gone']);
  });
});
