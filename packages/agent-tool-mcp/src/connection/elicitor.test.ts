import type { Answer, JsonObject, Question } from '@robota-sdk/agent-core';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { Elicitor } from './elicitor.ts';

const signal = new AbortController().signal;
const pick = (...indexes: number[]): Answer => ({ kind: 'selected', indexes });
const type = (text: string): Answer => ({ kind: 'text', text });

function elicitor(answers: readonly Answer[], openUrl?: (url: string) => void) {
  const asked: Question[] = [];
  const rest = [...answers];
  const ui = {
    ask: async (question: Question) => {
      asked.push(question);
      return rest.shift() ?? ({ kind: 'dismissed' } as const);
    },
    notify: () => {},
  };
  const held: string[] = [];
  const onAsk = () => {
    held.push('asks');
    return () => held.push('answered');
  };
  return { asked, held, it: new Elicitor({ server: 'forms', ui, onAsk, ...(openUrl ? { openUrl } : {}) }) };
}

function form(properties: JsonObject, required: string[] = []) {
  const requestedSchema = { type: 'object' as const, properties, required };
  return { mode: 'form' as const, message: 'Who are you?', requestedSchema } as never;
}

describe('what a server wants to know', () => {
  it('is asked field by field, as the type that is wanted', async () => {
    proves('R-75');
    const {
      it: asks,
      asked,
      held,
    } = elicitor([pick(0), type('Ada'), type('36'), pick(1), pick(1), pick(0, 2)]);
    const properties = {
      name: { type: 'string', title: 'Name', description: 'In full.' },
      age: { type: 'integer', minimum: 0 },
      isAdult: { type: 'boolean' },
      colour: { type: 'string', enum: ['r', 'g'], enumNames: ['Red', 'Green'] },
      pets: {
        type: 'array',
        items: { anyOf: [{ const: 'c', title: 'Cat' }, { const: 'd' }, { const: 'f' }] },
      },
    };
    const result = await asks.answer(form(properties, ['name', 'age', 'isAdult', 'colour']), signal);
    expect(result).toEqual({
      action: 'accept',
      content: { name: 'Ada', age: 36, isAdult: false, colour: 'g', pets: ['c', 'f'] },
    });
    expect(asked[0]).toMatchObject({
      title: 'The MCP server "forms" asks for information',
      detail: 'Who are you?\nIt asks for: Name, age, isAdult, colour, pets',
    });
    expect(asked[1]).toMatchObject({ title: 'Name', detail: 'Who are you?\nIn full.' });
    expect(asked[4]).toMatchObject({ options: [{ label: 'Red', description: 'r' }, { label: 'Green' }] });
    expect(held).toEqual(['asks', 'answered']);
  });

  it('is asked again where the answer does not fit, with the reason, and not for ever', async () => {
    proves('R-75');
    const email = { type: 'string', format: 'email' };
    const first = elicitor([pick(0), type('nonsense'), type(''), type('a@b.c'), type('many'), type('3')]);
    const fields = form({ email, count: { type: 'integer' } }, ['email', 'count']);
    expect(await first.it.answer(fields, signal)).toMatchObject({ content: { email: 'a@b.c', count: 3 } });
    const details = first.asked.map(({ detail }) => detail?.split('\n')[0]);
    expect(details).toEqual([
      'Who are you?',
      'Who are you?',
      'That is not an e-mail address.',
      'It is needed.',
      'Who are you?',
      'That cannot be used: expected an integer, got the string "many".',
    ]);
    const second = elicitor([pick(0), ...Array<Answer>(9).fill(type('x'))]);
    expect(await second.it.answer(form({ email }), signal)).toEqual({ action: 'cancel' });
  });

  it('may be left out, or be as the server suggests', async () => {
    proves('R-75');
    const properties = {
      nick: { type: 'string' },
      city: { type: 'string', default: 'Oslo' },
      size: { type: 'string', enum: ['S', 'M'], default: 'M' },
      news: { type: 'boolean' },
    };
    const { it: asks } = elicitor([pick(0), type(''), type(' '), pick(2), pick(2)]);
    expect(await asks.answer(form(properties), signal)).toEqual({
      action: 'accept',
      content: { city: 'Oslo', size: 'M' },
    });
  });

  it('is a day of the calendar where it is a date', async () => {
    proves('R-75');
    const when = form({ when: { type: 'string', format: 'date' } }, ['when']);
    const days = elicitor([pick(0), type('2026-99-99'), type('2026-02-31'), type('2026-02-28')]);
    expect(await days.it.answer(when, signal)).toMatchObject({ content: { when: '2026-02-28' } });
  });

  it('says nothing of typing where there is something to choose from', async () => {
    proves('R-75');
    const pets = { type: 'array', items: { type: 'string', enum: ['cat', 'dog'] } };
    const { it: asks, asked } = elicitor([pick(0), pick(2), pick(2)]);
    const fields = form({ pets, size: { type: 'string', enum: ['S', 'M'], default: 'M' } });
    expect(await asks.answer(fields, signal)).toEqual({ action: 'accept', content: { size: 'M' } });
    expect(asked.map(({ detail }) => detail).slice(1)).toEqual(['Who are you?', 'Who are you?']);
  });

  it('is kept from it by a no, and by a user who is not there', async () => {
    proves('R-75');
    expect(await elicitor([pick(1)]).it.answer(form({ a: { type: 'string' } }), signal)).toEqual({
      action: 'decline',
    });
    expect(await elicitor([{ kind: 'unavailable' }]).it.answer(form({}), signal)).toEqual({
      action: 'cancel',
    });
    expect(await elicitor([pick(0)]).it.answer(form({ a: { type: 'string' } }), signal)).toEqual({
      action: 'cancel',
    });
  });

  it('may be on a page, which is opened only after a yes', async () => {
    proves('R-75');
    const opened: string[] = [];
    const page = (url: string) => ({ mode: 'url', message: 'Pay', url, elicitationId: '1' }) as never;
    const open = (url: string) => void opened.push(url);
    const yes = elicitor([pick(0)], open);
    expect(await yes.it.answer(page('https://pay.example/x'), signal)).toEqual({ action: 'accept' });
    expect(yes.asked[0]).toMatchObject({
      title: 'The MCP server "forms" asks you to visit a page of pay.example',
      detail: 'Pay\nhttps://pay.example/x',
    });
    expect(await elicitor([pick(1)], open).it.answer(page('https://b.example/'), signal)).toEqual({
      action: 'decline',
    });
    const file = elicitor([pick(0)], open);
    expect(await file.it.answer(page('file:///etc/passwd'), signal)).toEqual({ action: 'decline' });
    expect(file.asked).toEqual([]);
    expect(opened).toEqual(['https://pay.example/x']);
  });
});
