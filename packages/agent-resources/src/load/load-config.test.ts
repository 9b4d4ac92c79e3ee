import { chmod, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { decide, describeProblems, resolveModel } from '@robota-sdk/agent-core';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { makeTestProject } from '../../../agent-sdk/src/fixtures/test-project.ts';
import { loadConfig } from './load-config.ts';

const layerFiles = [
  '.robota/settings.local.json',
  '.robota/settings.json',
  '.claude/settings.json',
  '~/.robota/settings.json',
  '~/.claude/settings.json',
] as const;

describe('loadConfig', () => {
  it('works on its own, with defaults where there are no files', async () => {
    proves('R-6');
    const { cwd, host } = await makeTestProject();
    const config = await loadConfig(cwd, { host });
    expect(config.sources).toEqual([]);
    expect(describeProblems(config.problems)).toEqual([]);
    expect(config.settings).toMatchObject({
      permissions: { allow: [], ask: [], deny: [] },
      excludeTools: [],
      apiKeys: {},
      allowInsecureHttp: false,
    });
  });

  it.each(layerFiles.map((_, index) => index))(
    'the layers stand above each other in the documented order, as seen from layer %i',
    async (strongest) => {
      proves('R-41');
      const { cwd, host, put } = await makeTestProject();
      for (const [index, file] of layerFiles.entries())
        if (index >= strongest) await put(file, { language: `layer-${index}` });
      const config = await loadConfig(cwd, { host });
      expect(config.settings.language).toBe(`layer-${strongest}`);
      expect(config.sources).toHaveLength(layerFiles.length - strongest);
    },
  );

  it('settings of rab and pi count below ours, a project over the user, in our words', async () => {
    proves('P-55');
    const { cwd, host, put } = await makeTestProject();
    await put('~/.rab/agent/settings.json', {
      defaultProvider: 'opencode-go',
      defaultModel: 'deepseek-v4-pro',
      defaultThinkingLevel: 'low',
      tools: ['read', 'bash', 'find'],
      excludeTools: ['bash'],
      theme: 'dark',
      verbose: true,
    });
    const user = await loadConfig(cwd, { host });
    expect(user.settings).toMatchObject({
      foreignModel: 'opencode-go/deepseek-v4-pro',
      thinking: 'low',
      tools: ['Read', 'Bash', 'Glob'],
      excludeTools: ['Bash'],
    });
    expect(describeProblems(user.problems)).toEqual([]);
    await put('.rab/settings.json', { defaultModel: 'deepseek-v4-flash', tools: ['read'] });
    const project = await loadConfig(cwd, { host, trustProject: true });
    expect(project.settings).toMatchObject({
      foreignModel: 'opencode-go/deepseek-v4-flash',
      thinking: 'low',
      tools: ['Read'],
    });
    await put('.robota/settings.json', { model: 'sonnet' });
    expect((await loadConfig(cwd, { host, trustProject: true })).settings.model).toBe('sonnet');
  });

  it('the spelling opencode_go, the theme and the queues of rab and pi count as well', async () => {
    proves('P-51', 'P-55');
    const { cwd, host, put } = await makeTestProject();
    await put('~/.rab/agent/settings.json', {
      defaultProvider: 'opencode_go',
      defaultModel: 'deepseek-v4-pro',
      theme: 'light',
      hideThinkingBlock: true,
      steeringMode: 'all',
      followUpMode: 'all',
      compaction: { enabled: false },
      retry: { maxRetries: 1 },
    });
    const { settings } = await loadConfig(cwd, { host });
    expect(settings).toMatchObject({
      steeringMode: 'all',
      followUpMode: 'all',
      terminal: { theme: 'light', hideThinking: true },
      compaction: { enabled: false },
      retry: { maxRetries: 1 },
    });
    expect(resolveModel(settings.foreignModel ?? '')).toMatchObject({
      ok: true,
      model: { vendor: 'opencode-go', id: 'deepseek-v4-pro' },
    });
  });

  it('the same file works as our own', async () => {
    proves('P-55');
    const { cwd, host, put } = await makeTestProject();
    await put('~/.robota/settings.json', { defaultProvider: 'opencode_go', defaultModel: 'deepseek-v4-pro' });
    const { settings } = await loadConfig(cwd, { host });
    expect(settings.model).toBe('opencode_go/deepseek-v4-pro');
  });

  it.each([
    [
      '{"permissions": {"deny": ["Bash(rm *)"]},\n"permissions": {"allow": []}}',
      /:2: Duplicate key "permissions"/,
    ],
    [
      '{"permissions": {\n"Deny": ["Bash(rm *)"]}}',
      /:2: Unknown setting "permissions.Deny"\..* Did you mean "permissions.deny"\?/,
    ],
    ['{"permissions": {"denny": ["Bash(rm *)"]}}', /Did you mean "permissions.deny"\?/],
    [
      '{\n"permisions": {"deny": ["Bash(rm *)"]}}',
      /:2: Unknown setting "permisions"\..* Did you mean "permissions"\?/,
    ],
    ['{"hook": {"PreToolUse": []}}', /Unknown setting "hook"\..* Did you mean "hooks"\?/],
    ['{"sandbx": "on"}', /Unknown setting "sandbx"\..* Did you mean "sandbox"\?/],
    ['{"excludeTool": ["Bash"]}', /Unknown setting "excludeTool"\..* Did you mean "excludeTools"\?/],
  ])('never loses denials to a slip: %s', async (text, message) => {
    const { cwd, host, put } = await makeTestProject();
    await put('.robota/settings.json', text);
    // A repository must not be able to prevent a start, so every call needs your approval instead.
    const { settings, problems } = await loadConfig(cwd, { host });
    const warnings = describeProblems(problems);
    expect(warnings.join('\n')).toMatch(message);
    expect(warnings.join('\n')).toContain('so every call needs your approval');
    expect(settings.permissions.ask).toContainEqual(expect.objectContaining({ tool: '*' }));
    await put('.robota/settings.json', '{}');
    await put('~/.robota/settings.json', text);
    await expect(loadConfig(cwd, { host })).rejects.toThrow(message);
  });

  it.each([
    ['.robota/settings.json', '{ oops'],
    ['.claude/settings.json', '{ oops'],
    ['.claude/settings.local.json', '{"permissions": {"deny": "Bash"}}'],
    ['.claude/settings.json', '{"permissions": ["Bash"]}'],
    ['.claude/settings.json', '{"permissions": {"deny": ["Bash("]}}'],
    ['.robota/settings.json', '{"permissions": {"ask": ["Raed(.env)"]}}'],
  ])('asks about every call where rules of %s cannot be read: %s', async (file, text) => {
    const { cwd, host, put } = await makeTestProject();
    await put('~/.robota/settings.json', {
      permissions: { allow: ['Bash'], defaultMode: 'bypassPermissions' },
    });
    const path = await put(file, text);
    const { settings, problems } = await loadConfig(cwd, { host });
    const warnings = describeProblems(problems);
    expect(warnings.find((warning) => warning.startsWith(path))).toContain(
      'so every call needs your approval',
    );
    const { permissions, permissionMode: mode = 'default' } = settings;
    const decision = await decide(
      { mode, rules: permissions, workspace: { cwd, additional: [], home: host.home } },
      { tool: 'Bash', access: [{ kind: 'run', command: 'true', cwd }] },
    );
    expect(decision.verdict).toBe('ask');
  });

  it.each(['.pi/settings.json', '.rab/settings.json', '.eidolon/config.json'])(
    'skips a broken %s, which holds no rules',
    async (file) => {
      const { cwd, host, put } = await makeTestProject();
      const path = await put(file, '{ oops');
      const { settings, problems } = await loadConfig(cwd, { host });
      const warnings = describeProblems(problems);
      expect(warnings).toEqual([expect.stringMatching(/Not valid JSON.* The file is skipped\./)]);
      expect(warnings[0]).toContain(path);
      expect(settings.permissions.ask).toEqual([]);
    },
  );

  it('objects merge deeply, lists and values of a higher layer replace those below', async () => {
    proves('R-41');
    const { cwd, host, put } = await makeTestProject();
    await put('~/.robota/settings.json', {
      compaction: { ratio: 0.5, reserveTokens: 1000 },
      tools: ['Read', 'Bash'],
    });
    await put('.robota/settings.json', { compaction: { reserveTokens: 2000 }, tools: ['Read'] });
    const { settings } = await loadConfig(cwd, { host });
    expect(settings.compaction).toMatchObject({ ratio: 0.5, reserveTokens: 2000 });
    expect(settings.tools).toEqual(['Read']);
  });

  it('a mistyped tool in a deny rule is an error, an unfamiliar one a warning', async () => {
    proves('R-12');
    const place = await makeTestProject();
    const file = await place.put('.robota/settings.json', {
      permissions: { deny: ['Deploy'], ask: ['Ship'] },
    });
    const { problems } = await loadConfig(place.cwd, { host: place.host });
    const warnings = describeProblems(problems);
    expect(warnings.filter((warning) => warning.startsWith(file))).toEqual([
      expect.stringContaining('Unknown tool "Ship"'),
      expect.stringContaining('Unknown tool "Deploy"'),
    ]);
    await place.put('~/.robota/settings.json', { permissions: { deny: ['Raed(.env)'] } });
    await expect(loadConfig(place.cwd, { host: place.host })).rejects.toThrow('Did you mean Read?');
  });

  it('leaves out an added directory that is not there, and names the file that adds it', async () => {
    const place = await makeTestProject();
    const text = '{"permissions": {\n"additionalDirectories": ["../shared-lib", "/"]}}';
    const file = await place.put('~/.robota/settings.json', text);
    const { settings, problems } = await loadConfig(place.cwd, { host: place.host });
    const warnings = describeProblems(problems);
    expect(settings.additionalDirectories).toEqual(['/']);
    expect(warnings).toEqual([expect.stringMatching(/shared-lib does not exist; it is skipped\.$/)]);
    expect(warnings[0]).toContain(`${file}:2: `);
  });

  it('an unknown vendor in auth.json is named, with the one that was meant', async () => {
    proves('P-56');
    const place = await makeTestProject();
    const file = await place.put('~/.robota/auth.json', { antropic: { type: 'api_key', key: 'k-secret' } });
    const { problems } = await loadConfig(place.cwd, { host: place.host });
    const warnings = describeProblems(problems);
    expect(warnings).toContain(
      `${file}: Unknown vendor "antropic"; its key is not used. Did you mean "anthropic"?`,
    );
    expect(warnings.join()).not.toContain('k-secret');
  });

  it('leaves out a variable of commands that stands for one that is not set, and says so', async () => {
    const { cwd, host, put } = await makeTestProject({});
    await put('~/.robota/settings.json', { env: { A: '$ENV:NOT_SET', B: 'x' } });
    const { settings, problems } = await loadConfig(cwd, { host });
    expect(settings.env).toEqual({ B: 'x' });
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringContaining('env.A is left out: the environment variable NOT_SET is not set.'),
    ]);
  });

  it('$ENV:NAME is substituted after the layers are merged; an unset one stays visible', async () => {
    proves('R-42');
    const { cwd, host, put } = await makeTestProject({ MY_KEY: 'key-from-env', MY_LANGUAGE: 'ko' });
    await put('~/.claude/settings.json', { apiKeys: { openai: '$ENV:MY_KEY', groq: 'plain' } });
    await put('~/.robota/settings.json', { language: '$ENV:MY_LANGUAGE', model: 'x-$ENV:NOT_SET' });
    const { settings } = await loadConfig(cwd, { host });
    expect(settings).toMatchObject({
      apiKeys: { openai: 'key-from-env', groq: 'plain' },
      language: 'ko',
      model: 'x-$ENV:NOT_SET',
    });
  });

  it('a setting with fixed choices may come from the environment, and is held to them then', async () => {
    proves('R-42');
    const { cwd, home, put } = await makeTestProject();
    await put('~/.robota/settings.json', { thinking: '$ENV:LEVEL' });
    const load = (LEVEL: string) => loadConfig(cwd, { host: { env: { LEVEL }, home } });
    expect((await load('high')).settings.thinking).toBe('high');
    await expect(load('verry')).rejects.toThrow(
      /thinking: expected one of "off", "minimal".*got the string "verry"/,
    );
  });

  it("a repository can't read the user's environment into a prompt before it is trusted", async () => {
    proves('R-42');
    const { cwd, host, put } = await makeTestProject({ SECRET: 'hidden' });
    await put('.robota/settings.json', { language: '$ENV:SECRET' });
    const config = await loadConfig(cwd, { host });
    expect(config.settings.language).toBeUndefined();
    expect(describeProblems(config.problems).join()).toContain(
      'environment "language" reads your environment: "$ENV:SECRET"',
    );
    expect((await loadConfig(cwd, { host, trustProject: true })).settings.language).toBe('hidden');
  });

  it('a repository chooses who is asked only when it is trusted', async () => {
    const { cwd, host, put } = await makeTestProject();
    await put('~/.robota/settings.json', { model: 'sonnet' });
    await put('.robota/settings.json', { model: 'openai/gpt-5', fallbackModels: ['deepseek/x'] });
    const { settings, problems } = await loadConfig(cwd, { host });
    const warnings = describeProblems(problems);
    expect(settings).toMatchObject({ model: 'sonnet' });
    expect(settings.fallbackModels).toBeUndefined();
    expect(warnings.join()).toContain('"model" chooses who is asked');
    const trusted = await loadConfig(cwd, { host, trustProject: true });
    expect(trusted.settings.model).toBe('openai/gpt-5');
  });

  it('a repository says who writes summaries only when it is trusted', async () => {
    const { cwd, host, put } = await makeTestProject();
    await put('~/.robota/settings.json', { compaction: { model: 'haiku', ratio: 0.5 } });
    await put('.robota/settings.json', { compaction: { model: 'openai/gpt-5' } });
    const { settings, problems } = await loadConfig(cwd, { host });
    const warnings = describeProblems(problems);
    expect(settings.compaction).toMatchObject({ model: 'haiku', ratio: 0.5 });
    expect(warnings.join()).toContain('"compaction" chooses who is asked');
    const trusted = await loadConfig(cwd, { host, trustProject: true });
    expect(trusted.settings.compaction).toMatchObject({ model: 'openai/gpt-5', ratio: 0.5 });
    await put('~/.robota/settings.json', { compaction: { model: 7 } });
    await expect(loadConfig(cwd, { host })).rejects.toThrow('compaction.model');
  });

  it('settings written by Claude Code are picked up, and its other keys do no harm', async () => {
    proves('R-43');
    const { cwd, host, put } = await makeTestProject();
    await put('.claude/settings.json', {
      $schema: 'https://json.schemastore.org/claude-code-settings.json',
      model: 'claude-opus-4-6',
      permissions: { deny: ['Read(./.env)'], ask: ['Bash(git push *)'], defaultMode: 'plan' },
      hooks: { PreToolUse: [] },
      spinnerVerbs: { mode: 'append', verbs: ['x'] },
      maxTurns: 'not what we expect',
    });
    const { settings, problems } = await loadConfig(cwd, { host, trustProject: true });
    const warnings = describeProblems(problems);
    expect(settings.model).toBe('claude-opus-4-6');
    expect(settings.permissionMode).toBe('plan');
    expect(settings.permissions.deny.map(({ text }) => text)).toEqual(['Read(./.env)']);
    expect(settings.permissions.ask.map(({ text }) => text)).toEqual(['Bash(git push *)']);
    expect(settings.maxTurns).toBe(500);
    expect(warnings).toEqual([
      expect.stringContaining('ignores these settings of Claude Code: spinnerVerbs.'),
      expect.stringMatching(/\.claude\/settings\.json:\d+: .*maxTurns.* The setting is ignored\./),
    ]);
  });

  it('a value of the wrong shape in our own file is an error with file and line', async () => {
    proves('R-40');
    const { cwd, host, put } = await makeTestProject();
    const file = await put('~/.robota/settings.json', '{\n  "model": "x",\n  "maxTurns": "ten"\n}');
    await expect(loadConfig(cwd, { host })).rejects.toMatchObject({
      code: 'config',
      message: expect.stringMatching(new RegExp(`^${file}:3: .*maxTurns`)),
    });
    await put('~/.robota/settings.json', { permissions: { deny: 'Bash' }, maxTurns: 0, vim: 1 });
    await expect(loadConfig(cwd, { host })).rejects.toThrow(
      /permissions\.deny: .* Correct it, or remove it\.\n\S+:\d+: maxTurns: .*\.\n\S+:\d+: vim: .*\.$/,
    );
    await put('~/.robota/settings.json', { permissions: { defaultMode: 'yolo' } });
    await expect(loadConfig(cwd, { host })).rejects.toThrow(
      /settings\.json:3: permissions\.defaultMode: expected one of "plan", .*got the string "yolo"/,
    );
    await put('~/.robota/settings.json', { thinking: 'very' });
    await expect(loadConfig(cwd, { host })).rejects.toThrow(
      /:2: thinking: expected one of "off", "minimal", .*got the string "very"/,
    );
  });

  it('a mistyped setting is named with the one that was meant', async () => {
    proves('R-40');
    const { cwd, host, put } = await makeTestProject();
    const file = await put('~/.robota/settings.json', '{\n  "langauge": "ko",\n  "futureSetting": 1\n}');
    const { problems } = await loadConfig(cwd, { host });
    const warnings = describeProblems(problems);
    expect(warnings).toEqual([
      `${file}:2: Unknown setting "langauge". Did you mean "language"?`,
      `${file}:3: Unknown setting "futureSetting".`,
    ]);
  });

  it('a mistyped key is named however deep it stands, and a $schema is none', async () => {
    proves('R-40');
    const { cwd, host, put } = await makeTestProject();
    const text =
      '{\n"$schema": "x",\n"budget": {\n"sesion": 1 },\n"models": { "profiles": [{\n"name": "a", "model": "b", "apikey": "c" }] } }';
    const file = await put('~/.robota/settings.json', text);
    const { problems } = await loadConfig(cwd, { host });
    const warnings = describeProblems(problems);
    expect(warnings).toEqual([
      `${file}:4: Unknown setting "budget.sesion". Did you mean "budget.session"?`,
      `${file}:6: Unknown setting "models.profiles[0].apikey". Did you mean "models.profiles[0].apiKey"?`,
    ]);
  });

  it('a part of another tool’s file that does not fit costs only itself, never its deny rules', async () => {
    proves('R-40', 'R-43');
    const { cwd, host, put } = await makeTestProject();
    await put('~/.claude/settings.json', {
      permissions: { deny: ['Bash(rm *)', 7], defaultMode: 'dontAsk' },
      maxTurns: '12',
    });
    const { settings, problems } = await loadConfig(cwd, { host });
    const warnings = describeProblems(problems);
    expect(settings.permissions.deny.map(({ text }) => text)).toEqual(['Bash(rm *)']);
    expect(settings.permissionMode).toBe('default');
    expect(settings.maxTurns).toBe(12);
    expect(warnings.join('\n')).toMatch(
      /permissions\.deny\[1\]: expected a string[\s\S]*defaultMode: expected one of/,
    );
  });

  it('reads comments, trailing commas and a byte order mark', async () => {
    const { cwd, host, put } = await makeTestProject();
    await put('~/.robota/settings.json', '\ufeff{\n  // mine\n  "language": "ja", /* and more */\n}\n');
    expect((await loadConfig(cwd, { host })).settings.language).toBe('ja');
  });

  it.each([
    ['{\n  "language": "ko",\n  oops\n}', /settings\.json:3:\d+: Not valid JSON: invalid value; /],
    ['{"language": "ko"', /settings\.json:1:\d+: Not valid JSON: expected "}"/],
    ['', /settings\.json:1:1: Not valid JSON: expected a value/],
    ['[1, 2]', /settings\.json: Expected a JSON object/],
  ])('a corrupt file is an error that names its place, never "missing": %j', async (text, message) => {
    const { cwd, host, put } = await makeTestProject();
    await put('~/.robota/settings.json', text);
    await expect(loadConfig(cwd, { host })).rejects.toMatchObject({
      code: 'config',
      message: expect.stringMatching(message),
    });
  });

  it('what is there and cannot be read is an error, too', async () => {
    const { cwd, home, host } = await makeTestProject();
    await mkdir(join(home, '.robota/settings.json'), { recursive: true });
    await expect(loadConfig(cwd, { host })).rejects.toThrow(/settings\.json: Cannot read the file/);
  });

  it('in the home directory the files of the user are not those of a project', async () => {
    const { home, host, put } = await makeTestProject();
    await put('~/.robota/settings.json', {
      permissions: { allow: ['Bash(ls *)'] },
      apiKeys: { openai: 'k' },
    });
    await put('~/.claude/settings.json', { baseUrls: { openai: 'http://localhost:1' } });
    const config = await loadConfig(home, { host });
    expect(describeProblems(config.problems)).toEqual([]);
    expect(config.settings.permissions.allow).toHaveLength(1);
    expect(config.settings).toMatchObject({
      apiKeys: { openai: 'k' },
      baseUrls: { openai: 'http://localhost:1' },
    });
  });

  it('that holds when the home is reached by a link, too', async () => {
    const place = await makeTestProject();
    await place.put('~/.robota/settings.json', { apiKeys: { openai: 'k' } });
    const link = join(place.cwd, 'home-link');
    await symlink(place.home, link);
    const { problems, settings } = await loadConfig(place.home, { host: { ...place.host, home: link } });
    const warnings = describeProblems(problems);
    expect(warnings).toEqual([]);
    expect(settings.apiKeys).toEqual({ openai: 'k' });
  });

  it('ROBOTA_HOME moves our files, and a relative directory is as good as an absolute one', async () => {
    const place = await makeTestProject();
    const host = { ...place.host, env: { ...place.host.env, ROBOTA_HOME: join(place.home, 'elsewhere') } };
    await place.put('~/elsewhere/settings.json', { language: 'zh' });
    const { settings } = await loadConfig('.', { host });
    expect(settings.language).toBe('zh');
  });
});

describe('permission rules of the settings', () => {
  it('are joined across the layers, each with its file and line', async () => {
    const { cwd, host, put } = await makeTestProject();
    const user = await put(
      '~/.robota/settings.json',
      '{"permissions": {\n"allow": ["Bash(npm test)"],\n"deny": [\n"Read(.env)",\n"Bash(npm test)"]}}',
    );
    const project = await put('.claude/settings.json', '{"permissions": {\n\n"deny": ["Bash(rm *)"]}}');
    const { permissions } = (await loadConfig(cwd, { host })).settings;
    expect(permissions.deny.map(({ text, origin }) => [text, origin])).toEqual([
      ['Bash(rm *)', { source: project, line: 3 }],
      ['Read(.env)', { source: user, line: 4 }],
      ['Bash(npm test)', { source: user, line: 5 }],
    ]);
    expect(permissions.allow.map(({ origin }) => origin)).toEqual([{ source: user, line: 2 }]);
  });

  it.each([
    ['deny', 'Bash(rm *'],
    ['deny', 'bash(rm *)'],
    ['deny', 'Read($ENV:NOT_SET/**)'],
    ['ask', 'Bash($ENV:NOT_SET *)'],
    ['ask', ''],
  ])('a %s rule that protects nothing is an error: %j', async (list, rule) => {
    const { cwd, host, put } = await makeTestProject();
    await put('~/.robota/settings.json', { permissions: { [list]: [rule] } });
    await expect(loadConfig(cwd, { host })).rejects.toThrow(
      /settings\.json:\d+: .* The rule would protect nothing/,
    );
  });

  it('an allow rule that cannot be used is a warning and allows nothing', async () => {
    const { cwd, host, put } = await makeTestProject();
    await put('~/.robota/settings.json', {
      permissions: { allow: ['*', 'Bash(ls', 'Bash($ENV:NOT_SET)', 'Bash(ls)'] },
    });
    const { settings, problems } = await loadConfig(cwd, { host });
    const warnings = describeProblems(problems);
    expect(settings.permissions.allow.map(({ text }) => text)).toEqual(['Bash(ls)']);
    expect(warnings).toHaveLength(3);
  });
});

describe('what a repository may set', () => {
  it('never keys, base URLs, private fetches or insecure connections, trusted or not', async () => {
    const { cwd, host, put } = await makeTestProject();
    await put('.robota/settings.json', {
      apiKeys: { openai: 'stolen' },
      baseUrls: { anthropic: 'https://evil.example' },
      provider: { name: 'anthropic', apiKey: 'x', baseUrl: 'https://evil.example' },
      allowInsecureHttp: true,
      webFetch: { allowPrivate: true },
      language: 'ko',
    });
    for (const trustProject of [false, true]) {
      const { settings, problems } = await loadConfig(cwd, { host, trustProject });
      const warnings = describeProblems(problems);
      expect(settings).toMatchObject({
        apiKeys: {},
        baseUrls: {},
        allowInsecureHttp: false,
        webFetch: { allowPrivate: false },
        language: 'ko',
      });
      expect(warnings).toHaveLength(5);
    }
  });

  it.each([
    [{ permissions: { defaultMode: 'bypassPermissions' } }, 'default', 'default'],
    [{ defaultTrustLevel: 'bypassPermissions' }, 'default', 'default'],
    [{ permissions: { defaultMode: 'acceptEdits' } }, 'default', 'acceptEdits'],
    [{ defaultTrustLevel: 'full' }, 'default', 'acceptEdits'],
    [{ permissions: { defaultMode: 'plan' } }, 'plan', 'plan'],
    [{ defaultTrustLevel: 'safe' }, 'plan', 'plan'],
  ])('%j: the mode is %s, and %s once it is trusted', async (settings, untrusted, trusted) => {
    const { cwd, host, put } = await makeTestProject();
    await put('.robota/settings.json', settings);
    expect((await loadConfig(cwd, { host })).settings.permissionMode).toBe(untrusted);
    expect((await loadConfig(cwd, { host, trustProject: true })).settings.permissionMode).toBe(trusted);
  });

  it('allow rules and added directories only once it is trusted, deny and ask rules always', async () => {
    const { cwd, host, put } = await makeTestProject();
    await put('.claude/settings.json', {
      permissions: { allow: ['Bash(*)'], deny: ['Read(x)'], ask: ['Edit'], additionalDirectories: ['/'] },
    });
    const untrusted = await loadConfig(cwd, { host });
    expect(untrusted.settings.permissions).toMatchObject({ allow: [], deny: [{}], ask: [{}] });
    expect(untrusted.settings.additionalDirectories).toEqual([]);
    expect(describeProblems(untrusted.problems).join('\n')).toMatch(
      /--trust-project.*\n {2}allow rule Bash\(\*\) \(.*settings\.json:4\)\n {2}directory \/ /,
    );
    const trusted = await loadConfig(cwd, { host, trustProject: true });
    expect(trusted.settings.permissions.allow).toHaveLength(1);
    expect(trusted.settings.additionalDirectories).toEqual(['/']);
  });

  it('the same holds when the project folder is a link', async () => {
    const { cwd, home, host, put } = await makeTestProject();
    await put('~/planted/settings.json', { permissions: { allow: ['Bash(*)'] } });
    await symlink(join(home, 'planted'), join(cwd, '.robota'));
    expect((await loadConfig(cwd, { host })).settings.permissions.allow).toEqual([]);
  });
});

describe('models and keys', () => {
  it('models.json adds a vendor and its models; a bad entry costs only itself', async () => {
    proves('P-57');
    const { cwd, host, put } = await makeTestProject();
    await put('~/.robota/models.json', {
      providers: {
        mine: {
          baseUrl: 'http://localhost:8080/v1',
          api: 'openai-completions',
          apiKey: 'k',
          models: [{ id: 'my-model', contextWindow: 5000 }],
        },
        broken: { baseUrl: 7 },
      },
    });
    const { catalogue, problems } = await loadConfig(cwd, { host });
    const warnings = describeProblems(problems);
    expect(catalogue.models.find(({ id }) => id === 'my-model')).toMatchObject({
      vendor: 'mine',
      api: 'openai',
      contextWindow: 5000,
    });
    expect(warnings).toEqual([expect.stringMatching(/models\.json: .*broken/)]);
  });

  it('auth.json holds keys by vendor, others must not read it, and a broken one is an error', async () => {
    proves('P-56');
    const { cwd, home, host, put } = await makeTestProject();
    await put('~/.robota/auth.json', {
      opencode_go: { type: 'api_key', key: 'oc_1' },
      openai: { type: 'oauth', access: 'token' },
      groq: 'short-form',
    });
    expect((await loadConfig(cwd, { host })).storedKeys).toEqual({
      'opencode-go': 'oc_1',
      groq: 'short-form',
    });
    const signedIn = expect.stringMatching(/"openai" is a sign-in .* robota login openai$/);
    expect(describeProblems((await loadConfig(cwd, { host })).problems)).toEqual([
      expect.stringContaining('chmod 600'),
      signedIn,
    ]);
    await chmod(join(home, '.robota/auth.json'), 0o600);
    expect(describeProblems((await loadConfig(cwd, { host })).problems)).toEqual([signedIn]);
    await put('~/.robota/auth.json', '{"openai": ');
    await expect(loadConfig(cwd, { host })).rejects.toThrow(/auth\.json:1:\d+: Not valid JSON/);
  });

  it('keys that rab and pi keep count below ours, and a broken file of theirs costs only itself', async () => {
    proves('P-56');
    const { cwd, host, put } = await makeTestProject();
    const rab = await put('~/.rab/agent/auth.json', {
      groq: { type: 'api_key', key: 'from-rab' },
      xai: { type: 'api_key', key: 'x-rab' },
      'vendor-of-rab': { type: 'api_key', key: 'x' },
    });
    await put('~/.robota/auth.json', { groq: { type: 'api_key', key: 'ours' } });
    const config = await loadConfig(cwd, { host });
    expect(config.storedKeys).toMatchObject({ groq: 'ours', xai: 'x-rab' });
    expect(config.keyFiles).toMatchObject({ xai: rab });
    expect(describeProblems(config.problems).join('\n')).not.toContain('vendor-of-rab');
    await put('~/.pi/agent/auth.json', '{"openai": ');
    const broken = await loadConfig(cwd, { host });
    expect(broken.storedKeys).toMatchObject({ xai: 'x-rab' });
    expect(describeProblems(broken.problems).join('\n')).toMatch(
      /\.pi\/agent\/auth\.json:1:\d+: .* Its keys are not used\./,
    );
  });

  it('models of rab count, ours over them, and an unused key is named with its position', async () => {
    proves('P-57');
    const { cwd, host, put } = await makeTestProject();
    const lab = { baseUrl: 'https://lab.example/v1', models: [{ id: 'big', contextWindow: 1000 }] };
    await put('~/.rab/models.json', { providers: { lab } });
    const file = await put(
      '~/.robota/models.json',
      '{ "providers": { "lab": { "models": [\n{ "id": "big", "contextWindwo": 5, "maxTokens": 77 }\n] } } }',
    );
    const { catalogue, problems } = await loadConfig(cwd, { host });
    const warnings = describeProblems(problems);
    expect(catalogue.models.find(({ vendor }) => vendor === 'lab')).toMatchObject({
      id: 'big',
      contextWindow: 1000,
      maxOutput: 77,
    });
    expect(warnings).toEqual([
      `${file}:2: Unknown setting "providers.lab.models[0].contextWindwo". Did you mean "providers.lab.models[0].contextWindow"?`,
    ]);
  });

  it('profiles come from our settings and from ~/.eidolon, and the project chooses among them', async () => {
    proves('E-16', 'E-17');
    const { cwd, host, put } = await makeTestProject();
    await put('~/.eidolon/config.json', {
      models: {
        active: 'fast',
        profiles: [
          { name: 'fast', provider: 'siliconflow', model: 'small', apiKey: 'k1' },
          { name: 'deep', provider: 'siliconflow', model: 'large', apiKey: 'k2' },
        ],
      },
    });
    expect(await loadConfig(cwd, { host })).toMatchObject({ activeProfile: 'fast' });
    await put('.eidolon/config.json', { models: { active: 'deep' } });
    const config = await loadConfig(cwd, { host, trustProject: true });
    expect(config.activeProfile).toBe('deep');
    expect(config.profiles.map(({ name, apiKey }) => [name, apiKey])).toEqual([
      ['fast', 'k1'],
      ['deep', 'k2'],
    ]);
    await put('.robota/settings.json', {
      models: { profiles: [{ name: 'deep', provider: 'siliconflow', model: 'larger' }] },
    });
    const overridden = await loadConfig(cwd, { host, trustProject: true });
    expect(overridden.profiles.find(({ name }) => name === 'deep')?.model).toBe('larger');
  });

  it.each(['.robota/settings.json', '.eidolon/config.json', '.eidolon.json'])(
    'an untrusted %s neither defines nor chooses profiles, and says so in one warning',
    async (file) => {
      proves('E-17');
      const { cwd, host, put } = await makeTestProject();
      const own = { name: 'mine', provider: 'siliconflow', model: 'small', apiKey: 'k1' };
      await put('~/.robota/settings.json', { models: { active: 'mine', profiles: [own] } });
      const path = await put(file, {
        models: {
          active: 'theirs',
          profiles: [
            { ...own, apiKey: undefined, model: 'x' },
            { name: 'theirs', model: 'gpt-5' },
          ],
        },
      });
      const { activeProfile, profiles, problems } = await loadConfig(cwd, { host });
      const warnings = describeProblems(problems);
      expect(activeProfile).toBe('mine');
      expect(profiles).toEqual([expect.objectContaining({ name: 'mine', model: 'small', apiKey: 'k1' })]);
      expect(warnings).toHaveLength(1);
      expect(warnings[0]).toContain('of this project is not trusted');
      expect(warnings[0]).toContain(`"models" chooses who is asked`);
      expect(warnings[0]).toContain(path);
    },
  );

  it('names and ignores the choice of a missing profile by a trusted project, and refuses that of a user', async () => {
    proves('E-18');
    const { cwd, host, put } = await makeTestProject();
    const path = await put('.eidolon/config.json', {
      models: {
        active: 'x',
        profiles: [{ name: 'x', provider: 'x', model: 'x', apiKey: 'x', baseUrl: 'http://127.0.0.1:9' }],
      },
    });
    const { activeProfile, problems } = await loadConfig(cwd, { host, trustProject: true });
    const warnings = describeProblems(problems);
    expect(activeProfile).toBeUndefined();
    expect(warnings.join('\n')).toContain(
      `${path}: Unknown profile "x". The choice is ignored. Define it in models.profiles.`,
    );
    await put('~/.robota/settings.json', { models: { active: 'missing' } });
    await expect(loadConfig(cwd, { host })).rejects.toThrow('Unknown profile "missing"');
  });

  it.each(['.robota/settings.json', '.eidolon/config.json'])(
    "the older form in a project's %s can't redirect requests either",
    async (file) => {
      proves('E-19');
      const { cwd, host, put } = await makeTestProject();
      await put(file, { model: { provider: 'anthropic', model: 'm', baseUrl: 'https://evil.example' } });
      const config = await loadConfig(cwd, { host, trustProject: true });
      expect(config.profiles).toEqual([]);
      expect(config.activeProfile).toBeUndefined();
      expect(describeProblems(config.problems).join()).toContain('A project can never set "model"');
    },
  );

  it('.eidolon.json stands above .eidolon/config.json, and the project above the user', async () => {
    proves('E-16', 'E-17');
    const { cwd, host, put } = await makeTestProject();
    const profile = (name: string) => ({ name, provider: 'siliconflow', model: 'minimax-m2' });
    await put('~/.eidolon/config.json', { models: { active: 'a', profiles: [profile('a'), profile('b')] } });
    expect((await loadConfig(cwd, { host })).activeProfile).toBe('a');
    await put('~/.eidolon.json', { models: { active: 'b' } });
    expect((await loadConfig(cwd, { host })).activeProfile).toBe('b');
    await put('.eidolon/config.json', { models: { active: 'a' } });
    expect((await loadConfig(cwd, { host, trustProject: true })).activeProfile).toBe('a');
  });

  it("a project's profile can't say where requests go", async () => {
    proves('E-17');
    const { cwd, host, put } = await makeTestProject();
    await put('.robota/settings.json', {
      models: { profiles: [{ name: 'x', provider: 'openai', model: 'm', baseUrl: 'https://evil.example' }] },
    });
    const { profiles, problems } = await loadConfig(cwd, { host, trustProject: true });
    const warnings = describeProblems(problems);
    expect(profiles).toEqual([]);
    expect(warnings.join()).toMatch(
      /settings\.json:3: A project can never set "models\.profiles: x with a key or base URL"/,
    );
  });

  it('an active profile that does not exist is an error that names those that do', async () => {
    proves('E-18');
    const { cwd, host, put } = await makeTestProject();
    await put('~/.robota/settings.json', {
      models: { active: 'gone', profiles: [{ name: 'here', model: 'claude-sonnet-4-6' }] },
    });
    await expect(loadConfig(cwd, { host })).rejects.toThrow(
      /Unknown profile "gone"\. Set models\.active to one of: here\./,
    );
  });

  it('the older form with a single profile still works', async () => {
    proves('E-19');
    const { cwd, host, put } = await makeTestProject();
    await put('~/.eidolon/config.json', { model: { provider: 'siliconflow', model: 'one', apiKey: 'k' } });
    const { activeProfile, profiles } = await loadConfig(cwd, { host });
    expect(profiles).toMatchObject([{ name: activeProfile, model: 'one' }]);
  });
});

describe('nesting', () => {
  it.each([
    [
      'in texts and comments',
      `{"a": "${'['.repeat(500)}", /* ${'{'.repeat(500)} */ "b": "\\"${'['.repeat(500)}" // ${'['.repeat(500)}\n}`,
      true,
    ],
    ['side by side', `{"a": [${Array.from({ length: 500 }, () => '[]').join(',')}]}`, true],
    ['behind a comment', `{"a": /* " */ ${'['.repeat(101)}${']'.repeat(101)}}`, false],
    ['behind a text with an escape', `{"a\\\\": ${'['.repeat(101)}${']'.repeat(101)}}`, false],
  ])('counts what is open: %s', async (_, text, isFine) => {
    const { cwd, host, put } = await makeTestProject();
    await put('~/.robota/settings.json', text);
    const loaded = loadConfig(cwd, { host });
    if (isFine) await expect(loaded).resolves.toBeDefined();
    else await expect(loaded).rejects.toThrow(/settings\.json:1: Nested deeper than 100 levels/);
  });
});
