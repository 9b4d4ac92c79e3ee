import { describeProblems } from '@robota-sdk/agent-core';
import { chooseSandbox, loadConfig } from '@robota-sdk/agent-resources';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { makeTestProject } from '../../../agent-sdk/src/fixtures/test-project.ts';
import { explainSetting } from './explain-setting.ts';

describe("Claude Code's settings", () => {
  it('translates the sandbox, and says with file and line what it has no counterpart for', async () => {
    proves('R-43');
    const place = await makeTestProject();
    const file = await place.put(
      '~/.claude/settings.json',
      `{"sandbox": {
        "enabled": true, "autoAllowBashIfSandboxed": false,
        "excludedCommands": ["docker"],
        "network": { "allowedDomains": ["github.com"], "allowLocalBinding": true },
        "filesystem": { "allowWrite": ["//tmp/x", "~/.cache"], "denyRead": ["~/secret"] }
      }}`,
    );
    const config = await loadConfig(place.cwd, place);
    const { mode, policy } = chooseSandbox(config);
    expect(mode).toBe('auto');
    expect(policy).toMatchObject({ network: { allow: ['github.com'] }, writable: ['/tmp/x', '~/.cache'] });
    expect(policy.hidden).toContain('~/secret');
    expect(describeProblems(config.problems)).toEqual([
      expect.stringContaining(`${file}:3: sandbox.excludedCommands: `),
      expect.stringContaining(`${file}:4: sandbox.network.allowLocalBinding: `),
    ]);
    expect(await explainSetting(['sandbox', 'mode'], place)).toMatchObject({ value: 'auto' });
  });

  it('says how commands in the sandbox are allowed where Claude Code allows them by a switch', async () => {
    proves('R-43');
    const place = await makeTestProject();
    await place.put('~/.claude/settings.json', {
      sandbox: { enabled: true, autoAllowBashIfSandboxed: true },
    });
    expect(describeProblems((await loadConfig(place.cwd, place)).problems)).toEqual([
      expect.stringContaining('Allow them with permissions.allow, such as Bash(*).'),
    ]);
  });

  it.each([{ enabled: false }, {}, { enabled: true, network: { allowedDomains: ['no host!'] } }])(
    'a sandbox that is off or does not fit costs only itself: %j',
    async (sandbox) => {
      proves('R-43');
      const place = await makeTestProject();
      await place.put('~/.claude/settings.json', { sandbox, language: 'ko' });
      const config = await loadConfig(place.cwd, place);
      expect(config.settings).toMatchObject({ language: 'ko' });
      expect(chooseSandbox(config).mode).toBe('off');
    },
  );

  it('names file and line of a sandbox of our own that cannot be read', async () => {
    const place = await makeTestProject();
    const file = await place.put('~/.robota/settings.json', '{\n"sandbox": {"enabled": true}}');
    await expect(loadConfig(place.cwd, place)).rejects.toThrow(`${file}:2: sandbox.enabled is unknown`);
  });

  it('reads settings.local.json of a project above settings.json and below ours', async () => {
    proves('R-43');
    const place = await makeTestProject();
    await place.put('.robota/settings.json', { maxTurns: 3 });
    await place.put('.claude/settings.local.json', {
      language: 'ja',
      maxTurns: 4,
      permissions: { deny: ['Read(.env)'], allow: ['Bash(make)'] },
    });
    await place.put('.claude/settings.json', { language: 'de' });
    const { settings, problems } = await loadConfig(place.cwd, place);
    const warnings = describeProblems(problems);
    expect(settings).toMatchObject({ language: 'ja', maxTurns: 3 });
    expect(settings.permissions.deny.map(({ text }) => text)).toEqual(['Read(.env)']);
    expect(settings.permissions.allow).toEqual([]);
    expect(warnings.join()).toMatch(/not trusted[\s\S]*allow rule Bash\(make\)/);
  });

  it.each([
    ['opusplan', 'opus'],
    ['best', 'opus'],
    ['sonnet[1m]', 'sonnet'],
    ['claude-opus-4-6[1m]', 'claude-opus-4-6'],
    ['default', undefined],
    ['haiku', 'haiku'],
    ['openrouter/x/y', 'openrouter/x/y'],
  ])('the model %s is %s', async (model, expected) => {
    proves('R-43');
    const place = await makeTestProject();
    await place.put('~/.claude/settings.json', { model });
    const { settings, problems } = await loadConfig(place.cwd, place);
    const warnings = describeProblems(problems);
    expect(settings.model).toBe(expected);
    expect(warnings).toEqual([]);
  });

  it('an unknown model is ignored, and the file is named', async () => {
    proves('R-43');
    const place = await makeTestProject();
    const file = await place.put('~/.claude/settings.json', '{\n "model": "glm-4.6" }');
    const { settings, problems } = await loadConfig(place.cwd, place);
    const warnings = describeProblems(problems);
    expect(settings.model).toBe(undefined);
    expect(warnings).toEqual([expect.stringContaining(`${file}:2: model: Unknown model "glm-4.6"`)]);
  });

  it('says what of a gateway was seen and is not used, without the values', async () => {
    proves('R-43');
    const place = await makeTestProject();
    const env = { ANTHROPIC_BASE_URL: 'https://gate.example', ANTHROPIC_AUTH_TOKEN: 'tok-1', OTHER: 'x' };
    await place.put('~/.claude/settings.json', { env, apiKeyHelper: '/bin/key' });
    const { problems } = await loadConfig(place.cwd, place);
    const warnings = describeProblems(problems);
    expect(warnings.map((each) => each.replace(/^.*?json:\d+: (\S+): .*$/, '$1'))).toEqual([
      'env.ANTHROPIC_BASE_URL',
      'env.ANTHROPIC_AUTH_TOKEN',
      'apiKeyHelper',
    ]);
    expect(warnings.join()).not.toContain('tok-1');
  });
});
