import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { PluginSource } from '@robota-sdk/agent-resources';
import { BundleInstaller } from '@robota-sdk/agent-resources';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { tarOf, zipOf } from '../../../agent-resources/src/plugins/fixtures/make-archive.ts';
import {
  answering,
  type Files,
  makeRepository,
  marketplaceFiles,
  pluginFiles,
  serveFiles,
  writeTree,
} from '../../../agent-resources/src/plugins/fixtures/plugin-stage.ts';
import { makeTestProject, type TestProject } from '../../../agent-sdk/src/fixtures/test-project.ts';
import { runPluginRequest } from './run-plugin-request.ts';

const yes = answering(true).ui;
const plugin = (...words: string[]) => ({
  in: (place: TestProject, ui = yes) => runPluginRequest(words, { ...place, ui }),
});
const registry = (place: TestProject) =>
  JSON.parse(readFileSync(join(place.home, '.robota/plugins/installed_plugins.json'), 'utf8')) as Record<
    string,
    unknown
  >;

async function installFrom(place: TestProject, source: PluginSource) {
  return new BundleInstaller({ ...place, scope: 'user' }).install({ source, confirm: async () => true });
}

const versioned = (version: string, more: Files = {}) => ({
  ...pluginFiles('one', more),
  '.claude-plugin/plugin.json': { name: 'one', version, description: 'One.' },
});

describe('BundleInstaller', () => {
  it('installs from a marketplace, switches off and on, lists and removes', async () => {
    proves('C-51', 'C-52', 'C-53', 'C-54', 'C-55', 'R-59', 'R-63');
    const place = await makeTestProject();
    const market = makeRepository(
      join(place.cwd, 'market'),
      marketplaceFiles('team', { one: pluginFiles('one') }),
    );
    await plugin('marketplace', 'add', market.url).in(place);
    const steps: string[] = [];
    const desk = { ...place, ui: yes, onProgress: (text: string) => void steps.push(text) };
    const { text } = await runPluginRequest(['install', 'one'], desk);
    expect(text).toContain('Installed one@team 1.0.0');
    expect(steps).toEqual(['Fetching plugins/one', 'Checking its contents']);
    const path = join(place.home, '.robota/plugins/cache/team/one/1.0.0');
    expect(registry(place)).toMatchObject({
      'one@team': {
        pluginName: 'one',
        marketplace: 'team',
        version: '1.0.0',
        installPath: 'cache/team/one/1.0.0',
        installedAt: expect.any(String),
      },
    });
    expect(statSync(join(path, 'commands/hello.md')).mode & 0o777).toBe(0o600);
    expect(statSync(join(place.home, '.robota/plugins/installed_plugins.json')).mode & 0o777).toBe(0o600);
    expect((await plugin('list').in(place)).text).toContain('one@team 1.0.0  enabled');
    await place.put('~/.robota/settings.json', '{\n  // mine\n  "language": "ko"\n}\n');
    await plugin('disable', 'one').in(place);
    expect((await plugin('list').in(place)).text).toContain('disabled');
    await plugin('enable', 'one@team').in(place);
    expect((await plugin('list').in(place)).data).toMatchObject([
      { id: 'one@team', enabled: true, changed: false },
    ]);
    expect(readFileSync(join(place.home, '.robota/settings.json'), 'utf8')).toContain('// mine');
    await plugin('uninstall', 'one').in(place);
    expect(registry(place)).toEqual({});
    expect(existsSync(join(place.home, '.robota/plugins/cache/team'))).toBe(false);
    await expect(plugin('uninstall', 'one').in(place)).rejects.toThrow(/not installed here; installed: none/);
  });

  it('installs from a folder, a repository at a branch, tag or commit, a folder of one, and archives', async () => {
    proves('C-51', 'R-59');
    const place = await makeTestProject();
    const repository = makeRepository(join(place.cwd, 'repo'), versioned('1.0.0'));
    const first = repository.git('rev-parse', 'HEAD');
    repository.git('tag', 'v1');
    repository.git('checkout', '-q', '-b', 'dev');
    repository.commit(versioned('2.0.0-dev.1'));
    repository.git('checkout', '-q', 'main');
    repository.commit({
      ...versioned('1.1.0'),
      ...Object.fromEntries(
        Object.entries(pluginFiles('deep')).map(([path, file]) => [`nested/deep/${path}`, file]),
      ),
    });
    const version = async (source: PluginSource) => (await installFrom(place, source))?.version;
    expect(await version({ kind: 'local', path: repository.path })).toBe('1.1.0');
    expect(await version({ kind: 'git', url: repository.url })).toBe('1.1.0');
    expect(await version({ kind: 'git', url: repository.url, ref: 'dev' })).toBe('2.0.0-dev.1');
    expect(await version({ kind: 'git', url: repository.url, ref: 'v1' })).toBe('1.0.0');
    expect(await version({ kind: 'git', url: repository.url, sha: first })).toBe('1.0.0');
    await expect(version({ kind: 'git', url: repository.url, sha: '0'.repeat(40) })).rejects.toThrow(
      /git says/,
    );
    await expect(version({ kind: 'git', url: repository.url, path: 'nowhere' })).rejects.toThrow(
      /No folder "nowhere"/,
    );
    expect(await installFrom(place, { kind: 'git', url: repository.url, path: 'nested/deep' })).toMatchObject(
      { name: 'deep' },
    );
    const entries = Object.entries(pluginFiles('packed')).map(([name, content]) => ({
      name: `packed-main/${name}`,
      text: typeof content === 'string' ? content : JSON.stringify(content),
    }));
    const server = await serveFiles({
      '/a.tar.gz': tarOf(entries),
      '/a.zip': zipOf(entries),
      '/moved.tgz': { status: 302, location: '/a.tar.gz' },
    });
    for (const name of ['a.tar.gz', 'a.zip', 'moved.tgz'])
      expect(await installFrom(place, { kind: 'archive', url: `${server.url}/${name}` }), name).toMatchObject(
        { id: 'packed@direct' },
      );
    await expect(version({ kind: 'archive', url: `${server.url}/gone.zip` })).rejects.toThrow(/status 404/);
    await server.close();
    await expect(version({ kind: 'archive', url: `${server.url}/a.zip` })).rejects.toThrow(
      /could not be downloaded/,
    );
  });

  it('updates to what is newer by semantic versions, and to other commits where there are none', async () => {
    proves('R-59');
    const place = await makeTestProject();
    const bare = { 'commands/a.md': 'A.' };
    const market = makeRepository(
      join(place.cwd, 'market'),
      marketplaceFiles('team', { one: versioned('9.0.0'), bare }),
    );
    await plugin('marketplace', 'add', market.url).in(place);
    await plugin('install', 'one').in(place);
    await plugin('install', 'bare').in(place);
    const commit = market.git('rev-parse', 'HEAD').slice(0, 12);
    expect(registry(place)).toMatchObject({ 'bare@team': { version: commit } });
    expect((await plugin('update').in(place)).text).toContain('one@team 9.0.0: up to date');
    market.commit(
      marketplaceFiles('team', { one: versioned('10.0.0-rc.1'), bare: { 'commands/a.md': 'B.' } }),
    );
    const asked = answering(true);
    const { text } = await plugin('update').in(place, asked.ui);
    expect(text).toContain('one@team: 9.0.0 → 10.0.0-rc.1');
    expect(text).toContain(`bare@team: ${commit} → `);
    expect(asked.asked[0]).toContain('Replace one@team 9.0.0 by 10.0.0-rc.1?');
    expect(readdirSync(join(place.home, '.robota/plugins/cache/team/one'))).toEqual(['10.0.0-rc.1']);
    market.commit(marketplaceFiles('team', { one: versioned('9.9.9'), bare }));
    expect((await plugin('update', 'one').in(place)).text).toBe(
      'one@team 10.0.0-rc.1: up to date; 9.9.9 is offered, which is older',
    );
    market.commit(marketplaceFiles('team', { one: versioned('10.0.0'), bare }));
    expect((await plugin('update', 'one').in(place, answering(false).ui)).text).toContain('left as it is');
    expect(registry(place)).toMatchObject({ 'one@team': { version: '10.0.0-rc.1' } });
  });

  it('replaces a version by another content of the same, and leaves nothing of a failed install', async () => {
    proves('R-59');
    const place = await makeTestProject();
    const folder = writeTree(join(place.cwd, 'one'), versioned('1.0.0'));
    const first = await installFrom(place, { kind: 'local', path: folder });
    writeTree(folder, { 'commands/new.md': 'New.' });
    const second = await installFrom(place, { kind: 'local', path: folder });
    expect(existsSync(join(second?.path ?? '', 'commands/new.md'))).toBe(true);
    expect(existsSync(first?.path ?? '')).toBe(false);
    writeTree(folder, { '.claude-plugin/plugin.json': '{ broken' });
    await expect(installFrom(place, { kind: 'local', path: folder })).rejects.toThrow(/Not valid JSON/);
    const stopped = new AbortController();
    const installer = new BundleInstaller({ ...place, scope: 'user', signal: stopped.signal });
    writeTree(folder, versioned('3.0.0'));
    const aborted = installer.install({
      source: { kind: 'local', path: folder },
      confirm: async () => {
        stopped.abort();
        return true;
      },
    });
    await expect(aborted).rejects.toThrow();
    expect((await installer.list()).map(({ version, isChanged }) => [version, isChanged])).toEqual([
      ['1.0.0', false],
    ]);
    expect(readdirSync(join(place.home, '.robota/plugins')).sort()).toEqual([
      'cache',
      'installed_plugins.json',
    ]);
    expect(readdirSync(join(place.home, '.robota/plugins/cache/direct/one'))).toHaveLength(1);
  });

  it('installs side by side without losing one', async () => {
    proves('R-59');
    const place = await makeTestProject();
    const names = ['a', 'b', 'c', 'd'];
    for (const name of names) writeTree(join(place.cwd, name), pluginFiles(name));
    const twice = [...names, ...names];
    await Promise.all(
      twice.map((name) => installFrom(place, { kind: 'local', path: join(place.cwd, name) })),
    );
    expect(Object.keys(registry(place)).sort()).toEqual(names.map((name) => `${name}@direct`));
    for (const name of names)
      expect(readdirSync(join(place.home, '.robota/plugins/cache/direct', name))).toHaveLength(1);
    for (const { problem, isChanged } of await new BundleInstaller({ ...place, scope: 'user' }).list())
      expect([problem, isChanged]).toEqual([undefined, false]);
  });

  it('installs for a project too, where everybody who works on it finds it', async () => {
    proves('R-59');
    const place = await makeTestProject();
    writeTree(join(place.cwd, 'one'), pluginFiles('one'));
    await plugin('install', './one', '--scope', 'project').in(place);
    expect(existsSync(join(place.cwd, '.robota/plugins/cache/direct/one/1.0.0/commands/hello.md'))).toBe(
      true,
    );
    expect((await plugin('list').in(place)).text).toContain('(project)');
    await plugin('disable', 'one').in(place);
    expect(JSON.parse(readFileSync(join(place.cwd, '.robota/settings.json'), 'utf8'))).toEqual({
      enabledPlugins: { 'one@direct': false },
    });
    await plugin('uninstall', 'one').in(place);
    expect((await plugin('list').in(place)).text).toContain('No plugins');
  });

  it('removing a marketplace takes its plugins along', async () => {
    proves('R-60', 'R-63');
    const place = await makeTestProject();
    writeTree(
      join(place.cwd, 'm'),
      marketplaceFiles('team', { one: pluginFiles('one'), two: pluginFiles('two') }),
    );
    await plugin('marketplace', 'add', './m').in(place);
    await plugin('install', 'one').in(place);
    const no = answering(false);
    expect((await plugin('marketplace', 'remove', 'team').in(place, no.ui)).isOk).toBe(false);
    expect(no.asked[0]).toContain('one@team');
    expect((await plugin('marketplace', 'remove', 'team').in(place)).text).toBe(
      'Removed the marketplace team, and one@team with it.',
    );
    expect(registry(place)).toEqual({});
  });

  it('says what to do where a name is unknown, doubtful or mistyped', async () => {
    proves('C-51');
    const place = await makeTestProject();
    for (const name of ['a', 'b'])
      writeTree(
        join(place.cwd, name),
        marketplaceFiles(name, { same: pluginFiles('same'), [`only-${name}`]: pluginFiles(`only-${name}`) }),
      );
    await expect(plugin('install', 'x').in(place)).rejects.toThrow(/None has been added yet/);
    for (const name of ['a', 'b']) await plugin('marketplace', 'add', `./${name}`).in(place);
    await expect(plugin('install', 'same').in(place)).rejects.toThrow(/same@a, same@b/);
    await expect(plugin('install', 'only_a').in(place)).rejects.toThrow(/Did you mean "only-a"/);
    await expect(plugin('install', 'same@c').in(place)).rejects.toThrow(
      /Unknown marketplace "c". Added: a, b/,
    );
    expect(await plugin('install', '../x@y').in(place)).toMatchObject({
      isOk: false,
      text: expect.stringContaining('The plugin ../x@y was not installed. No folder'),
    });
    await expect(plugin('instal', 'x').in(place)).rejects.toThrow(/Did you mean robota plugin install/);
    await expect(plugin('install').in(place)).rejects.toThrow(/Use: robota plugin install/);
    await expect(plugin('install', 'same@a', '--scop', 'user').in(place)).rejects.toThrow(
      /Did you mean --scope/,
    );
    await expect(plugin('install', 'same@a', '--scope', 'all').in(place)).rejects.toThrow(/user or project/);
    await expect(plugin('marketplace', 'ad', 'x').in(place)).rejects.toThrow(/Did you mean add/);
  });

  it('leaves out links that lead out and says so, and takes those that stay inside', async () => {
    proves('C-51');
    const place = await makeTestProject();
    const { symlinkSync } = await import('node:fs');
    const folder = writeTree(join(place.cwd, 'one'), pluginFiles('one'));
    symlinkSync('hello.md', join(folder, 'commands/also.md'));
    const installed = await installFrom(place, { kind: 'local', path: folder });
    expect(statSync(join(installed?.path ?? '', 'commands/also.md')).isFile()).toBe(true);
    symlinkSync('/etc/passwd', join(folder, 'commands/stolen.md'));
    symlinkSync('..', join(folder, 'commands/around'));
    const { data } = await plugin('install', folder, '--yes').in(place);
    expect(data).toMatchObject({
      problems: expect.arrayContaining([
        expect.stringMatching(/^commands\/around: The link leads out/),
        expect.stringMatching(/^commands\/stolen\.md: The link leads out/),
      ]),
    });
    const names = readdirSync((data as { path: string }).path, { recursive: true });
    expect(names.filter((name) => /stolen|around/.test(String(name)))).toEqual([]);
  });
});

describe('plugin new and validate', () => {
  it('makes a plugin that is in order, installs and does not overwrite anything', async () => {
    proves('R-58');
    const place = await makeTestProject();
    expect((await plugin('new', 'mine').in(place)).text).toContain('Created the plugin mine');
    expect(await plugin('validate', 'mine').in(place)).toMatchObject({ isOk: true });
    const asked = answering(true);
    await plugin('install', './mine').in(place, asked.ui);
    expect(asked.asked[0]).toMatch(
      /skills: explain-change\n.*commands: \/mine:hello\n.*agents: mine:reviewer\n.*\n.*hook PostToolUse/,
    );
    expect(asked.asked[0]).not.toContain('wrong');
    await expect(plugin('new', 'mine').in(place)).rejects.toThrow(/already exists/);
    await expect(plugin('new', '../x').in(place)).rejects.toThrow(/cannot be the name/);
    await expect(plugin('new', 'CON').in(place)).rejects.toThrow('Windows reserves this name for a device');
  });

  it('names every problem of a plugin and of a marketplace with file and line', async () => {
    proves('R-58');
    const place = await makeTestProject();
    writeTree(join(place.cwd, 'bad'), {
      '.claude-plugin/plugin.json':
        '{\n  "name": "bad",\n  "version": "one",\n  "permissions": {"allow": ["Bash(("]}\n}',
      'skills/x/SKILL.md': '---\nname: x\n---\nText.',
      'agents/y.md': '---\nname: "a\n} nonsense ]\n---\nText.',
      'commands/z.md': '---\ndescription: Nothing follows\n---\n',
      'hooks/hooks.json': { PreTooluse: [] },
    });
    const { isOk, data } = await plugin('validate', './bad').in(place);
    const problems = (data as { problems: string[] }).problems.map((line) =>
      line.slice(join(place.cwd, 'bad').length + 1),
    );
    expect(isOk).toBe(false);
    expect(problems.join('\n')).toMatch(/plugin\.json:2: The plugin has no "description"/);
    expect(problems.join('\n')).toMatch(/plugin\.json:3: Invalid "version" one/);
    expect(problems.join('\n')).toMatch(/skills\/x\/SKILL\.md:1: No "description"/);
    expect(problems.join('\n')).toMatch(/agents\/y\.md:\d+: /);
    expect(problems.join('\n')).toMatch(/commands\/z\.md: The command has no text/);
    expect(problems.join('\n')).toMatch(
      /hooks\.json:\d+: Unknown hook event "PreTooluse"\. Did you mean PreToolUse/,
    );
    writeTree(join(place.cwd, 'lsp'), {
      '.claude-plugin/plugin.json': { name: 'lsp', description: 'L.', lspServers: { ts: {} } },
      'hooks/hooks.json': { ElicitationResult: [] },
    });
    const foreign = await plugin('validate', './lsp').in(place);
    expect(foreign.isOk).toBe(true);
    expect(foreign.text).toContain('"lspServers" is not supported');
    const market = marketplaceFiles('m', {
      good: pluginFiles('good'),
      bad: { '.claude-plugin/plugin.json': '{' },
    });
    writeTree(join(place.cwd, 'm'), market);
    expect((await plugin('validate', 'm').in(place)).text).toMatch(
      /plugins\/bad\/\.claude-plugin\/plugin\.json:1:\d+: Not valid JSON/,
    );
  });
});
