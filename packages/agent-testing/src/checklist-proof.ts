import { TestRunner } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** Ids of the checklist lines the test proves; `npm run mission` counts them. */
    ids?: string[];
  }
}

/** States at the start of a test which lines of the checklist it proves: `proves('C-78', 'R-55')`. */
export function proves(...ids: string[]): void {
  const test = TestRunner.getCurrentTest();
  if (test === undefined)
    throw new Error('proves() must be called at the start of a test, before any await.');
  test.meta.ids = ids;
}
