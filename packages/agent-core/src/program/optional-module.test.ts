import { mkdir, mkdtemp, realpath, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findOptionalModule } from './optional-module.ts';

let root: string;
let beside: string;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'robota-optional-')));
  beside = pathToFileURL(join(root, 'lib/node_modules/@robota-sdk/agent-cli/dist/bin.js')).href;
});

afterEach(() => vi.unstubAllEnvs());

/** A package with a module at `./tool`. */
async function install(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const manifest = { name: '@x/heavy', exports: { './tool': './tool.mjs' } };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'tool.mjs'), '');
  return pathToFileURL(join(folder, 'tool.mjs')).href;
}

const find = (folder = join(root, 'none')) => findOptionalModule('@x/heavy/tool', { beside, folder });

describe('findOptionalModule', () => {
  it('finds a package beside the program first, then one in the folder of the user', async () => {
    expect(find()).toBeUndefined();
    const own = await install(join(root, 'own/node_modules/@x/heavy'));
    expect(find(join(root, 'own'))).toBe(own);
    const installed = await install(join(root, 'lib/node_modules/@x/heavy'));
    expect(find(join(root, 'own'))).toBe(installed);
  });

  it('follows the link of a workspace or of npm link', async () => {
    const module = await install(join(root, 'checkout/heavy'));
    await mkdir(join(root, 'lib/node_modules/@x'), { recursive: true });
    await symlink(join(root, 'checkout/heavy'), join(root, 'lib/node_modules/@x/heavy'));
    expect(find()).toBe(module);
  });

  it('looks in the home of Robota unless told otherwise', async () => {
    vi.stubEnv('ROBOTA_HOME', join(root, 'home'));
    const module = await install(join(root, 'home/packages/node_modules/@x/heavy'));
    expect(findOptionalModule('@x/heavy/tool', { beside })).toBe(module);
  });

  it('takes nothing from NODE_PATH or from folders around that of the user', async () => {
    await install(join(root, 'project/node_modules/@x/heavy'));
    vi.stubEnv('NODE_PATH', join(root, 'project/node_modules'));
    expect(find(join(root, 'project/own'))).toBeUndefined();
  });

  it('finds no module that a package does not offer', async () => {
    await install(join(root, 'lib/node_modules/@x/heavy'));
    expect(findOptionalModule('@x/heavy/other', { beside, folder: root })).toBeUndefined();
  });
});
