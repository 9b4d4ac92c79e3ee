import { existsSync } from 'node:fs';
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { MarketplaceClient } from '@robota-sdk/agent-resources';
import { stillOpen } from '@robota-sdk/agent-testing/still-open';
import { expect, onTestFinished } from 'vitest';
import {
  makeRepository,
  marketplaceFiles,
  pluginFiles,
} from '../../../agent-resources/src/plugins/fixtures/plugin-stage.ts';
import { makeTestProject } from '../../../agent-sdk/src/fixtures/test-project.ts';

stillOpen('A marketplace is still there after an update that could not be put in its place', {
  observe: async () => {
    const place = await makeTestProject();
    const repository = makeRepository(
      join(place.cwd, 'market'),
      marketplaceFiles('team', { one: pluginFiles('one') }),
    );
    const client = new MarketplaceClient(place);
    const { path } = await client.add({ kind: 'git', url: repository.url });
    repository.commit(marketplaceFiles('team', { two: pluginFiles('two') }));
    // The disk refuses the new one, after the old one was moved away.
    const { rename } = files;
    let isRefused = false;
    files.rename = async (from, to) => {
      if (to === path && !isRefused) {
        isRefused = true;
        throw Object.assign(new Error('EIO: i/o error, rename'), { code: 'EIO' });
      }
      await rename(from, to);
    };
    syncBuiltinESMExports();
    onTestFinished(() => {
      files.rename = rename;
      syncBuiltinESMExports();
    });
    const message = await client.update('team').then(
      () => 'updated',
      (thrown: Error) => thrown.message,
    );
    return { message, isThere: existsSync(path) };
  },
  today: { message: 'EIO: i/o error, rename', isThere: false },
  wanted: ({ isThere }) => expect(isThere).toBe(true),
});
