import type { ToolItem } from '@robota-sdk/agent-sessions';
import { createRenderStyle, plainText } from '@robota-sdk/agent-tui';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AppStyle } from '../theme/app-tokens.ts';
import { hasFailedInside } from './command-output.ts';
import { renderItem } from './render-item.ts';
import { testCounts } from './test-counts.ts';

/** Ends of the output of runs in which tests passed and failed, with how many. */
const mixed: readonly (readonly [runner: string, output: string, passed: number, failed: number])[] = [
  ['node', '# tests 3\n# suites 0\n# pass 1\n# fail 2\n# cancelled 0\n# skipped 0', 1, 2],
  ['node spec', 'ℹ tests 4\nℹ pass 3\nℹ fail 0\nℹ cancelled 1', 3, 1],
  ['tape', '1..3\n# tests 3\n# pass  2\n# fail  1', 2, 1],
  ['tap', 'TAP version 14\nok 1 - a\nnot ok 2 - b\nok 3 - c\n1..3', 2, 1],
  ['mocha', '  1 passing (3ms)\n  2 failing\n\n  1) adds', 1, 2],
  [
    'jest',
    'Test Suites: 1 failed, 1 passed, 2 total\nTests:       1 failed, 2 skipped, 3 passed, 6 total',
    3,
    1,
  ],
  [
    'jest, a file that breaks',
    'Test Suites: 1 failed, 1 passed, 2 total\nTests:       3 passed, 3 total',
    3,
    1,
  ],
  ['vitest', ' Test Files  1 failed | 2 passed (3)\n      Tests  1 failed | 5 passed (6)', 5, 1],
  ['vitest, an error', ' Test Files  2 passed (2)\n      Tests  5 passed (5)\n     Errors  1 error', 5, 1],
  ['pytest', '=== 1 failed, 2 passed, 1 error in 0.12s ===', 2, 2],
  ['pytest -q', '2 failed, 4 passed, 1 warning in 0.03s', 4, 2],
  ['go test', 'ok  \tshop/a\t0.1s\n--- FAIL: TestSum (0.00s)\nFAIL\nFAIL\tshop/b\t0.2s\nFAIL', 1, 2],
  [
    'cargo',
    'test result: ok. 3 passed; 0 failed; 0 ignored\ntest result: FAILED. 2 passed; 1 failed; 0 ignored',
    5,
    1,
  ],
  ['nextest', '     Summary [   0.1s] 3 tests run: 2 passed, 1 failed, 0 skipped', 2, 1],
  ['rspec', '3 examples, 1 failure, 1 pending', 1, 1],
  ['phpunit', 'FAILURES!\nTests: 4, Assertions: 3, Failures: 1, Errors: 1, Skipped: 1.', 1, 2],
  ['maven', '[ERROR] Tests run: 4, Failures: 1, Errors: 1, Skipped: 0', 2, 2],
  ['gradle', '3 tests completed, 1 failed', 2, 1],
  ['junit', '[         2 tests successful      ]\n[         1 tests failed          ]', 2, 1],
  ['unittest', 'Ran 3 tests in 0.001s\n\nFAILED (failures=1, errors=1)', 1, 2],
  ['dotnet', 'Failed!  - Failed:     1, Passed:     2, Skipped:     0, Total:     3', 2, 1],
  ['dotnet build', 'Test summary: total: 3, failed: 1, succeeded: 2, skipped: 0', 2, 1],
  ['deno', 'FAILED | 2 passed (1 step) | 1 failed (5ms)', 2, 1],
  ['bun', ' 2 pass\n 1 fail\nRan 3 tests across 1 file.', 2, 1],
  ['playwright', '  1 failed\n    a.spec.ts:3:1 › adds\n  2 passed (3.4s)', 2, 1],
  ['minitest', '3 runs, 5 assertions, 1 failures, 0 errors, 0 skips', 2, 1],
  ['gotestsum', 'DONE 3 tests, 1 failure in 0.5s', 2, 1],
  ['ava', '  2 tests passed\n  1 test failed', 2, 1],
  ['exunit', '3 tests, 1 failure', 2, 1],
  ['googletest', '[  PASSED  ] 2 tests.\n[  FAILED  ] 1 test, listed below:', 2, 1],
  ['cucumber', '3 scenarios (1 failed, 2 passed)', 2, 1],
];

describe('a summary of tests', () => {
  it.each(mixed)('of %s tells what passed and what failed, and is not green', (_, output, passed, failed) => {
    expect(testCounts(output.split('\n'))).toEqual({ passed, failed });
    expect(hasFailedInside(output, 'make check 2>&1 | tail -20')).toBe(true);
    const row = drawn(output);
    expect(row).toContain(`${passed} pass, ${failed} fail`);
    expect(row).not.toContain('✓');
  });

  it('never tells passes without failures, whatever is cut off or printed around them', () => {
    const lines = mixed.flatMap(([, output]) => output.split('\n'));
    const noise = fc.constantFrom('', 'PASS', 'adds two prices', '> node --test', 'Done in 3.2s');
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constantFrom(...lines), noise), { maxLength: 12 }), (shown) => {
        const counts = testCounts(shown);
        const fails = shown.some((line) =>
          /[1-9]\d* (?:tests? )?fail|fail(?:ed)?:? +[1-9]|^not ok/i.test(line),
        );
        if (fails) expect(counts === undefined || counts.failed > 0).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('tells passes where all passed, and nothing where the output is not whole', () => {
    expect(drawn('# tests 3\n# pass 3\n# fail 0')).toMatch(/✓ .* 3 pass$/);
    expect(drawn(' Test Files  2 passed (2)\n      Tests  5 passed (5)')).toMatch(/✓ .* 5 pass$/);
    expect(drawn('  3 passing (3ms)\nsrc/a.ts: 2 errors')).not.toContain('pass,');
    const display = {
      ...terminal('# pass 3\n# fail 0'),
      omitted: { lines: 900, note: 'full text in /tmp/o' },
    };
    expect(drawn('', display)).not.toContain('3 pass');
    expect(drawn('', display)).toContain('2 of 902 lines');
  });

  it('does not judge a text that is only read', () => {
    expect(hasFailedInside('# pass 1\n# fail 2', 'cat report.txt | tail -3')).toBe(false);
    expect(hasFailedInside('# pass 1\n# fail 2', 'ls; npm test | tail -3')).toBe(true);
  });
});

function terminal(output: string) {
  return { kind: 'terminal', command: 'npm test | tail', output, exitCode: 0 } as const;
}

function drawn(output: string, display: ToolItem['display'] = terminal(output)): string {
  const input = { command: 'npm test | tail' };
  const item: ToolItem = { kind: 'tool', callId: 'a', name: 'Bash', input, state: 'done', output, display };
  const format = { view: 'compact', cwd: '/work', home: '/home/ada' } as const;
  const look = createRenderStyle() as AppStyle;
  return plainText(renderItem(item, { look, columns: 100, format })[0] ?? '').trimEnd();
}
