import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describeProblems } from '@robota-sdk/agent-core';
import { defaultMarketplace, MarketplaceClient, parseSource, readSource } from '@robota-sdk/agent-resources';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import {
  answering,
  makeRepository,
  marketplaceFiles,
  pluginFiles,
  serveFiles,
  writeTree,
} from '../../../agent-resources/src/plugins/fixtures/plugin-stage.ts';
import { makeTestProject } from '../../../agent-sdk/src/fixtures/test-project.ts';
import { runPluginRequest } from './run-plugin-request.ts';

describe('MarketplaceClient', () => {
  it('adds, lists, updates and removes marketplaces from git', async () => {
    proves('R-60', 'C-56');
    const place = await makeTestProject();
    const repository = makeRepository(
      join(place.cwd, 'market'),
      marketplaceFiles('team', { one: pluginFiles('one') }),
    );
    const client = new MarketplaceClient(place);
    const added = await client.add({ kind: 'git', url: repository.url });
    expect(added).toMatchObject({ name: 'team', commit: repository.git('rev-parse', 'HEAD') });
    await expect(client.add({ kind: 'git', url: repository.url })).rejects.toThrow(/already/);
    const known = JSON.parse(
      readFileSync(join(place.home, '.robota/plugins/known_marketplaces.json'), 'utf8'),
    );
    expect(known).toMatchObject({
      team: {
        source: { type: 'git', url: repository.url },
        installLocation: added.path,
        lastUpdated: expect.any(String),
      },
    });
    repository.commit(marketplaceFiles('team', { one: pluginFiles('one'), two: pluginFiles('two') }));
    expect((await client.update('team')).manifest.entries.map(({ name }) => name)).toEqual(['one', 'two']);
    expect((await client.list()).map(({ name }) => name)).toEqual(['team']);
    await client.remove('team');
    expect(await client.list()).toEqual([]);
    await expect(client.get('team')).rejects.toThrow(/none yet/);
  });

  it('keeps the old one when an update fails', async () => {
    proves('R-60');
    const place = await makeTestProject();
    const repository = makeRepository(
      join(place.cwd, 'market'),
      marketplaceFiles('team', { one: pluginFiles('one') }),
    );
    const client = new MarketplaceClient(place);
    await client.add({ kind: 'git', url: repository.url });
    repository.commit({ '.claude-plugin/marketplace.json': '{ broken' });
    await expect(client.update('team')).rejects.toThrow(/Not valid JSON/);
    rmSync(repository.path, { recursive: true });
    await expect(client.update('team')).rejects.toThrow(/git says/);
    expect((await client.open('team')).manifest.entries).toHaveLength(1);
  });

  it('knows one marketplace by itself and never asks it unasked', async () => {
    proves('R-61');
    const place = await makeTestProject();
    const desk = { ...place, ui: answering(false).ui };
    const { text, data } = await runPluginRequest(['marketplace', 'list'], desk);
    expect(text).toContain(`${defaultMarketplace.name}  https://github.com/anthropics/`);
    expect(data).toMatchObject([{ name: defaultMarketplace.name, added: false }]);
    await expect(runPluginRequest(['install', `x@${defaultMarketplace.name}`], desk)).rejects.toThrow(
      /not added/,
    );
  });

  it('finds plugins by name, keyword and category, the best first', async () => {
    proves('R-62');
    const place = await makeTestProject();
    const plugins = [
      {
        name: 'formatter',
        source: './f',
        description: 'Formats code',
        category: 'development',
        keywords: ['style'],
      },
      {
        name: 'reviewer',
        source: './r',
        description: 'Reviews what a formatter leaves',
        category: 'quality',
        tags: ['style', 'pr'],
      },
      { name: 'deploy', source: './d', description: 'Deploys', category: 'Operations' },
    ];
    writeTree(join(place.cwd, 'm'), {
      '.claude-plugin/marketplace.json': { name: 'm', owner: { name: 'x' }, plugins },
    });
    const client = new MarketplaceClient(place);
    await client.add({ kind: 'local', path: join(place.cwd, 'm') });
    const names = async (search: Parameters<typeof client.search>[0]) =>
      (await client.search(search)).found.map(({ entry }) => entry.name);
    expect(await names({ text: 'formatter' })).toEqual(['formatter', 'reviewer']);
    expect(await names({ text: 'STYLE' })).toEqual(['formatter', 'reviewer']);
    expect(await names({ text: 'style pr' })).toEqual(['reviewer']);
    expect(await names({ category: 'operations' })).toEqual(['deploy']);
    expect(await names({ text: 'nothing' })).toEqual([]);
    expect(await names({})).toHaveLength(3);
  });

  it('names a marketplace that is gone or broken, and uses the others', async () => {
    proves('R-62');
    const place = await makeTestProject();
    for (const name of ['a', 'b', 'c'])
      writeTree(
        join(place.cwd, name),
        marketplaceFiles(name, { [`${name}-plugin`]: pluginFiles(`${name}-plugin`) }),
      );
    const client = new MarketplaceClient(place);
    for (const name of ['a', 'b', 'c']) await client.add({ kind: 'local', path: join(place.cwd, name) });
    const marketplaces = join(place.home, '.robota/plugins/marketplaces');
    rmSync(join(marketplaces, 'a'), { recursive: true });
    writeTree(join(marketplaces, 'b'), { '.claude-plugin/marketplace.json': '{"name": }' });
    const { found, problems } = await client.search({});
    expect(found.map(({ entry }) => entry.name)).toEqual(['c-plugin']);
    expect(problems).toHaveLength(2);
    expect(describeProblems(problems).join()).toMatch(
      /Cannot read the marketplace "a": .*Cannot read the marketplace "b": .*marketplace\.json:1:/s,
    );
  });

  it('names the entries of a marketplace that cannot be used, with their lines', async () => {
    proves('R-60');
    const place = await makeTestProject();
    const entries = [
      { name: 'good', source: './good' },
      { name: 'Explanatory Style', source: './x' },
      { name: 'escape', source: '../../etc' },
      { name: 'absolute', source: { source: 'local', path: '/etc' } },
      { name: 'option', source: { source: 'github', repo: '--upload-pack=x/y' } },
      { name: 'plain-http', source: { source: 'url', url: 'http://example.com/x.git' } },
      {
        name: 'no-commit',
        source: { source: 'git-subdir', url: 'https://example.com/x.git', path: 'a', sha: 'abc' },
      },
      { name: 'shell', source: { source: 'git', url: 'ext::sh -c touch% x' } },
      { name: 'reference', source: { source: 'git', url: 'https://example.com/x.git', ref: '--output=x' } },
      { name: 'good', source: './again' },
      { source: './nameless' },
      'nonsense',
    ];
    const server = await serveFiles({
      '/m.json': Buffer.from(JSON.stringify({ name: 'm', owner: { name: 'x' }, plugins: entries }, null, 1)),
    });
    const { manifest } = await new MarketplaceClient(place).add({
      kind: 'manifest',
      url: `${server.url}/m.json`,
    });
    await server.close();
    expect(manifest.entries.map(({ name }) => name)).toEqual(['good']);
    expect(manifest.problems).toHaveLength(entries.length - 1);
    expect(manifest.problems.filter(({ source }) => source.line !== undefined)).toHaveLength(
      entries.length - 3,
    );
  });

  it('settings name more marketplaces, a project only as a suggestion', async () => {
    proves('R-60');
    const place = await makeTestProject();
    const market = makeRepository(
      join(place.cwd, 'market'),
      marketplaceFiles('team', { one: pluginFiles('one') }),
    );
    await place.put('~/.robota/settings.json', {
      extraKnownMarketplaces: { team: { source: { source: 'git', url: market.url } } },
    });
    await place.put('.claude/settings.json', {
      extraKnownMarketplaces: {
        'claude-plugins-official': { source: { source: 'github', repo: 'evil/one' } },
      },
    });
    const person = answering(true);
    const desk = { ...place, ui: person.ui };
    expect((await runPluginRequest(['marketplace', 'list'], desk)).text).not.toContain('evil');
    expect(await runPluginRequest(['install', 'one@team'], desk)).toMatchObject({ isOk: true });
    expect(person.asked[0]).toContain('The marketplace team has not been added yet');
  });
});

describe('sources', () => {
  const place = { cwd: '/project', home: '/home-of-u' };

  it('reads folders, repositories and archives', () => {
    proves('C-51', 'R-63');
    expect(parseSource('./x', place)).toEqual({ kind: 'local', path: '/project/x' });
    expect(parseSource('~/x', place)).toEqual({ kind: 'local', path: '/home-of-u/x' });
    expect(parseSource('owner/repo', place)).toEqual({
      kind: 'git',
      url: 'https://github.com/owner/repo.git',
    });
    expect(parseSource('owner/repo#v1.2', place)).toMatchObject({ ref: 'v1.2' });
    expect(parseSource(`owner/repo#${'a'.repeat(40)}`, place)).toMatchObject({ sha: 'a'.repeat(40) });
    expect(parseSource('git@github.com:o/r.git', place)).toEqual({
      kind: 'git',
      url: 'git@github.com:o/r.git',
    });
    expect(parseSource('https://example.com/p.tar.gz', place)).toMatchObject({ kind: 'archive' });
    expect(parseSource('https://example.com/r#dev', place)).toMatchObject({ kind: 'git', ref: 'dev' });
  });

  it('refuses what git or a shell could take for something else', () => {
    proves('R-63');
    const bad = [
      '-x',
      '--upload-pack=x',
      'ext::sh',
      'https://-x/y',
      'ssh://-oProxyCommand=x/y',
      'a b',
      'x',
      'owner/repo#-x',
    ];
    for (const text of [
      ...bad,
      'owner/repo#a..b',
      'owner/repo#',
      'http://example.com/x',
      'git@-x:y',
      'file:///x\ny',
    ])
      expect(() => parseSource(text, place), text).toThrow();
    expect(() => readSource({ source: 'git', url: 'file:///x' }, { local: false })).toThrow(/only you/);
  });
});
