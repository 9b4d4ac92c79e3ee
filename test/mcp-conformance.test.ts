import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { robotaBin, sharedCode, temporaryDirectory } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { beforeAll, describe, expect, it } from 'vitest';

const require = createRequire(import.meta.url);
const suite = dirname(require.resolve('@modelcontextprotocol/conformance/package.json'));
const binaries = resolve('node_modules/.bin');
/** The suite needs a newer Node than we do. */
const suiteNode =
  Number(process.versions.node.split('.')[0]) >= 22 ? process.execPath : join(binaries, 'node');

interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'INFO' | 'SKIPPED';
  readonly errorMessage?: string;
}

/** The command itself, driven like a user and a model would. */
const client = join(import.meta.dirname, 'fixtures/mcp/conformance-cli.mjs');
const driver = join(import.meta.dirname, 'fixtures/mcp/conformance-suite.mjs');

/** The findings of the suite in one scenario. */
interface Found {
  readonly code: number;
  readonly said: string;
  readonly checks: readonly Check[];
}

const simple = ['initialize', 'tools_call', 'elicitation-sep1034-client-defaults'];
const authorized = [
  'auth/metadata-default',
  'auth/metadata-var1',
  'auth/metadata-var2',
  'auth/metadata-var3',
  'auth/basic-cimd',
  'auth/scope-from-www-authenticate',
  'auth/scope-from-scopes-supported',
  'auth/scope-omitted-when-undefined',
  'auth/scope-step-up',
  'auth/scope-retry-limit',
  'auth/token-endpoint-auth-basic',
  'auth/token-endpoint-auth-post',
  'auth/token-endpoint-auth-none',
  'auth/pre-registration',
  'auth/2025-03-26-oauth-metadata-backcompat',
  'auth/2025-03-26-oauth-endpoint-fallback',
  'auth/resource-mismatch',
  'auth/offline-access-scope',
  'auth/offline-access-not-supported',
  'auth/client-credentials-jwt',
  'auth/client-credentials-basic',
  'auth/cross-app-access-complete-flow',
];

let found: ReadonlyMap<string, Found> = new Map();

// All scenarios at once, by two processes: the suite takes longer to load than most scenarios.
beforeAll(async () => {
  const scenarios = [...simple, 'sse-retry', ...authorized];
  const halves = [0, 1].map((half) => scenarios.filter((_, index) => index % 2 === half));
  found = new Map((await Promise.all(halves.map(runScenarios))).flat());
}, 300_000);

async function runScenarios(scenarios: readonly string[]): Promise<[string, Found][]> {
  const runs = await Promise.all(
    scenarios.map(async (scenario) => ({ scenario, directory: await temporaryDirectory() })),
  );
  const env = { PATH: process.env.PATH, ROBOTA_BIN: robotaBin, ...sharedCode() };
  const command = `"${process.execPath}" "${client}"`;
  const args = [driver, join(suite, 'dist/index.js'), command, JSON.stringify(runs)];
  const { stdout } = await promisify(execFile)(suiteNode, args, { env, maxBuffer: 100_000_000 });
  const ended = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Found & { scenario: string });
  return Promise.all(
    ended.map(async ({ scenario, code, said }): Promise<[string, Found]> => {
      const directory = runs.find((each) => each.scenario === scenario)?.directory ?? '';
      return [scenario, { code, said, checks: await checksIn(directory) }];
    }),
  );
}

async function checksIn(directory: string): Promise<readonly Check[]> {
  const file = (await readdir(directory, { recursive: true })).find((name) => name.endsWith('checks.json'));
  return file === undefined ? [] : JSON.parse(await readFile(join(directory, file), 'utf8'));
}

function foundIn(scenario: string): Found {
  const result = found.get(scenario);
  if (result === undefined) throw new Error(`The suite did not run ${scenario}.`);
  return result;
}

function passes(scenario: string): void {
  const { code, said, checks } = foundIn(scenario);
  const wrong = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
  expect(wrong, said.slice(-2000)).toEqual([]);
  expect(checks.map(({ status }) => status)).toContain('SUCCESS');
  // A client that is not let in has nothing more to do.
  if (!refusals.includes(scenario)) expect(code, said.slice(-2000)).toBe(0);
}

const refusals = ['auth/resource-mismatch', 'auth/scope-retry-limit'];

describe('the official conformance suite, through the command', () => {
  it.each(simple)('passes %s', (scenario) => {
    proves('R-75', 'P-139');
    passes(scenario);
  });

  it('passes sse-retry', () => {
    proves('R-75');
    const { code, checks, said } = foundIn('sse-retry');
    const failures = checks.filter(({ status }) => status === 'FAILURE');
    // Late is what anything is on a busy machine; early is wrong.
    expect(failures.filter(({ errorMessage = '' }) => !errorMessage.includes('very late'))).toEqual([]);
    expect(checks.filter(({ status }) => status === 'SUCCESS').length, said.slice(-2000)).toBeGreaterThan(1);
    if (failures.length === 0) expect(code).toBe(0);
  });

  it.each(authorized)('passes %s', (scenario) => {
    proves('R-75');
    passes(scenario);
  });
});
