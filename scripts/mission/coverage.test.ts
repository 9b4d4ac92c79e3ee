import { describe, expect, it } from 'vitest';
import { coverageOf, parseChecklist, testCasesOf } from './coverage.mjs';

const checklist = `# Title

- A line is done when a test proves it: \`proves('C-78')\`.

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

describe('coverageOf', () => {
  const report = (cases: { ids?: string[]; status: string }[]) => ({
    testResults: [
      {
        name: '/repo/a.test.ts',
        assertionResults: cases.map(({ ids, status }) => ({ status, meta: ids ? { ids } : {} })),
      },
    ],
  });
  const coverage = (cases: { ids?: string[]; status: string }[]) =>
    coverageOf(parseChecklist(checklist), testCasesOf(report(cases)));

  it('counts passing tests by section; one test may prove several lines', () => {
    const { sections, done, missing } = coverage([
      { ids: ['R-10', 'C-1'], status: 'passed' },
      { status: 'passed' },
    ]);
    expect(done.map(({ id }) => id)).toEqual(['C-1', 'R-10']);
    expect(missing.map(({ id }) => id)).toEqual(['C-2']);
    expect(sections).toEqual([
      { section: 'C — cli', done: 1, total: 2 },
      { section: 'R — sdk', done: 1, total: 1 },
    ]);
  });

  it('does not count skipped tests, nor a line of which one test fails', () => {
    const { done, failing, missing } = coverage([
      { ids: ['C-1'], status: 'passed' },
      { ids: ['C-1'], status: 'failed' },
      { ids: ['C-2'], status: 'skipped' },
    ]);
    expect(done).toEqual([]);
    expect(failing.map(({ id }) => id)).toEqual(['C-1']);
    expect(missing.map(({ id }) => id)).toEqual(['C-2', 'R-10']);
  });

  it('reports ids that the checklist does not have', () => {
    expect(coverage([{ ids: ['Z-9'], status: 'passed' }]).unknown).toEqual([
      { id: 'Z-9', file: '/repo/a.test.ts' },
    ]);
  });
});
