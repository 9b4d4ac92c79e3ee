import { describe, expect, it } from 'vitest';
import { coverageOf, idsOfTitle, parseChecklist, testCasesOf } from './coverage.mjs';

const checklist = `# Title

- A line is done when a test shows it: \`it('C-78 …')\`.

## C — cli

Structure
- C-1 First thing.
- C-2 Second thing \`[future]\`.

## R — sdk

- R-10 Third thing.
`;

describe('parseChecklist', () => {
  it('reads ids, texts, sections and marks, and leaves other list items alone', () => {
    expect(parseChecklist(checklist)).toEqual([
      { id: 'C-1', text: 'First thing.', section: 'C — cli', later: false },
      { id: 'C-2', text: 'Second thing `[future]`.', section: 'C — cli', later: true },
      { id: 'R-10', text: 'Third thing.', section: 'R — sdk', later: false },
    ]);
  });
});

describe('idsOfTitle', () => {
  it.each([
    ['C-78 cuts output', ['C-78']],
    ['C-78 R-55 cuts output', ['C-78', 'R-55']],
    ['C-78, R-55 cuts output', ['C-78', 'R-55']],
    ['cuts output as C-78 says', []],
    ['UTF-8 is decoded', []],
    ['C-78', []],
    ['C-78b is not an id', []],
  ])('reads "%s"', (title, ids) => {
    expect(idsOfTitle(title)).toEqual(ids);
  });
});

describe('coverageOf', () => {
  const report = (cases: { titles: string[]; status: string }[]) => ({
    testResults: [
      {
        name: '/repo/a.test.ts',
        assertionResults: cases.map(({ titles, status }) => ({
          ancestorTitles: titles.slice(0, -1),
          title: titles.at(-1) ?? '',
          status,
        })),
      },
    ],
  });
  const coverage = (cases: { titles: string[]; status: string }[]) =>
    coverageOf(parseChecklist(checklist), testCasesOf(report(cases)));

  it('counts passing tests by section, with the ids of enclosing groups', () => {
    const { sections, done, missing } = coverage([{ titles: ['R-10 group', 'C-1 works'], status: 'passed' }]);
    expect(done.map(({ id }) => id)).toEqual(['C-1', 'R-10']);
    expect(missing.map(({ id }) => id)).toEqual(['C-2']);
    expect(sections).toEqual([
      { section: 'C — cli', done: 1, total: 2 },
      { section: 'R — sdk', done: 1, total: 1 },
    ]);
  });

  it('does not count skipped tests, nor a line of which one test fails', () => {
    const { done, failing, missing } = coverage([
      { titles: ['C-1 works'], status: 'passed' },
      { titles: ['C-1 works elsewhere'], status: 'failed' },
      { titles: ['C-2 later'], status: 'skipped' },
    ]);
    expect(done).toEqual([]);
    expect(failing.map(({ id }) => id)).toEqual(['C-1']);
    expect(missing.map(({ id }) => id)).toEqual(['C-2', 'R-10']);
  });

  it('reports ids that the checklist does not have', () => {
    expect(coverage([{ titles: ['Z-9 odd'], status: 'passed' }]).unknown).toEqual([
      { id: 'Z-9', file: '/repo/a.test.ts' },
    ]);
  });
});
