import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { allResourceFolders, resourceFolders } from './resource-folders.ts';

describe('resourceFolders', () => {
  it('lists project folders up to the repository, then the user’s, in the order of the dialects', async () => {
    const root = await mkdtemp(join(tmpdir(), 'robota-folders-'));
    const [home, cwd] = [join(root, 'home'), join(root, 'work', 'repo', 'packages', 'a')];
    await mkdir(cwd, { recursive: true });
    await mkdir(join(root, 'work', 'repo', '.git'));
    const folders = resourceFolders('agents', cwd, { env: {}, home });
    const repo = join(root, 'work', 'repo');
    expect(
      folders.filter(({ scope }) => scope === 'project').map(({ path }) => relative(repo, path)),
    ).toEqual(
      ['packages/a/', 'packages/', ''].flatMap((place) =>
        ['.robota', '.agents', '.claude', '.pi', '.eidolon'].map((folder) => `${place}${folder}/agents`),
      ),
    );
    expect(folders.filter(({ scope }) => scope === 'user').map(({ path }) => relative(home, path))).toEqual([
      '.robota/agents',
      '.agents/agents',
      '.claude/agents',
      '.pi/agent/agents',
      '.eidolon/agents',
    ]);
  });

  it('takes the folders of a home directory that is worked in for the user’s own', async () => {
    const home = await mkdtemp(join(tmpdir(), 'robota-folders-'));
    const folders = resourceFolders('commands', home, { env: {}, home });
    expect(folders.find(({ path }) => path === join(home, '.claude', 'commands'))?.scope).toBe('user');
    expect(new Set(folders.map(({ path }) => path)).size).toBe(folders.length);
  });

  it('lists the folders of plugins behind all others, with the plugin they belong to', async () => {
    proves('C-57');
    const home = await mkdtemp(join(tmpdir(), 'robota-folders-'));
    const plugins = [
      { name: 'tools', root: '/p', folders: { skills: [{ path: '/p/skills', only: ['pdf'] }] } },
    ];
    const places = { cwd: home, host: { env: {}, home }, plugins };
    expect(allResourceFolders('skills', places).at(-1)).toEqual({
      path: '/p/skills',
      only: ['pdf'],
      dialect: 'claude',
      scope: 'plugin',
      plugin: 'tools',
      pluginRoot: '/p',
    });
    expect(allResourceFolders('agents', places).every(({ scope }) => scope !== 'plugin')).toBe(true);
  });
});
