import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '@robota-sdk/agent-testing';
import { expect, it } from 'vitest';
import { readInstalled } from './installed-plugins.ts';

it.each(['cache/market/tea/1.0.0', 'cache\\market\\tea\\1.0.0'])(
  'finds the folder of a plugin in %s',
  async (installPath) => {
    const root = await temporaryDirectory();
    const installed = join(root, 'installed.json');
    const entry = {
      pluginName: 'tea',
      marketplace: 'market',
      version: '1.0.0',
      installPath,
      installedAt: '2026-01-01',
      hash: 'x',
      stamp: 'y',
    };
    await writeFile(installed, JSON.stringify({ 'tea@market': entry }));
    const paths = { root, installed, marketplacesFile: '', marketplaces: '', cache: join(root, 'cache') };
    expect(await readInstalled(paths)).toMatchObject([{ path: join(root, 'cache/market/tea/1.0.0') }]);
  },
);
