import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { knownSecrets, loadStoredKeys, storeKey, withoutSecrets } from '@robota-sdk/agent-config';
import { describeProblems, loadCatalogue, type Problem, secretHider } from '@robota-sdk/agent-core';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { makeTestProject } from '../../../agent-sdk/src/fixtures/test-project.ts';
import { loadConfig } from './load-config.ts';

const mode = async (path: string) => (await stat(path)).mode & 0o777;

describe('storeKey', () => {
  it('keeps a key for the user alone, whatever the umask and whatever was there', async () => {
    proves('P-56');
    const before = process.umask(0o000);
    try {
      const { home, host } = await makeTestProject();
      await storeKey('openai', 'sk-one', host);
      const file = join(home, '.robota/auth.json');
      expect(await mode(file)).toBe(0o600);
      expect(await mode(join(home, '.robota'))).toBe(0o700);
      await writeFile(file, '{\n  // mine\n  "groq": "g"\n}\n', { mode: 0o666 });
      await storeKey('openai', 'sk-two', host);
      expect(await mode(file)).toBe(0o600);
      expect(await readFile(file, 'utf8')).toContain('// mine');
      const problems: Problem[] = [];
      expect(await loadStoredKeys(file, problems)).toEqual({ groq: 'g', openai: 'sk-two' });
      expect(problems).toEqual([]);
      expect(await readdir(join(home, '.robota'))).toEqual(['auth.json']);
    } finally {
      process.umask(before);
    }
  });

  it('follows no link, and leaves a file alone that it does not understand', async () => {
    const { home, host, put } = await makeTestProject();
    const target = await put('~/elsewhere.json', '{}');
    await mkdir(join(home, '.robota'));
    await symlink(target, join(home, '.robota/auth.json'));
    await expect(storeKey('openai', 'sk', host)).rejects.toThrow(/auth\.json is a link/);
    expect(await readFile(target, 'utf8')).toBe('{}');
    const other = await makeTestProject();
    const broken = await other.put('~/.robota/auth.json', '{"groq": "g"');
    await expect(storeKey('openai', 'sk', other.host)).rejects.toThrow(`${broken}:1:`);
    expect(await readFile(broken, 'utf8')).toBe('{"groq": "g"');
  });

  it('keys stored at the same time are all kept', async () => {
    const { home, host } = await makeTestProject();
    const vendors = ['openai', 'groq', 'mistral', 'xai', 'deepseek', 'google'];
    await Promise.all(vendors.map((vendor) => storeKey(vendor, `key-${vendor}`, host)));
    expect(Object.keys(await loadStoredKeys(join(home, '.robota/auth.json'))).sort()).toEqual(
      [...vendors].sort(),
    );
  });
});

describe('secrets', () => {
  it('are hidden as Base64 and in hexadecimal, wherever in a text they were encoded', async () => {
    const key = 'sk-test-0123456789-abc?>~';
    const place = await makeTestProject();
    const host = { ...place.host, env: { ANTHROPIC_API_KEY: key } };
    const hide = secretHider(knownSecrets(await loadConfig(place.cwd, { host })));
    for (const before of ['', 'a', 'ab', 'abc', 'name:', 'Authorization: Bearer '])
      for (const after of ['', '\n', ' and more'])
        for (const kind of ['base64', 'base64url', 'hex'] as const) {
          const hidden = hide(Buffer.from(before + key + after).toString(kind));
          expect(hidden).toContain('[redacted]');
          // Only a character or two of the secret may remain.
          expect(hidden.replace('[redacted]', '').length).toBeLessThan((before + after).length * 2 + 8);
        }
    expect(hide('a harmless text')).toBe('a harmless text');
  });

  it.each([
    ['~/.robota/settings.json', { apiKeys: 'canary' }],
    ['~/.robota/settings.json', { provider: 'canary' }],
    ['~/.robota/settings.json', { apiKeys: { openai: { key: 'canary' } } }],
    ['~/.claude/settings.json', { env: 'canary' }],
    [
      '~/.robota/settings.json',
      { models: { profiles: ['canary', { name: 'x', model: 'm', apiKey: ['canary'] }] } },
    ],
    [
      '~/.robota/models.json',
      { providers: { openai: 'canary', x: { headers: 'canary', apiKey: ['canary'] } } },
    ],
    ['~/.robota/auth.json', '["canary"]'],
    ['~/.robota/auth.json', '{"openai": "canary'],
  ])('in the wrong place of %s are not repeated: %j', async (file, content) => {
    const { cwd, host, put } = await makeTestProject();
    await put(file, content);
    const said = await loadConfig(cwd, { host }).then(
      ({ problems }) => describeProblems(problems).join('\n'),
      (thrown: Error) => thrown.message,
    );
    expect(said).toContain(file.slice(2));
    expect(said).not.toContain('canary');
  });

  it('are known from every source and in the forms they may be echoed in', async () => {
    const { cwd, host, put } = await makeTestProject({
      OPENAI_API_KEY: ' from environment\n',
      HEADER_TOKEN: 'from-header-variable',
      BRAVE_API_KEY: 'from-brave',
      SEARXNG_URL: 'https://me:from-address@search.example',
    });
    await put('~/.robota/auth.json', { groq: 'from-auth' });
    await put('~/.robota/settings.json', {
      apiKeys: { mistral: 'from-settings' },
      env: { XAI_API_KEY: 'from-env-setting' },
      models: { profiles: [{ name: 'p', provider: 'openai', model: 'm', apiKey: 'from-profile' }] },
    });
    await put('~/.robota/models.json', {
      providers: {
        mine: {
          baseUrl: 'https://mine.example/v1',
          apiKey: 'from-models',
          headers: {
            'X-Token': '$ENV:HEADER_TOKEN',
            Authorization: 'Bearer from-models-header',
            'X-Title': 'Robota',
          },
          models: [{ id: 'one' }],
        },
      },
    });
    const secrets = knownSecrets(await loadConfig(cwd, { host }), {
      apiKey: 'from-flag',
      baseUrl: 'https://me:from%20base%20url@x.example',
    });
    const expected = [
      'from environment',
      'from%20environment',
      'from-header-variable',
      'from-brave',
      'from-address',
      'from-auth',
      'from-settings',
      'from-env-setting',
      'from-profile',
      'from-models',
      'from-models-header',
      'from-flag',
      'from base url',
      'from%20base%20url',
    ];
    expect(secrets).toEqual(expect.arrayContaining(expected));
    expect(secrets).not.toContain('Robota');
  });

  it('leave the environment of children by name, by value and inside of values', () => {
    const { vendors } = loadCatalogue();
    const secrets = ['a-key-of-sixteen', 'lm-studio'];
    const env = {
      OPENAI_API_KEY: 'x',
      COPY: 'a-key-of-sixteen',
      HEADER: 'Bearer a-key-of-sixteen',
      PATH: '/opt/lm-studio/bin',
      PLACEHOLDER: 'lm-studio',
    };
    expect(withoutSecrets(env, { vendors, secrets })).toEqual({ PATH: '/opt/lm-studio/bin' });
  });
});
