import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { asksForGrants, describeGrants, emptyManifest, parseManifest } from './plugin-manifest.ts';

describe('parseManifest', () => {
  it('reads grants, limits and the settings of the plugin', () => {
    proves('P-132');
    const manifest = parseManifest(
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
    expect(parseManifest('{}')).toEqual(emptyManifest);
    expect(asksForGrants(emptyManifest)).toBe(false);
  });

  it.each([
    ['no JSON', '{', /it is no JSON: /],
    ['a list', '[]', 'it is no JSON object'],
    ['a field that is spelt wrongly', '{"grant": {}}', 'there is no "grant". Did you mean "grants"?'],
    ['a grant nobody knows', '{"grants": {"shell": ["ls"]}}', 'there is no "grants.shell"'],
    [
      'an address in the place of a host',
      '{"grants": {"network": ["https://a.b"]}}',
      '"grants.network" cannot hold',
    ],
    ['every host', '{"grants": {"network": ["*"]}}', '"grants.network" cannot hold "*"'],
    [
      'another kind of access',
      '{"grants": {"files": [{"path": "a", "access": "run"}]}}',
      'write "read" or "write"',
    ],
    ['a path with a line break', '{"grants": {"files": ["a\\nb"]}}', '"grants.files" cannot hold'],
    ['too much memory', '{"limits": {"memory": 100000}}', 'write a number from 1 to 1024'],
    ['no time', '{"limits": {"time": 0}}', 'write a number from 1 to 600'],
  ])('refuses %s', (_, text, message) => {
    proves('P-132');
    expect(() => parseManifest(text)).toThrow(message);
  });
});
