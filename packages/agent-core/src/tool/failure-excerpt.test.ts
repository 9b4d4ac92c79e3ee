import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { failingLines, failureExcerpt } from './failure-excerpt.ts';

const testRun = `> shop@1.0.0 test
> node --test

ok 1 - adds
not ok 2 - subtracts
  expected: 3
  actual: 4
# tests 2
# fail 1
# skipped 0
# todo 0
# duration_ms 51`;

describe('failureExcerpt', () => {
  it('shows the first failure and the end of a test run', () => {
    expect(failureExcerpt(testRun)).toEqual([
      { hidden: 4 },
      'not ok 2 - subtracts',
      '  expected: 3',
      '  actual: 4',
      { hidden: 3 },
      '# todo 0',
      '# duration_ms 51',
    ]);
  });

  it.each([
    'src/a.ts(3,5): error TS2322: Type',
    'TypeError: x is not a function',
    'error[E0308]: mismatched types',
    'FAIL src/a.test.ts',
    'AssertionError: expected 1',
    'Traceback (most recent call last):',
    'bash: cannot open it',
    ' ✗ keeps the last line',
    "thread 'main' panicked at src/main.rs:2",
  ])('takes %s for a failure', (line) => {
    const rest = Array.from({ length: 9 }, (_, index) => `line ${index}`);
    expect(failureExcerpt([line, ...rest].join('\n'))?.[0]).toBe(line);
  });

  it.each(['0 errors', '# fail 0', 'errors: 0', 'no errors found', 'all is well', 'terror'])(
    'does not take %s for one',
    (line) => {
      expect(failureExcerpt(`${line}\n${'x\n'.repeat(20)}`)).toBeUndefined();
    },
  );

  it('leaves it to the end where the failure stands there', () => {
    expect(failureExcerpt('a\nb\nc\nd\nError: e\nf\ng')).toBeUndefined();
    expect(failureExcerpt('Error')).toBeUndefined();
    expect(failureExcerpt('')).toBeUndefined();
  });

  it('accounts for every line, in order', () => {
    const line = fc.constantFrom('a', 'Error: b', 'c');
    fc.assert(
      fc.property(fc.array(line, { maxLength: 40 }), (lines) => {
        const excerpt = failureExcerpt(lines.join('\n'));
        if (!excerpt) return;
        let at = 0;
        for (const part of excerpt) {
          if (typeof part === 'string') expect(part).toBe(lines[at]);
          else expect(part.hidden).toBeGreaterThan(1);
          at += typeof part === 'string' ? 1 : part.hidden;
        }
        expect(at).toBe(lines.length);
      }),
    );
  });

  it('counts the lines of long outputs', () => {
    const text = `Error: first\n${'x\n'.repeat(100_000)}end`;
    expect(failureExcerpt(text)).toEqual(['Error: first', 'x', 'x', { hidden: 99_997 }, 'x', 'end']);
  });
});

describe('failingLines', () => {
  it('shows a failure with its explanation where a test runner repeats it at its end', () => {
    const named = '✖ total applies the tax (0.7ms)';
    const explained = [named, '  AssertionError: Expected values to be strictly equal:', '', '  200 !== 216'];
    const text = [named, '✔ discount', 'ℹ fail 1', '', '✖ failing tests:', '', ...explained].join('\n');
    expect(failingLines(text)).toEqual({ lines: explained, total: 10 });
    expect(failingLines(`${named}\n✔ discount`).lines).toEqual([named]);
  });
});
