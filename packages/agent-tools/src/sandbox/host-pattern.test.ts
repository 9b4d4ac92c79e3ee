import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostPatternProblem, isHostAllowed, normalizeHost } from './host-pattern.ts';

describe('isHostAllowed', () => {
  it.each([
    ['registry.npmjs.org', 443, ['registry.npmjs.org'], true],
    ['registry.npmjs.org', 80, ['registry.npmjs.org'], true],
    ['REGISTRY.npmjs.org.', 443, ['registry.npmjs.org'], true],
    ['registry.npmjs.org', 22, ['registry.npmjs.org'], false],
    ['registry.npmjs.org', 22, ['registry.npmjs.org:22'], true],
    ['registry.npmjs.org', 443, ['registry.npmjs.org:22'], false],
    ['evilregistry.npmjs.org', 443, ['registry.npmjs.org'], false],
    ['registry.npmjs.org.evil.com', 443, ['registry.npmjs.org'], false],
    ['a.example.com', 443, ['*.example.com'], true],
    ['a.b.example.com', 443, ['*.example.com'], true],
    ['example.com', 443, ['*.example.com'], false],
    ['evilexample.com', 443, ['*.example.com'], false],
    ['.example.com', 443, ['*.example.com'], false],
    ['[::1]', 3000, ['[::1]:3000'], true],
    ['::1', 443, ['::1'], true],
    ['10.0.0.1', 443, ['*.0.0.1'], false],
    ['', 443, ['*.example.com', ''], false],
    ['x.org', 443, [], false],
  ])('%s:%i by %j is %s', (...[host, port, patterns, expected]) => {
    expect(isHostAllowed({ host, port }, patterns)).toBe(expected);
  });

  it('allows nothing that does not end as a pattern does', () => {
    const label = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/);
    fc.assert(
      fc.property(
        fc.array(label, { minLength: 1, maxLength: 4 }),
        fc.array(label, { minLength: 2, maxLength: 3 }),
        (host, zone) => {
          const allowed = isHostAllowed({ host: host.join('.'), port: 443 }, [
            `*.${zone.join('.')}`,
            zone.join('.'),
          ]);
          expect(allowed).toBe(
            host.slice(-zone.length).join('.') === zone.join('.') && host.length >= zone.length,
          );
        },
      ),
    );
  });
});

describe('hostPatternProblem', () => {
  it.each(['example.com', '*.example.com', 'localhost:8080', '127.0.0.1', '[::1]:80', '::1', 'my_host'])(
    'takes %s',
    (pattern) => {
      expect(hostPatternProblem(pattern)).toBeUndefined();
    },
  );

  it.each([
    'https://example.com',
    'example.com/path',
    '*',
    '*.*',
    'a.*.com',
    'exa mple',
    '',
    'x:99999',
    '-a.com',
  ])('explains %j', (pattern) => {
    expect(hostPatternProblem(pattern)).toContain(`"${pattern}"`);
  });

  it('writes a host in one way', () => {
    expect(normalizeHost('[FE80::1]')).toBe('fe80::1');
    expect(normalizeHost('Example.COM.')).toBe('example.com');
  });
});
