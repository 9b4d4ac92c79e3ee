import { basename, dirname } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hiddenFiles } from './hidden-files.ts';
import { matchPath } from './match-path.ts';
import { parseRules } from './parse-rule.ts';

const workspace = { cwd: '/ws', additional: ['/more'], home: '/home/u' };

function hiddenBy(...deny: string[]) {
  return hiddenFiles(parseRules({ deny }, { source: 'test' }).rules, workspace);
}

describe('hiddenFiles', () => {
  it('hides from a search, directory by directory, exactly what each pattern covers path by path', () => {
    const segment = fc.constantFrom('a', 'b', 'A', '*', '**', 'a*', '*.env', '.env', 'é', 'a\\\\b');
    const pattern = fc
      .tuple(
        fc.constantFrom('', '/', '//', '~/', '**/', '../'),
        fc.array(segment, { minLength: 1, maxLength: 4 }),
        fc.constantFrom('', '', '/', '/**'),
      )
      .map(([start, names, end]) => start + names.join('/') + end);
    const name = fc.constantFrom('a', 'b', 'A', 'ab', 'x.env', '.ENV', 'e\u0301', 'a\\b', 'c');
    const path = fc
      .tuple(
        fc.constantFrom('/ws', '/more', '/home/u', '', '/ws/a'),
        fc.array(name, { minLength: 1, maxLength: 4 }),
      )
      .map(([start, names]) => `${start}/${names.join('/')}`);
    fc.assert(
      fc.property(fc.array(pattern, { minLength: 1, maxLength: 3 }), path, (patterns, file) => {
        const rules = patterns.map((one) => ({
          tool: 'Read',
          specifier: one,
          text: `Read(${one})`,
          origin: { source: 'test' },
        }));
        const hidden = hiddenFiles({ allow: [], ask: [], deny: rules }, workspace);
        const expected = patterns.some((one) => matchPath(one, file, { workspace, reading: 'wide' }));
        const names = hidden?.search().in(dirname(file));
        const found = typeof names === 'function' ? names(basename(file), false) : names === 'all';
        expect({ patterns, file, found }).toEqual({ patterns, file, found: expected });
        expect(hidden?.isHidden(file)).toBe(expected);
      }),
      { numRuns: 3000 },
    );
  });

  it('needs no test where a directory is hidden', () => {
    expect(hiddenBy('Read(secret/**)')?.search().in('/ws/secret/deep')).toBe('all');
  });

  it('is undefined without rules about reading and without ignore files', () => {
    expect(hiddenBy('Bash(rm *)', 'Edit(/x)')).toBeUndefined();
  });

  it('knows where something may be hidden below', async () => {
    const hidden = hiddenBy('Read(/secret/**)');
    expect(await hidden?.mayHideBelow('/ws')).toBe(true);
    expect(await hidden?.mayHideBelow('/ws/src')).toBe(false);
  });
});
