import { ownCatalogue } from '@robota-sdk/agent-sdk/front-end';
import { JsonlSessionStore } from '@robota-sdk/agent-sessions';
import { temporaryDirectory } from '@robota-sdk/agent-testing';
import { expect, it } from 'vitest';
import { StoredSessions } from './stored-sessions.ts';

it('a session that several ask for at once is read once, to the end of its file at each question', async () => {
  const home = await temporaryDirectory();
  const store = new JsonlSessionStore({ home });
  const session = await store.create({ cwd: '/shop', id: 'one' });
  const append = () => session.append({ type: 'custom', customType: 'note', data: {} });
  for (let count = 0; count < 50; count++) await append();
  const [summary] = await store.list();
  const file = summary?.path ?? '';
  const stored = new StoredSessions(await ownCatalogue({ host: { env: { ROBOTA_HOME: home }, home } }));
  const [first, second, third] = await Promise.all([1, 2, 3].map(() => stored.index(file)));
  expect(second).toBe(first);
  expect(third).toBe(first);
  expect(first?.length).toBe(50);
  const early = stored.index(file);
  await append();
  expect(await early).toBe(first);
  expect((await stored.index(file)).length).toBe(51);
  await session.close();
});
