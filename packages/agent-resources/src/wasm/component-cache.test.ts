import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { expect, it } from 'vitest';
import { ComponentCache } from './component-cache.ts';

it('keeps the components that were used last, and no more of them than it may', async () => {
  proves('P-125');
  const home = await temporaryDirectory('robota-home');
  const cache = new ComponentCache({ home, env: {} });
  const root = join(home, '.robota/cache/wasm');
  const made = { files: new Map([['plugin.js', Buffer.from('1')]]), imports: [], exports: [] };
  for (let number = 0; number < 40; number++) {
    await cache.write(`hash${number}`, made);
    await utimes(join(root, `hash${number}-1`), number, number);
  }
  await cache.description('hash0', 'seal');
  await cache.write('new', made);
  const kept = await readdir(root);
  expect(kept).toHaveLength(40);
  expect(kept).not.toContain('hash1-1');
  expect(await cache.read('hash0')).toEqual(made);
  expect(await cache.read('new')).toEqual(made);
});

it('forgets a description that was changed, also in one that its sum allows', async () => {
  const home = await temporaryDirectory('robota-home');
  const cache = new ComponentCache({ home, env: {} });
  const tool = { name: 'count', description: 'Counts.', input: { type: 'object' }, brief: 'path' };
  const described = { name: 'plugin', tools: [tool], commands: [{ name: 'c', description: 'd' }] };
  await cache.describe('hash', 'seal', described);
  expect(await cache.description('hash', 'seal')).toEqual(described);
  const file = join(home, '.robota/cache/wasm/hash-1/description-seal.json');
  await writeFile(file, (await readFile(file, 'utf8')).replace('Counts.', 'Sends.'));
  expect(await cache.description('hash', 'seal')).toBeUndefined();
  await cache.describe('hash', 'seal', { ...described, tools: [{ ...tool, input: [] as never }] });
  expect(await cache.description('hash', 'seal')).toBeUndefined();
});
