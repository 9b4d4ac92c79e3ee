import { resolve } from 'node:path';
import { defaultClientConditions, defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';

const source = '@robota-sdk/source';
const cache = 'node_modules/.cache/robota';

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
      // In-memory tests share a process with other files, which saves a third of the time.
      { extends: true, test: { name: 'packages', include: ['packages/*/src/**/*.test.ts'], isolate: false } },
      { extends: true, test: { name: 'program', include: ['test/**/*.test.ts', 'scripts/**/*.test.ts'] } },
    ],
    globalSetup: ['test/temporary-files.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 20_000,
    teardownTimeout: 5_000,
    reporters: ['default', 'json'],
    outputFile: { json: `${cache}/${isPartial ? 'partial-test-results' : 'test-results'}.json` },
  },
});
