import { describe, expect, it } from 'vitest';
import { nextVersion, withVersion } from './changelog.mjs';

const release = (type: string, newVersion = '0.2.0') => ({ name: 'a', type, newVersion });
const change = (summary: string, ...types: string[]) => ({
  summary,
  releases: types.map((type) => ({ type })),
});

describe('the section of a release in the changelog', () => {
  it('stands above the former ones and groups changes by what they mean for users', () => {
    const status = {
      changesets: [
        change('A fix.', 'patch'),
        change('A feature\nof two lines.', 'patch', 'minor'),
        change('Another fix.\n\n- And one.\n- And\none more.\n', 'patch'),
      ],
      releases: [release('minor'), release('minor')],
    };
    expect(withVersion('# Changes\n\n## 0.1.0\n\nFirst.\n', status)).toBe(
      '# Changes\n\n## 0.2.0\n\n### Added\n\n- A feature\n  of two lines.\n\n### Fixed\n\n- A fix.\n- Another fix.\n- And one.\n- And\n  one more.\n\n## 0.1.0\n\nFirst.\n',
    );
    expect(withVersion('# Changes\n', status)).toMatch(/^# Changes\n\n## 0\.2\.0\n/);
  });

  it('refuses a release without changes, and one of several versions', () => {
    expect(() => nextVersion({ changesets: [], releases: [] })).toThrow('npm run changeset');
    expect(() =>
      nextVersion({ changesets: [], releases: [release('minor'), release('patch', '0.1.1')] }),
    ).toThrow('0.2.0, 0.1.1');
  });
});
