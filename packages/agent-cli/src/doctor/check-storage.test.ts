import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '@robota-sdk/agent-testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { checkStorage } from './check-storage.ts';

let home: string;
let root: string;
beforeEach(async () => {
  home = await temporaryDirectory();
  root = join(home, '.robota');
});

const check = async () => (await checkStorage({ home, env: {} }))[0];

describe('the storage of sessions', () => {
  it('is fine where the folder is missing but can be made', async () => {
    expect(await check()).toMatchObject({ status: 'ok', what: `sessions are stored in ${root}/sessions` });
  });

  it('is broken where a file stands in its place', async () => {
    await mkdir(root);
    await writeFile(join(root, 'sessions'), '');
    expect(await check()).toMatchObject({
      status: 'broken',
      why: `${root}/sessions is a file.`,
      advice: expect.stringContaining('ROBOTA_HOME'),
    });
  });

  it('tells how much space is left', async () => {
    const [, space] = await checkStorage({ home, env: {} });
    expect(space?.what).toMatch(/^(?:only )?\d+ [GM]B free$/);
  });
});
