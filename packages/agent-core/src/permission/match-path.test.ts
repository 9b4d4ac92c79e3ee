import { isInWorkspace } from '@robota-sdk/agent-shell';
import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchPath, mayMatchPath } from './match-path.ts';

const workspace = { cwd: '/ws', additional: ['/more'], home: '/home/u' };
const wide = (pattern: string, file: string): boolean =>
  matchPath(pattern, file, { workspace, reading: 'wide' });
const strict = (pattern: string, file: string): boolean =>
  matchPath(pattern, file, { workspace, reading: 'strict' });

describe('matchPath', () => {
  it.each([
    ['.env', '/ws/.env', true],
    ['.env', '/ws/a/b/.env', true],
    ['.env', '/ws/.env.local', false],
    ['.env*', '/ws/.env.local', true],
    ['secrets', '/ws/a/secrets/key', true],
    ['/src/**', '/ws/src/x/y/b.ts', true],
    ['/src/**', '/ws/nested/src/b.ts', false],
    ['src/**', '/ws/nested/src/b.ts', false],
    ['/src/', '/ws/src/a.ts', true],
    ['/src', '/ws/src/a.ts', true],
    ['/src', '/ws/srcx', false],
    ['**/test/*.ts', '/ws/a/test/b.ts', true],
    ['**/test/*.ts', '/ws/test/b.ts', true],
    ['src/*/index.ts', '/ws/src/a/index.ts', true],
    ['src/*/index.ts', '/ws/src/a/b/index.ts', false],
    ['src/**/index.ts', '/ws/src/a/b/index.ts', true],
    ['src/**/index.ts', '/ws/src/index.ts', true],
    ['//etc/**', '/etc/passwd', true],
    ['//etc/**', '/ws/etc/passwd', false],
    ['~/.ssh/**', '/home/u/.ssh/id_rsa', true],
    ['~/', '/home/u/x', true],
    ['*', '/ws/a/b', true],
    ['[ab].ts', '/ws/a.ts', false],
    ['a?.ts', '/ws/ab.ts', false],
    ['./src/a.ts', '/ws/src/a.ts', true],
    ['../x', '/x', true],
  ])('reads %s for %s as %s', (pattern, file, expected) => {
    proves('R-12');
    expect(wide(pattern, file)).toBe(expected);
  });

  it('forbids without regard to letter case or Unicode form, and permits only the exact name', () => {
    proves('R-12');
    expect(wide('.env', '/ws/.ENV')).toBe(true);
    expect(strict('.env', '/ws/.ENV')).toBe(false);
    expect(wide('caf\u00e9', '/ws/cafe\u0301')).toBe(true);
  });

  it('forbids what a rule with backslashes means on Windows, and permits nothing by it', () => {
    for (const [pattern, file] of [
      ['secrets\\**', '/ws/secrets/key'],
      ['\\src\\a.ts', '/ws/src/a.ts'],
      ['config\\.env', '/ws/config/.env'],
    ] as const) {
      expect(wide(pattern, file)).toBe(true);
      expect(strict(pattern, file)).toBe(false);
    }
    expect(mayMatchPath('secrets\\**', '/ws/sec*/key', { workspace, reading: 'wide' })).toBe(true);
  });

  it('permits less than it forbids: a bare name stays in the workspace, a final star does not go deeper', () => {
    proves('R-12');
    expect(strict('*.md', '/other/a.md')).toBe(false);
    expect(wide('*.md', '/other/a.md')).toBe(true);
    expect(strict('*.md', '/more/a.md')).toBe(true);
    expect(strict('src/*', '/ws/src/a.ts')).toBe(true);
    expect(strict('src/*', '/ws/src/deep/a.ts')).toBe(false);
    expect(wide('src/*', '/ws/src/deep/a.ts')).toBe(true);
  });

  it('never permits what the same pattern would not forbid', () => {
    proves('R-12');
    const segment = fc.constantFrom('a', 'b', '*', '**', 'a*', '.env');
    const pattern = fc.tuple(
      fc.constantFrom('', '/', '//', '~/', '**/'),
      fc.array(segment, { minLength: 1, maxLength: 4 }),
    );
    const file = fc.array(fc.constantFrom('ws', 'a', 'b', 'ab', '.env', 'home', 'u'), {
      minLength: 1,
      maxLength: 5,
    });
    fc.assert(
      fc.property(pattern, file, ([start, segments], names) => {
        const [wanted, given] = [start + segments.join('/'), `/${names.join('/')}`];
        if (strict(wanted, given)) expect(wide(wanted, given)).toBe(true);
        if (wide(wanted, given))
          expect(mayMatchPath(wanted, given, { workspace, reading: 'wide' })).toBe(true);
      }),
    );
  });

  it('finishes on a pattern of many double stars', () => {
    proves('R-12');
    expect(wide(`/${'**/a/'.repeat(40)}b`, `/ws/${'a/'.repeat(2000)}c`)).toBe(false);
  });
});

describe('isInWorkspace', () => {
  it('does not take a neighbour with the same beginning for the workspace', () => {
    proves('E-39');
    expect(isInWorkspace('/ws', workspace)).toBe(true);
    expect(isInWorkspace('/ws/a', workspace)).toBe(true);
    expect(isInWorkspace('/more/a', workspace)).toBe(true);
    expect(isInWorkspace('/ws-evil/x', workspace)).toBe(false);
    expect(isInWorkspace('/', workspace)).toBe(false);
  });
});
