import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { textOf } from '@robota-sdk/agent-core';
import { ScriptedProvider } from '@robota-sdk/agent-testing';
import { expect, it } from 'vitest';
import { createInteractiveSession } from '../create-interactive-session.ts';

it('E-13 E-14 a hidden reminder tells the model to plan with todos, at first and with every tenth prompt', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'robota-reminder-'));
  const provider = new ScriptedProvider(() => ({ text: 'ok' }));
  const session = await createInteractiveSession({
    cwd,
    host: { env: { ANTHROPIC_API_KEY: 'x' }, home: cwd },
    store: 'none',
    extensions: [{ name: 'scripted', setup: (host) => host.provider('anthropic', async () => provider) }],
  });
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
  const cwd = await mkdtemp(join(tmpdir(), 'robota-reminder-'));
  const provider = new ScriptedProvider(() => ({ text: 'ok' }));
  const session = await createInteractiveSession({
    cwd,
    host: { env: { ANTHROPIC_API_KEY: 'x' }, home: cwd },
    store: 'none',
    tools: { exclude: ['TodoWrite'] },
    extensions: [{ name: 'scripted', setup: (host) => host.provider('anthropic', async () => provider) }],
  });
  await session.submit('hello');
  expect(provider.requests[0]?.messages).toHaveLength(1);
  await session.shutdown();
});
