import { expect, it } from 'vitest';
import { CredentialCache } from './credentials.ts';

it('renews credentials once for requests at the same time', async () => {
  let loaded = 0;
  const cache = new CredentialCache(async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    return { source: 'test', id: ++loaded, expiresAt: Date.now() + (loaded === 1 ? 0 : 3_600_000) };
  });
  const { signal } = new AbortController();
  const all = () => Promise.all(Array.from({ length: 5 }, () => cache.get(signal)));
  await cache.get(signal);
  expect((await all()).map(({ id }) => id)).toEqual([2, 2, 2, 2, 2]);
});
