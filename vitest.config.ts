import { resolve } from 'node:path';
import { defaultClientConditions, defaultServerConditions } from 'vite';
import { configDefaults, defineConfig } from 'vitest/config';

const source = '@robota-sdk/source';
const cache = 'node_modules/.cache/robota';

/** Files that replace modules, which other files would get as well. */
const mocking = ['test/contributing.test.ts'];
const { exclude: defaultExclude } = configDefaults;

// A run of some files only must not replace the results of the whole, which `npm run mission` reads.
const isPartial = process.argv.slice(2).some((word) => word !== 'run' && !/^--(run|reporter)/.test(word));

export default defineConfig({
  resolve: {
    conditions: [source, ...defaultClientConditions],
    alias: { 'fast-check': resolve('test/seeded-fast-check.ts') },
  },
  ssr: { resolve: { conditions: [source, ...defaultServerConditions] } },
  test: {
    projects: [
      // Files share a process with others, which saves half a second for each.
      { extends: true, test: { name: 'packages', include: ['packages/*/src/**/*.test.ts'], isolate: false } },
      {
        extends: true,
        test: {
          name: 'program',
          include: ['test/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: [...defaultExclude, ...mocking],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'mocks', include: mocking } },
    ],
    globalSetup: ['test/temporary-files.ts'],
    pool: 'forks',
    // One more than the two cores that the limits are for: tests of processes wait a third of their time.
    maxWorkers: 3,
    testTimeout: 20_000,
    hookTimeout: 20_000,
    teardownTimeout: 5_000,
    reporters: ['default', 'json'],
    outputFile: { json: `${cache}/${isPartial ? 'partial-test-results' : 'test-results'}.json` },
  },
});
