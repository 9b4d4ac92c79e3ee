import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { asksForGrants, describeGrants, emptyManifest, parsePluginManifest } from './plugin-manifest.ts';

describe('parseManifest', () => {
  it('reads grants, limits and the settings of the plugin', () => {
    proves('P-132');
    const manifest = parsePluginManifest(
      JSON.stringify({
        grants: {
          files: ['docs', { path: 'out', access: 'write' }],
          network: ['api.example.com'],
          env: ['LANG'],
        },
        limits: { memory: 64, time: 2 },
        config: { any: ['thing'] },
      }),
    );
    expect(manifest.limits).toEqual({ memoryMegabytes: 64, seconds: 2 });
    expect(manifest.config).toEqual({ any: ['thing'] });
    expect(asksForGrants(manifest)).toBe(true);
    expect(describeGrants(manifest.grants)).toEqual([
      'reads docs',
      'reads and writes out',
      'connects to api.example.com',
      'sees the variable LANG',
    ]);
  });

  it('takes an empty one for one that asks for nothing', () => {
    expect(parsePluginManifest('{}')).toEqual(emptyManifest);
    expect(asksForGrants(emptyManifest)).toBe(false);
  });

  it.each([
    ['no JSON', '{', /it is not JSON: /],
    ['a list', '[]', 'expected an object, got a list'],
    ['a field that is spelt wrongly', '{"grant": {}}', 'Unknown field "grant". Did you mean "grants"?'],
    ['an unknown grant', '{"grants": {"shell": ["ls"]}}', 'Unknown field "grants.shell"'],
    ['a misspelt limit', '{"limits": {"memry": 1}}', 'Did you mean "limits.memory"?'],
    [
      'an address instead of a host',
      '{"grants": {"network": ["https://a.b"]}}',
      'grants.network[0]: expected a host, such as api.example.com, got the string "https://a.b"',
    ],
    ['every host', '{"grants": {"network": ["*"]}}', 'grants.network[0]: expected a host'],
    [
      'a variable with a sign',
      '{"grants": {"env": ["A-B"]}}',
      'grants.env[0]: expected the name of a variable',
    ],
    [
      'another kind of access',
      '{"grants": {"files": [{"path": "a", "access": "run"}]}}',
      'grants.files[0].access: expected one of "read", "write"',
    ],
    ['an access without a path', '{"grants": {"files": [{"access": "read"}]}}', 'grants.files[0].path'],
    ['an unknown field of a file', '{"grants": {"files": [{"path": "a", "acess": "write"}]}}', 'acess'],
    ['a path with a line break', '{"grants": {"files": ["a\\nb"]}}', 'grants.files[0]: expected a path'],
    ['grants that are not a list', '{"grants": {"env": "PATH"}}', 'grants.env: expected a list'],
    ['too much memory', '{"limits": {"memory": 100000}}', 'limits.memory: expected a number'],
    [
      'no time',
      '{"limits": {"time": 0}}',
      'limits.time: expected a number above 0 and of at most 600, got 0',
    ],
    ['settings that are no object', '{"config": []}', 'config: expected'],
  ])('refuses %s', (_, text, message) => {
    proves('P-132');
    expect(() => parsePluginManifest(text)).toThrow(message);
  });
});
