import { expect, it } from 'vitest';

/** A finding that is not repaired yet. */
export interface OpenFinding<T> {
  /** Runs the case, once; must not fail. */
  observe(): T | Promise<T>;
  /** Today's wrong outcome: the value itself, or a function that asserts all of it that is wrong. */
  readonly today: T | ((outcome: T) => void);
  /** Asserts the outcome that a repair must have. */
  wanted(outcome: T): void;
}

/**
 * Registers a test of a known finding. It passes as long as the outcome is exactly today's wrong one, so only the finding
 * can fail it: a case that throws or takes too long fails, and so does a repaired one, which becomes an ordinary test.
 */
export function stillOpen<T>(title: string, finding: OpenFinding<T>): void {
  it(`${title} (still open)`, () => assertStillOpen(finding));
}

/** Fails unless a finding is as it was. */
export async function assertStillOpen<T>({ observe, today, wanted }: OpenFinding<T>): Promise<void> {
  const outcome = await observe();
  const changed = failureOf(() => {
    if (isAssertion(today)) today(outcome);
    else expect(outcome).toStrictEqual(today);
  });
  const unmet = failureOf(() => wanted(outcome));
  if (changed === undefined && unmet !== undefined) return;
  if (unmet === undefined && changed !== undefined)
    throw new Error('Fixed: turn this into an ordinary test that asserts the wanted outcome.');
  if (unmet === undefined)
    throw new Error(
      "The wanted outcome and today's wrong one both fit: assert more, so that they exclude each other.",
    );
  const texts = `Today's: ${changed?.message}\nWanted: ${unmet.message}`;
  throw new Error(`The outcome is neither today's wrong one nor the wanted one.\n${texts}`, {
    cause: changed,
  });
}

function isAssertion<T>(today: T | ((outcome: T) => void)): today is (outcome: T) => void {
  return typeof today === 'function';
}

/** The assertion that failed; other errors are thrown, since they are mistakes in the test. */
function failureOf(assert: () => void): Error | undefined {
  try {
    assert();
    return undefined;
  } catch (error) {
    if (error instanceof Error && error.name === 'AssertionError') return error;
    throw error;
  }
}
