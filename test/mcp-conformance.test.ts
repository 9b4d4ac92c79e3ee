import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { robotaBin, sharedCode, temporaryDirectory } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const require = createRequire(import.meta.url);
const suite = dirname(require.resolve('@modelcontextprotocol/conformance/package.json'));
const binaries = resolve('node_modules/.bin');
/** The suite needs a newer Node than we do. */
const suiteNode =
  Number(process.versions.node.split('.')[0]) >= 24 ? process.execPath : join(binaries, 'node');

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

interface Run {
  readonly scenario: string;
  readonly revision: string;
}

/** The scenarios of a side that the suite requires for a revision of the protocol. */
async function required(side: 'Client' | 'Server', revision: string): Promise<readonly Run[]> {
  const { stdout } = await run(suiteNode, [join(suite, 'dist/index.js'), 'list', '--requirements', revision]);
  const [, section = ''] = stdout.split(`${side} scenarios`);
  const [names = ''] = section.split('\n\n');
  return [...names.matchAll(/^ {2}- (\S+)$/gm)].map(([, scenario = '']) => ({ scenario, revision }));
}

const revisions = { '2025-11-25': 18, '2026-07-28': 32 };
const perRevision = await Promise.all(Object.keys(revisions).map((revision) => required('Client', revision)));
const older = ['auth/2025-03-26-oauth-metadata-backcompat', 'auth/2025-03-26-oauth-endpoint-fallback'];
/** Not required. Of these, auth/dpop, auth/dpop-nonce and auth/wif-jwt-bearer are not supported. */
const optional = [
  'auth/client-credentials-jwt',
  'auth/client-credentials-basic',
  'auth/enterprise-managed-authorization',
  'json-schema-2020-12-preservation',
];
const runs: readonly Run[] = [
  ...perRevision.flat(),
  ...older.map((scenario) => ({ scenario, revision: '2025-03-26' })),
  ...optional.map((scenario) => ({ scenario, revision: '2026-07-28' })),
];

let found: ReadonlyMap<string, Found> = new Map();
const nameOf = ({ scenario, revision }: Run) => `${scenario} of ${revision}`;

async function runScenarios(scenarios: readonly Run[]): Promise<[string, Found][]> {
  const placed = await Promise.all(
    scenarios.map(async (scenario) => ({ ...scenario, directory: await temporaryDirectory() })),
  );
  const env = { PATH: process.env.PATH, ROBOTA_BIN: robotaBin, ...sharedCode() };
  const command = `"${process.execPath}" "${client}"`;
  const args = [driver, join(suite, 'dist/index.js'), command, JSON.stringify(placed)];
  const { stdout } = await run(suiteNode, args, { env, maxBuffer: 100_000_000 });
  const ended = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Found & Run);
  return Promise.all(
    ended.map(async ({ scenario, revision, code, said }): Promise<[string, Found]> => {
      const name = nameOf({ scenario, revision });
      const directory = placed.find((each) => nameOf(each) === name)?.directory ?? '';
      return [name, { code, said, checks: await checksIn(directory) }];
    }),
  );
}

async function checksIn(directory: string): Promise<readonly Check[]> {
  const file = (await readdir(directory, { recursive: true })).find((name) => name.endsWith('checks.json'));
  return file === undefined ? [] : JSON.parse(await readFile(join(directory, file), 'utf8'));
}

/** Scenarios whose servers leave the client without a result, which ends it with an error. */
const refusals = [
  'auth/authorization-server-migration',
  'json-schema-ref-no-deref',
  'sep-2322-client-request-state',
];

describe('the official conformance suite, through the command', () => {
  // All scenarios at once, by two processes: the suite takes longer to load than most scenarios.
  beforeAll(async () => {
    const halves = [0, 1].map((half) => runs.filter((_, index) => index % 2 === half));
    found = new Map((await Promise.all(halves.map(runScenarios))).flat());
  }, 300_000);

  it('requires as many scenarios as are run', () => {
    expect(perRevision.map(({ length }) => length)).toEqual(Object.values(revisions));
  });

  it.each(runs.map((each) => [nameOf(each), each] as const))('passes %s', (name, { scenario }) => {
    proves('R-75', 'P-139');
    const { code = -1, said = '', checks = [] } = found.get(name) ?? {};
    const wrong = checks
      .filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
      // Late is what anything is on a busy machine; early is wrong.
      .filter(({ errorMessage = '' }) => scenario !== 'sse-retry' || !errorMessage.includes('very late'));
    expect(wrong, said.slice(-2000)).toEqual([]);
    expect(
      checks.map(({ status }) => status),
      said.slice(-2000),
    ).toContain('SUCCESS');
    const isLate = checks.some(({ status }) => status === 'FAILURE');
    if (!refusals.includes(scenario) && !isLate) expect(code, said.slice(-2000)).toBe(0);
  });
});

const bridge = join(import.meta.dirname, 'fixtures/mcp/stdio-bridge.mjs');
const suiteServer = join(import.meta.dirname, 'fixtures/mcp/conformance-server.mjs');
const bridges: ChildProcess[] = [];
afterAll(() => {
  for (const child of bridges) child.kill();
});

/** Starts a server over standard input and output behind a bridge; resolves with its address. */
async function bridged(...command: readonly string[]): Promise<string> {
  const env = { PATH: process.env.PATH, HOME: await temporaryDirectory(), ...sharedCode() };
  const cwd = process.cwd();
  const child = spawn(process.execPath, [bridge, ...command], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  bridges.push(child);
  const [address] = await once(child.stdout, 'data');
  return String(address).trim();
}

/** Runs scenarios of the suite against a server; resolves with the checks of each. */
async function checkServer(
  url: string,
  ...choice: readonly string[]
): Promise<ReadonlyMap<string, readonly Check[]>> {
  const directory = await temporaryDirectory();
  const args = [join(suite, 'dist/index.js'), 'server', '--url', url, '-o', directory, ...choice];
  // Optional scenarios fail, which the exit code counts.
  await run(suiteNode, args, { maxBuffer: 100_000_000 }).catch(() => {});
  const results = await readdir(directory);
  const checked = results.map(async (result): Promise<[string, readonly Check[]]> => {
    const [, scenario = ''] = /^server-(.+?)-\d{4}-\d\d-\d\dT/.exec(result) ?? [];
    return [scenario, await checksIn(join(directory, result))];
  });
  return new Map(await Promise.all(checked));
}

function failuresIn(checks: readonly Check[] | undefined): readonly Check[] {
  expect(checks?.map(({ status }) => status)).toContain('SUCCESS');
  return checks?.filter(({ status }) => status === 'FAILURE') ?? [];
}

describe('the official conformance suite, through the wiring of robota mcp serve', () => {
  it.each([
    ['2025-11-25', 30],
    ['2026-07-28', 37],
  ] as const)('passes all that %s requires of servers', async (revision, count) => {
    const scenarios = await required('Server', revision);
    expect(scenarios).toHaveLength(count);
    const checked = await checkServer(await bridged(suiteServer), '--requirements', revision);
    for (const { scenario } of scenarios)
      expect([scenario, failuresIn(checked.get(scenario))]).toEqual([scenario, []]);
  });

  it('passes what fits the tools of robota mcp serve itself', async () => {
    const url = await bridged(robotaBin, 'mcp', 'serve', '--model', 'offline');
    const fitting = {
      '2025-11-25': ['server-initialize', 'ping', 'tools-list'],
      '2026-07-28': ['tools-list', 'input-required-result-unsupported-methods'],
    };
    for (const [revision, scenarios] of Object.entries(fitting))
      for (const scenario of scenarios) {
        const checked = await checkServer(url, '--scenario', scenario, '--spec-version', revision);
        expect([scenario, failuresIn(checked.get(scenario))]).toEqual([scenario, []]);
      }
  });
});
