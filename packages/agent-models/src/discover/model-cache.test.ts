import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { userPaths } from '@robota-sdk/agent-config';
import { temporaryDirectory } from '@robota-sdk/agent-testing';
import { expect, it } from 'vitest';
import { keepListedServers, readListedServers } from './model-cache.ts';

async function poisoned(servers: unknown) {
  const host = { env: {}, home: await temporaryDirectory() };
  const path = userPaths(host).servedModels;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, JSON.stringify({ servers }));
  return { host, path };
}

const server = (models: readonly unknown[], at = Date.now()) => ({
  vendor: 'lab',
  baseUrl: 'http://127.0.0.1:9/v1',
  at,
  models,
});

it('takes only names and windows that can be meant from a poisoned list', async () => {
  const { host } = await poisoned([
    server([
      { id: '\u001b]0;x\u0007' },
      { id: 'a\nb' },
      { id: 'm'.repeat(5_000) },
      { id: { x: 1 } },
      null,
      { id: 'negative', window: -5 },
      { id: 'fraction', window: 1.5 },
      { id: '__proto__', window: 4_096 },
    ]),
    { vendor: 1, baseUrl: {}, at: 'now', models: 'all' },
    'text',
  ]);
  const [only, ...others] = await readListedServers(host);
  expect(others).toEqual([]);
  expect(only?.models).toEqual([{ id: 'negative' }, { id: 'fraction' }, { id: '__proto__', window: 4_096 }]);
});

it('forgets a file that became huge, and keeps it small', async () => {
  const models = Array.from({ length: 2_000 }, (_, index) => ({ id: `model-${index}` }));
  const { host, path } = await poisoned(Array.from({ length: 200 }, () => server(models)));
  expect((await stat(path)).size).toBeGreaterThan(4 * 1024 * 1024);
  expect(await readListedServers(host)).toEqual([]);
  for (let index = 0; index < 30; index++)
    await keepListedServers(host, [{ ...server([]), models: [], vendor: `vendor-${index}` }]);
  const kept = JSON.parse(await readFile(path, 'utf8')).servers;
  expect(kept).toHaveLength(20);
  expect(kept[0].vendor).toBe('vendor-29');
});
