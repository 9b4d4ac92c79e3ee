import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { stillOpen } from '@robota-sdk/agent-testing/still-open';
import { expect } from 'vitest';
import { tarOf } from '../plugins/fixtures/make-archive.ts';
import { unpackArchive } from './unpack-archive.ts';

stillOpen('unpacks a tar archive whose first name begins with PK', {
  observe: async () => {
    const directory = await mkdtemp(join(tmpdir(), 'robota-unpack-'));
    const archive = gunzipSync(tarOf([{ name: 'PKGBUILD', text: 'pkgname=x\n' }]));
    return unpackArchive(archive, directory).catch((thrown: Error) => thrown.message);
  },
  today: (result) => expect(String(result)).toContain('it is not a complete zip file'),
  wanted: (count) => expect(count).toBe(1),
});
