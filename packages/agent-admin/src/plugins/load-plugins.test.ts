import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describeProblems } from '@robota-sdk/agent-core';
import { loadConfig } from '@robota-sdk/agent-resources';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import {
  answering,
  type Files,
  marketplaceFiles,
  pluginFiles,
  writeTree,
} from '../../../agent-resources/src/plugins/fixtures/plugin-stage.ts';
import { makeTestProject, type TestProject } from '../../../agent-sdk/src/fixtures/test-project.ts';
import { runPluginRequest } from './run-plugin-request.ts';

const command = (text: string) => [{ hooks: [{ type: 'command', command: text }] }];

async function install(place: TestProject, files: Files, ...more: string[]): Promise<void> {
  writeTree(join(place.cwd, 'source'), files);
  await runPluginRequest(['install', './source', '--yes', ...more], { ...place, ui: answering(true).ui });
  rmSync(join(place.cwd, 'source'), { recursive: true });
}

describe('loadPlugins', () => {
  it('gives what a plugin contributes, with its folder instead of its name, and its hooks before the user’s', async () => {
    proves('R-57');
    const place = await makeTestProject();
    await place.put('~/.robota/settings.json', {
      hooks: { Stop: command('mine') },
      permissions: { allow: ['Bash(ls)'] },
    });
    await install(
      place,
      pluginFiles('p', {
        '.claude-plugin/plugin.json': {
          name: 'p',
          version: '1.0.0',
          systemPrompt: `Files are in \${CLAUDE_PLUGIN_ROOT}.`,
          permissions: { allow: ['Bash(make)'], deny: ['Read(.env)'] },
        },
        'hooks/hooks.json': { Stop: command(`\${CLAUDE_PLUGIN_ROOT}/stop.sh`) },
        '.mcp.json': {
          db: { command: `\${CLAUDE_PLUGIN_ROOT}/db`, env: { DATA: `\${CLAUDE_PLUGIN_DATA}` } },
        },
      }),
    );
    const config = await loadConfig(place.cwd, { host: place.host });
    const root = join(place.home, '.robota/plugins/cache/direct/p/1.0.0');
    const data = join(place.home, '.robota/plugins/data/p-direct');
    expect(describeProblems(config.problems)).toEqual([]);
    expect(config.plugins).toMatchObject([
      {
        id: 'p@direct',
        scope: 'user',
        root,
        folders: { skills: [{ path: join(root, 'skills') }], commands: [{ path: join(root, 'commands') }] },
        mcpServers: { db: { command: `${root}/db`, env: { DATA: data } } },
        systemPrompt: `Files are in ${root}.`,
      },
    ]);
    expect(config.hooks?.map(({ hooks, env }) => [hooks[0]?.command, env])).toEqual([
      [`${root}/stop.sh`, { CLAUDE_PLUGIN_ROOT: root, CLAUDE_PLUGIN_PATH: root, CLAUDE_PLUGIN_DATA: data }],
      ['mine', undefined],
    ]);
    const { allow, deny } = config.settings.permissions;
    expect([...allow, ...deny].map(({ text }) => text)).toEqual(['Bash(ls)', 'Bash(make)', 'Read(.env)']);
    await place.put('~/.robota/settings.json', { disableAllHooks: true });
    expect((await loadConfig(place.cwd, { host: place.host })).hooks).toEqual([]);
  });

  it('leaves out what any settings file switches off, and the second of a name', async () => {
    proves('C-54', 'R-59');
    const place = await makeTestProject();
    await install(place, pluginFiles('p'));
    writeTree(join(place.home, 'm'), marketplaceFiles('m', { p: pluginFiles('p') }));
    const desk = { ...place, ui: answering(true).ui };
    await runPluginRequest(['marketplace', 'add', join(place.home, 'm')], desk);
    await runPluginRequest(['install', 'p@m'], desk);
    const both = await loadConfig(place.cwd, { host: place.host });
    expect(both.plugins?.map(({ id }) => id)).toEqual(['p@direct']);
    expect(describeProblems(both.problems)).toEqual([
      expect.stringContaining('The plugin p@m is skipped: p@direct has the same name'),
    ]);
    await place.put('.claude/settings.json', { enabledPlugins: { 'p@direct': false, 'other@m': true } });
    const one = await loadConfig(place.cwd, { host: place.host });
    expect(one.plugins?.map(({ id }) => id)).toEqual(['p@m']);
    expect(describeProblems(one.problems)).toEqual([
      expect.stringContaining('This project uses a plugin that is not installed here: other@m.'),
    ]);
  });

  it('names plugins that a project or another program uses, and can install them from where they are', async () => {
    const place = await makeTestProject();
    writeTree(join(place.cwd, 'tools/market'), marketplaceFiles('team', { p: pluginFiles('p') }));
    writeTree(join(place.home, 'theirs'), marketplaceFiles('theirs', { q: pluginFiles('q') }));
    const directory = (path: string) => ({ source: { source: 'directory', path } });
    await place.put('.claude/settings.json', {
      extraKnownMarketplaces: {
        team: directory('./tools/market'),
        evil: directory(join(place.home, 'theirs')),
      },
      enabledPlugins: { 'p@team': true, 'not a name; rm@x': true, 'off@team': false },
    });
    await place.put('~/.claude/settings.json', { enabledPlugins: { 'q@theirs': true, 'r@theirs': true } });
    await place.put('~/.claude/plugins/known_marketplaces.json', {
      theirs: directory(join(place.home, 'theirs')),
    });
    const { problems } = await loadConfig(place.cwd, { host: place.host });
    expect(problems).toMatchObject([
      {
        code: 'plugin.not-installed',
        message: 'This project uses a plugin that is not installed here: p@team.',
        hint: { run: ['plugin', 'install', 'p@team'] },
      },
      {
        message: 'Claude Code uses plugins that are not installed here: q@theirs, r@theirs.',
        hint: { run: ['plugin', 'install', 'q@theirs'] },
      },
    ]);
    const desk = { ...place, ui: answering(true).ui };
    expect((await runPluginRequest(['list'], desk)).text).toContain(
      'This project uses a plugin that is not installed here: p@team',
    );
    await expect(runPluginRequest(['install', 'q@evil'], desk)).rejects.toThrow('Unknown marketplace "evil"');
    for (const id of ['p@team', 'q@theirs']) await runPluginRequest(['install', id], desk);
    const after = await loadConfig(place.cwd, { host: place.host });
    expect(after.plugins?.map(({ id }) => id)).toEqual(['p@team', 'q@theirs']);
    expect(describeProblems(after.problems)).toEqual([
      expect.stringContaining('Claude Code uses a plugin that is not installed here: r@theirs'),
    ]);
  });

  it('uses plugins of a project only as they were agreed to, and asks again when a file of one changes', async () => {
    proves('R-59');
    const place = await makeTestProject();
    await install(
      place,
      pluginFiles('p', { 'hooks/hooks.json': { Stop: command('true') } }),
      '--scope',
      'project',
    );
    const shown: string[] = [];
    const load = () =>
      loadConfig(place.cwd, {
        host: place.host,
        askTrust: async (items) => {
          shown.push(...items.map(({ kind, name, content }) => `${kind} ${name}\n${content}`));
          return { trust: items, never: [] };
        },
      });
    expect((await loadConfig(place.cwd, { host: place.host })).plugins).toEqual([]);
    expect((await load()).plugins?.map(({ id }) => id)).toEqual(['p@direct']);
    expect(shown).toEqual([
      expect.stringMatching(/^plugin p@direct\n[\s\S]*hook Stop \(hooks\/hooks\.json\): true/),
    ]);
    expect((await load()).hooks).toHaveLength(1);
    expect(shown).toHaveLength(1);
    const root = join(place.cwd, '.robota/plugins/cache/direct/p/1.0.0');
    writeTree(root, { 'skills/greet/extra.md': 'new' });
    const changed = await loadConfig(place.cwd, { host: place.host });
    expect([changed.plugins, changed.hooks]).toEqual([[], []]);
    await load();
    expect(shown).toHaveLength(2);
    symlinkSync('/etc', join(root, 'commands/etc'));
    expect(describeProblems((await load()).problems).join()).toMatch(/p@direct is skipped: .*links/);
  });

  it('believes no registry that points elsewhere', async () => {
    proves('R-59');
    const place = await makeTestProject();
    writeTree(join(place.home, 'elsewhere'), pluginFiles('p'));
    const entry = { pluginName: 'p', marketplace: 'm', version: '1', installedAt: '' };
    await place.put('.robota/plugins/installed_plugins.json', {
      'p@m': { ...entry, installPath: join(place.home, 'elsewhere') },
      'q@m': { ...entry, pluginName: '../../q', installPath: 'cache/m/q/1' },
      'r@m': 'nonsense',
    });
    const { plugins, problems } = await loadConfig(place.cwd, { host: place.host, trustProject: true });
    const warnings = describeProblems(problems);
    expect(plugins).toEqual([]);
    expect(warnings).toHaveLength(3);
    await place.put('.robota/plugins/installed_plugins.json', '{ broken');
    const broken = await loadConfig(place.cwd, { host: place.host });
    expect(describeProblems(broken.problems).join()).toMatch(
      /No plugins of this project are used: .*installed_plugins\.json:1:/,
    );
  });

  it('takes plugins of a home directory that is worked in for the user’s own', async () => {
    proves('R-59');
    const place = await makeTestProject();
    await install(place, pluginFiles('p'));
    const { plugins, problems } = await loadConfig(place.home, { host: place.host });
    const warnings = describeProblems(problems);
    expect(plugins).toMatchObject([{ id: 'p@direct', scope: 'user' }]);
    expect(warnings).toEqual([]);
  });
});
