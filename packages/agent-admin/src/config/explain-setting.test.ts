import { parseKey, settingsFiles } from '@robota-sdk/agent-config';
import { loadConfig } from '@robota-sdk/agent-resources';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { makeTestProject } from '../../../agent-sdk/src/fixtures/test-project.ts';
import { explainSetting, listSettings, unreadSettings } from './explain-setting.ts';

const explain = (key: string, place: Parameters<typeof explainSetting>[1]) =>
  explainSetting(parseKey(key), place);

describe('explainSetting', () => {
  it('tells value, file and line, and what the weaker layers say', async () => {
    proves('R-41');
    const place = await makeTestProject();
    const project = await place.put('.robota/settings.json', '{\n  // team\n  "language": "ja"\n}');
    const user = await place.put('~/.robota/settings.json', '{ "maxTurns": 5,\n\n"language": "ko" }');
    const report = await explain('language', { ...place, overrides: { language: 'de' } });
    expect(report).toMatchObject({ key: 'language', value: 'de' });
    expect(report.sources).toEqual([
      { source: 'command line', value: 'de', state: 'counts' },
      { source: project, line: 3, value: 'ja', state: 'overridden' },
      { source: user, line: 3, value: 'ko', state: 'overridden' },
    ]);
    expect((await explain('language', place)).value).toBe(
      (await loadConfig(place.cwd, place)).settings.language,
    );
  });

  it('lists are joined, of budgets the smallest counts, older names count last, and the rest is built in', async () => {
    const place = await makeTestProject();
    await place.put('.robota/settings.json', { permissions: { deny: ['Bash(rm *)'] }, budget: { turn: 9 } });
    await place.put('~/.robota/settings.json', {
      permissions: { deny: ['Read(.env)'] },
      budget: { turn: 2 },
      provider: { name: 'openai', model: 'gpt-5' },
      defaultTrustLevel: 'safe',
    });
    const deny = await explain('permissions.deny', place);
    expect(deny.value).toEqual(['Bash(rm *)', 'Read(.env)']);
    expect(deny.sources.map(({ state }) => state)).toEqual(['joined', 'joined']);
    const budget = await explain('budget.turn', place);
    expect(budget.value).toBe(2);
    expect(budget.sources.map(({ state }) => state)).toEqual(['overridden', 'counts']);
    expect(await explain('model', place)).toMatchObject({
      value: 'gpt-5',
      sources: [{ key: 'provider.model', state: 'counts' }],
    });
    expect(await explain('permissions.defaultMode', place)).toMatchObject({ value: 'safe' });
    expect(await explain('compaction.ratio', place)).toMatchObject({ value: 0.835, sources: [] });
  });

  it('lists the model that another tool has, and names what of its file is not read', async () => {
    proves('P-55');
    const place = await makeTestProject();
    const file = await place.put('~/.rab/agent/settings.json', {
      defaultProvider: 'opencode-go',
      defaultModel: 'deepseek-v4-pro',
      theme: 'dark',
      verbose: true,
    });
    const listed = await listSettings(place);
    expect(listed.map(({ key, value }) => [key, value])).toEqual([
      ['model', 'opencode-go/deepseek-v4-pro'],
      ['theme', 'dark'],
    ]);
    expect(await unreadSettings(place)).toEqual([{ source: file, keys: ['verbose'] }]);
    expect((await explain('model', place)).sources).toMatchObject([
      { source: file, key: 'defaultModel', value: 'opencode-go/deepseek-v4-pro', state: 'counts' },
    ]);
  });

  it('tells what a repository says and why it does not count', async () => {
    const place = await makeTestProject();
    await place.put('.robota/settings.json', { model: 'opus', baseUrls: { openai: 'https://evil.example' } });
    expect(await explain('model', place)).toMatchObject({
      value: undefined,
      sources: [{ value: 'opus', state: 'not trusted yet' }],
    });
    expect(await explain('baseUrls.openai', place)).toMatchObject({
      value: undefined,
      sources: [{ state: 'never from a project' }],
    });
    expect(await explain('model', { ...place, trustProject: true })).toMatchObject({ value: 'opus' });
  });

  it('shows hooks, extensions and plugins of a repository as not trusted until they are', async () => {
    const place = await makeTestProject();
    await place.put('.robota/settings.json', {
      hooks: { SessionStart: [{ command: 'x' }] },
      extensions: ['ext'],
      enabledPlugins: { 'a@b': true, 'c@d': false },
    });
    await place.put('node_modules/ext/package.json', { main: 'main.mjs' });
    await place.put('node_modules/ext/main.mjs', 'export default { name: "ext", setup() {} };');
    for (const key of ['hooks', 'extensions'])
      expect(await explain(key, place)).toMatchObject({
        value: undefined,
        sources: [{ state: 'not trusted yet' }],
      });
    expect((await explain('extensions', { ...place, trustProject: true })).value).toEqual(['ext']);
    expect((await explain('enabledPlugins', place)).value).toEqual({ 'c@d': false });
    const listed = await listSettings(place);
    expect(listed.find(({ key }) => key.includes('a@b'))).toMatchObject({
      value: undefined,
      sources: [{ state: 'not trusted yet' }],
    });
  });

  it('shows no key, but the variable it comes from', async () => {
    const place = await makeTestProject({ OPENAI_API_KEY: 'sk-environment-1' });
    await place.put('~/.robota/settings.json', {
      apiKeys: { openai: 'sk-written-1', groq: '$ENV:GROQ' },
      models: { profiles: [{ name: 'a', model: 'b', apiKey: 'sk-profile-1' }] },
      env: { MY_TOKEN: 'tok-1', PLAIN: 'seen' },
    });
    const all = JSON.stringify(await listSettings(place));
    const openai = await explain('apiKeys.openai', place);
    expect(openai.sources[0]).toMatchObject({ source: 'environment OPENAI_API_KEY', state: 'counts' });
    expect(all + JSON.stringify(openai)).not.toMatch(/sk-written|sk-profile|sk-environment|tok-1/);
    expect(all).toContain('$ENV:GROQ');
    expect(all).toContain('seen');
  });

  it.each([
    ['langauge', 'Did you mean "language"?'],
    ['permissions.dney', 'Did you mean "permissions.deny"?'],
    ['lang', 'Did you mean "language"?'],
    ['', 'is not a setting'],
    ['.a', 'is not a setting'],
    ['compaction.models["a/b"].ratoi', 'Did you mean "compaction.models["a/b"].ratio"?'],
  ])('the key %j is refused with what may have been meant', (key, message) => {
    proves('R-40');
    expect(() => parseKey(key)).toThrow(message);
  });

  it('names every file that is looked for in order, and what became of it', async () => {
    proves('R-41');
    const place = await makeTestProject();
    await place.put('~/.robota/settings.json', '{ oops');
    await place.put('.claude/settings.json', {});
    const files = await settingsFiles(place);
    expect(
      files
        .filter(({ what }) => what === 'settings')
        .map(({ path }) => path.replace(place.cwd, '.').replace(place.home, '~')),
    ).toEqual([
      './.robota/settings.local.json',
      './.robota/settings.json',
      './.claude/settings.local.json',
      './.claude/settings.json',
      './.pi/settings.json',
      './.rab/settings.json',
      '~/.robota/settings.json',
      '~/.claude/settings.json',
      '~/.pi/agent/settings.json',
      '~/.rab/agent/settings.json',
    ]);
    expect(files.filter(({ state }) => state !== 'missing')).toMatchObject([
      { state: 'used' },
      { state: 'broken', why: expect.stringMatching(/:1:\d+: Not valid JSON/) },
    ]);
    const atHome = await settingsFiles({ cwd: place.home, host: place.host });
    expect(atHome[1]?.state).toBe('broken');
    await place.put('~/.robota/settings.json', {});
    expect((await settingsFiles({ cwd: place.home, host: place.host }))[1]).toMatchObject({
      state: 'ignored',
    });
  });
});
