import { resolve } from 'node:path';
import { defaultClientConditions, defaultServerConditions } from 'vite';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const source = '@robota-sdk/source';
const cache = 'node_modules/.cache/robota';

/** Files that replace modules, which other files would get as well. */
const mocking = ['test/contributing.test.ts'];
const { exclude: defaultExclude } = configDefaults;

/** Files that take long for their size, by which a first run is ordered. */
const long =
  /\/(?:mcp-conformance|leaving-early|fleet-(?:bars|crash|run|table|takeover|work)|shell-evaluation|tui-background|tui-questions|tui-review|tui-screens|tui-tasks|docs-commands|database-sessions|web-pictures|limit-heap|history-file|tour|wasm-plugins|first-run|pack|kill|rewind-(?:directories|property)|session-corruption|live-equals-resumed)\.test\./;

/**
 * Packages whose tests share processes. A process holds what all of them load, and the system copies the map of its memory
 * for each program that it starts; so there are several groups, and each begins with new processes.
 */
const groups: Readonly<Record<string, readonly string[]>> = {
  commands: ['agent-core', 'agent-shell'],
  fleet: ['agent-fleet'],
  plugins: ['agent-resources', 'agent-admin', 'agent-tools', 'agent-tool-mcp', 'agent-plugin-wasm'],
  screen: ['agent-tui', 'agent-screen', 'agent-cli', 'agent-diff', 'agent-review'],
  sessions: ['agent-sessions', 'agent-sdk', 'agent-export', 'agent-import', 'agent-config'],
};
const testsOf = (name: string) => `packages/${name}/src/**/*.test.ts`;
const grouped = Object.values(groups).flat().map(testsOf);

/** Workers for tests that wait for other processes for more than half of their time. */
const waiting = { maxWorkers: 7 };
/** Projects with another number of workers run at another time. */
const later = { sequence: { groupOrder: 1 } };

/** Starts those first, so that none of them is left alone at the end. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => Number(long.test(moduleId));
    return (await super.sort(files)).sort((one, other) => isLong(other) - isLong(one));
  }
}

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
      ...Object.entries(groups).map(([name, packages]) => ({
        extends: true as const,
        test: {
          name,
          include: packages.map(testsOf),
          isolate: false,
          ...(name === 'fleet' ? waiting : later),
        },
      })),
      {
        extends: true,
        test: {
          name: 'packages',
          include: [testsOf('*')],
          exclude: [...defaultExclude, ...grouped],
          isolate: false,
          ...later,
        },
      },
      {
        extends: true,
        test: {
          name: 'program',
          include: ['test/**/*.test.ts', 'scripts/**/*.test.ts', 'site/*.test.ts'],
          exclude: [...defaultExclude, ...mocking],
          isolate: false,
          ...waiting,
        },
      },
      { extends: true, test: { name: 'mocks', include: mocking, ...later } },
    ],
    globalSetup: ['test/temporary-files.ts'],
    pool: 'forks',
    // Two more than the two cores that the limits are for: tests of packages wait, too.
    maxWorkers: 4,
    // For `it.concurrent`, whose tests are processes that never wait.
    maxConcurrency: 2,
    sequence: { sequencer: LongFirst },
    // Far longer than any test takes: a busy machine must not fail one.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 30_000 } },
    setupFiles: ['test/patience.ts', 'test/small-process.ts'],
    teardownTimeout: 5_000,
    reporters: ['default', 'json'],
    outputFile: { json: `${cache}/${isPartial ? 'partial-test-results' : 'test-results'}.json` },
  },
});
