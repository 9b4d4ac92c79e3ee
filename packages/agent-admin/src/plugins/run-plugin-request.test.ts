import { join } from 'node:path';
import { silentInterface, type UserInterface } from '@robota-sdk/agent-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeTestProject, type TestProject } from '../../../agent-sdk/src/fixtures/test-project.ts';
import { runPluginRequest } from './run-plugin-request.ts';

let place: TestProject;
beforeEach(async () => {
  place = await makeTestProject();
});

const plugin = (...words: readonly string[]) => runPluginRequest(words, { ...place, ui: silentInterface });

/** Writes a marketplace with one plugin, and returns its folder. */
async function marketplace(name = 'shelf', plugins: unknown = [{ name: 'tidy', source: './tidy' }]) {
  await place.put(`${name}/.claude-plugin/marketplace.json`, { name, plugins });
  await place.put(`${name}/tidy/.claude-plugin/plugin.json`, { name: 'tidy', version: '1.0.0' });
  await place.put(`${name}/tidy/commands/tidy.md`, 'Tidy up.');
  return join(place.cwd, name);
}

describe('a request about plugins', () => {
  it.each([
    [['marketplace', 'ad', '.'], /Unknown subcommand "ad"\. Available: add, .* Did you mean add\?/],
    [['marketplace', 'add'], /marketplace add SOURCE/],
    [['marketplace', 'add', './missing'], /./],
    [['marketplace', 'remove', 'nothing'], /nothing/],
    [['install'], /./],
    [['install', 'tidy@nowhere'], /nowhere/],
    [['uninstall', 'tidy'], /tidy/],
    [['enable', 'tidy@shelf'], /tidy/],
    [['validate', './missing'], /./],
  ])('refuses %j and adds nothing', async (words, expected) => {
    await expect(plugin(...words)).rejects.toThrow(expected);
    const marketplaces = (await plugin('marketplace', 'list')).data;
    expect(marketplaces).not.toContainEqual(expect.objectContaining({ added: true }));
    expect((await plugin('list')).data).toEqual([]);
  });

  it('refuses a folder that is no marketplace, and one whose name cannot be used', async () => {
    await place.put('empty/readme.md', '');
    await expect(plugin('marketplace', 'add', './empty')).rejects.toThrow('Not a marketplace');
    const folder = await marketplace('shelf');
    await place.put('shelf/.claude-plugin/marketplace.json', { name: '../up', plugins: [] });
    await expect(plugin('marketplace', 'add', folder)).rejects.toThrow('Invalid "name" "../up"');
  });

  it('leaves out entries that cannot be used or are listed twice, and names them', async () => {
    const tidy = { name: 'tidy', source: './tidy' };
    const folder = await marketplace('shelf', [
      tidy,
      tidy,
      { name: 'a/b', source: './tidy' },
      'text',
      { name: 'far' },
    ]);
    const { text, data } = await plugin('marketplace', 'add', folder);
    expect(data).toMatchObject({ name: 'shelf', plugins: ['tidy'] });
    expect(text).toContain('The plugin "tidy" is listed twice; the first one counts.');
    expect(text).toContain('The plugin "a/b" cannot be used');
    expect(text).toContain('The plugin "far" cannot be used');
    expect(text).toContain('Added the marketplace shelf with 1 plugin.');
  });

  it('removes a marketplace with its plugins only if the user agrees', async () => {
    await plugin('marketplace', 'add', await marketplace());
    await plugin('install', '--yes', 'tidy@shelf');
    await expect(plugin('marketplace', 'remove', 'shelf')).rejects.toThrow('No user is available to confirm');
    const ui: UserInterface = { ...silentInterface, ask: async () => ({ kind: 'confirmed', yes: false }) };
    const refused = await runPluginRequest(['marketplace', 'remove', 'shelf'], { ...place, ui });
    expect(refused).toEqual({ isOk: false, text: 'Nothing was removed.' });
    expect((await plugin('list')).text).toContain('tidy');
    const removed = await plugin('marketplace', 'remove', '--yes', 'shelf');
    expect(removed.text).toBe('Removed the marketplace shelf, and tidy@shelf with it.');
  });

  it('updates the other marketplaces where one cannot be read', async () => {
    await plugin('marketplace', 'add', await marketplace('one'));
    await plugin('marketplace', 'add', await marketplace('two'));
    await place.put('one/.claude-plugin/marketplace.json', '{');
    const { isOk, text } = await plugin('marketplace', 'update');
    expect(isOk).toBe(false);
    expect(text).toMatch(/^one: not updated: .*\n(?:.*\n)*two: 1 plugin$/);
  });
});
