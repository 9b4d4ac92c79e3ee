/** How many tests passed and failed, as a command's output tells it. */
export interface TestCounts {
  /** Undefined where the output does not tell it whole. */
  readonly passed: number | undefined;
  readonly failed: number;
}

/** Lines longer than this are no summary. */
const longest = 300;

/**
 * Summary lines of test runners. Passed and failed tests are read from them by the same words, so that neither is told without
 * the other. `counts`: `2 passed`. `labels`: `Passed: 2`. `groups`: files and suites, which count only where no test failed.
 */
const runners: readonly {
  readonly runner: string;
  readonly line: RegExp;
  readonly form: 'counts' | 'labels' | 'groups';
}[] = [
  { runner: 'node, tape', line: /^(?:# |ℹ )?(?:pass|passed|fail|failed|cancelled) +\d+$/, form: 'labels' },
  { runner: 'tap', line: /^# \{ total: \d/, form: 'labels' },
  { runner: 'jest, pest', line: /^Tests: +\d+ [a-z]/, form: 'counts' },
  { runner: 'jest', line: /^Test Suites: +\d+ [a-z]/, form: 'groups' },
  { runner: 'vitest', line: /^Tests +\d+ [a-z]/, form: 'counts' },
  { runner: 'vitest', line: /^(?:Test Files|Errors) +\d+ [a-z]/, form: 'groups' },
  { runner: 'pytest', line: /^(?:=+ )?\d+ [a-z]+(?:, \d+ [a-z]+)* in [\d.]+s\b/, form: 'counts' },
  { runner: 'mocha', line: /^\d+ (?:passing|failing|pending)\b/, form: 'counts' },
  { runner: 'cargo', line: /^test result: /, form: 'counts' },
  { runner: 'cargo nextest', line: /^Summary \[[^\]]*\] +\d+ tests? run: /, form: 'counts' },
  { runner: 'gotestsum', line: /^DONE \d+ tests?\b/, form: 'counts' },
  {
    runner: 'rspec, minitest, test-unit, exunit, bats, jasmine',
    line: /^(?:\d+ [a-z]+, )*\d+ (?:failures?|errors?)\b/,
    form: 'counts',
  },
  { runner: 'phpunit, junit', line: /^OK \(\d+ tests?\b/, form: 'counts' },
  { runner: 'phpunit', line: /^Tests: \d+, Assertions: \d/, form: 'labels' },
  { runner: 'unittest', line: /^Ran \d+ tests? in /, form: 'counts' },
  { runner: 'unittest', line: /^(?:FAILED|OK) \([a-z]+=\d/, form: 'labels' },
  { runner: 'maven, junit', line: /^(?:\[[A-Z]+\] )?Tests run: \d+, +Failures: \d[^T]*$/, form: 'labels' },
  { runner: 'junit', line: /^\[ +\d+ tests (?:successful|failed) +\]$/, form: 'counts' },
  { runner: 'gradle', line: /^\d+ tests? completed, \d+ failed\b/, form: 'counts' },
  { runner: 'dotnet', line: /^(?:Failed|Passed|Skipped)! +- +Failed: /, form: 'labels' },
  { runner: 'dotnet', line: /^Test summary: total: \d/, form: 'labels' },
  {
    runner: 'dotnet, uvu',
    line: /^(?:Total tests|[Tt]otal|[Pp]assed|[Ff]ailed|[Ss]ucceeded|[Ss]kipped): +\d+$/,
    form: 'labels',
  },
  { runner: 'deno', line: /^(?:ok|FAILED) \| \d+ passed\b/, form: 'counts' },
  {
    runner: 'bun, playwright, ava',
    line: /^\d+ (?:tests? )?(?:pass|fail|passed|failed|interrupted|errors?)(?: \([^)]*\))?$/,
    form: 'counts',
  },
  { runner: 'ctest', line: /^\d+% tests passed, \d+ tests? failed out of \d/, form: 'counts' },
  { runner: 'googletest', line: /^\[ +(?:PASSED|FAILED) +\] \d+ tests?\b/, form: 'labels' },
  { runner: 'catch2', line: /^test cases: +\d+ \|/, form: 'counts' },
  { runner: 'cucumber', line: /^\d+ scenarios? \(/, form: 'counts' },
];

const words = {
  passed: /^(?:pass|passed|passing|succeeded|successful)$/i,
  failed: /^(?:fail|failed|failing|failures?|errors?|cancelled|interrupted)$/i,
  skipped: /^(?:skip|skipped|skips|pending|pendings|ignored|todo|omissions|disabled|excluded|incomplete)$/i,
  total: /^(?:tests?|examples?|runs?|specs?|doctests?|completed|total)$/i,
} as const;

/** Runners that tell every test or package by a line of its own. */
const marks = {
  passed: /^(?:--- PASS: |ok +\d|ok\s+\S+\s+(?:[\d.]+s|\(cached\)))/,
  failed: /^(?:--- FAIL: |FAIL\s+\S+\s|not ok\b)/,
  /** TAP counts these as passed. */
  excused: /# (?:TODO|SKIP)\b/i,
} as const;

/** A line that says that something failed, whatever printed it. */
const failure =
  /^(?:FAIL|FAILED|FAILURE|not ok|--- FAIL|BUILD FAILED|Result: FAIL|error\[|npm ERR!|npm error|make: \*\*\*|Some tests failed|Traceback|panic:|fatal:)(?![a-z])/;
/** A count of failures in a line of no known form. */
const failureCount =
  /\b[1-9]\d* (?:[a-z]+ )?(?:fail|error|problem)|\b(?:failures?|failed|errors?)[:=] ?[1-9]/i;

/** Reads the summary of a test runner; undefined if it is the output of none. */
export function testCounts(lines: readonly string[]): TestCounts | undefined {
  const counter = new Counter();
  for (const line of lines) counter.read(line.trim().slice(0, longest));
  return counter.counts;
}

/** True if a line says that something failed. */
export function saysFailed(lines: readonly string[]): boolean {
  return lines.some((line) => failure.test(line.trim().slice(0, longest)));
}

class Counter {
  readonly #sums = { passed: 0, failed: 0, skipped: 0, total: 0 };
  readonly #marked = { passed: 0, failed: 0 };
  #failedGroups = 0;
  #hasPassed = false;
  #isCounted = false;
  #isDoubtful = false;

  read(line: string): void {
    const known = runners.find((runner) => runner.line.test(line));
    if (known) return this.#count(line, known.form);
    if (marks.failed.test(line) && !marks.excused.test(line)) this.#marked.failed++;
    else if (marks.passed.test(line)) this.#marked.passed++;
    this.#isDoubtful ||= failure.test(line) || failureCount.test(line);
  }

  get counts(): TestCounts | undefined {
    const { passed, failed } = this.#isCounted ? this.#counted() : this.#marked;
    const allFailed = Math.max(failed, this.#isCounted ? 0 : this.#marked.failed);
    if (allFailed > 0) return { passed, failed: allFailed };
    // Never tell passes where something else may have failed.
    return passed > 0 && !this.#isDoubtful ? { passed, failed: 0 } : undefined;
  }

  #counted(): { readonly passed: number; readonly failed: number } {
    const { passed, failed, skipped, total } = this.#sums;
    const rest = Math.max(0, total - failed - skipped);
    if (!this.#hasPassed) return { passed: rest, failed: failed || this.#failedGroups };
    return {
      passed,
      failed: Math.max(failed, total === 0 ? 0 : rest + failed - passed) || this.#failedGroups,
    };
  }

  #count(line: string, form: 'counts' | 'labels' | 'groups'): void {
    for (const [count, word] of form === 'labels' ? labelsIn(line) : countsIn(line)) {
      const kind = kinds.find((each) => words[each].test(word));
      if (form === 'groups') this.#failedGroups += kind === 'failed' ? count : 0;
      else if (kind) this.#sums[kind] += count;
      this.#isCounted ||= kind !== undefined;
      this.#hasPassed ||= form !== 'groups' && kind === 'passed';
    }
  }
}

const kinds = ['passed', 'failed', 'skipped', 'total'] as const;

function countsIn(line: string): [number, string][] {
  return [...line.matchAll(/(?<![\d.])(\d+) (?:tests? (?!in\b)(?=[a-z]))?([a-z]+)/gi)].map(
    ([, count, word = '']) => [Number(count), word],
  );
}

function labelsIn(line: string): [number, string][] {
  return [...line.matchAll(/(?<![a-z])([a-z]+)(?: *\])?[:=]? *(\d+)/gi)].map(([, word = '', count]) => [
    Number(count),
    word,
  ]);
}
