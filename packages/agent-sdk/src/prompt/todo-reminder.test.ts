import { textOf } from '@robota-sdk/agent-core';
import { proves } from '@robota-sdk/agent-testing/proves';
import { expect, it } from 'vitest';
import { openScripted } from '../fixtures/scripted-session.ts';
import { makeTestProject } from '../fixtures/test-project.ts';

it('a hidden reminder tells the model to plan with todos, at first and with every tenth prompt', async () => {
  proves('E-13', 'E-14');
  const { session, provider } = await openScripted(await makeTestProject(), () => ({ text: 'ok' }));
  for (let prompt = 0; prompt <= 10; prompt++) await session.submit(`prompt ${prompt}`);
  const asked = provider.requests.at(-1)?.messages.filter((message) => message.role === 'user') ?? [];
  const texts = asked.map(({ content, origin }) => (origin === 'reminder' ? 'REMINDER' : textOf(content)));
  expect(texts).toEqual([
    'prompt 0',
    'REMINDER',
    ...Array.from({ length: 9 }, (_, index) => `prompt ${index + 1}`),
    'prompt 10',
    'REMINDER',
  ]);
  const reminder = asked.find(({ origin }) => origin === 'reminder');
  expect(textOf(reminder?.content ?? [])).toContain('TodoWrite');
  expect(provider.requests[0]?.system).toContain('TodoWrite');
  await session.shutdown();
});

it('says nothing to a model that has no TodoWrite', async () => {
  const tools = { exclude: ['TodoWrite'] };
  const { session, provider } = await openScripted(await makeTestProject(), () => ({ text: 'ok' }), {
    tools,
  });
  await session.submit('hello');
  expect(provider.requests[0]?.messages).toHaveLength(1);
  await session.shutdown();
});
