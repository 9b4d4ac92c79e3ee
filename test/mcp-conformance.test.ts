import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { robotaBin, sharedCode, temporaryDirectory } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';

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

/** Runs one scenario of the official suite and returns what it found. */
async function checksOf(scenario: string): Promise<{ code: number; said: string; checks: readonly Check[] }> {
  const directory = await temporaryDirectory();
  const args = [
    'client',
    '--command',
    `"${process.execPath}" "${client}"`,
    '--scenario',
    scenario,
    '-o',
    directory,
    '--timeout',
    '150000',
  ];
  const env = {
    PATH: process.env.PATH,
    HOME: directory,
    TMPDIR: directory,
    ROBOTA_BIN: robotaBin,
    ...sharedCode(),
  };
  const [code, said] = await new Promise<[number, string]>((done) => {
    execFile(suiteNode, [join(suite, 'dist/index.js'), ...args], { env }, (error, stdout, stderr) =>
      done([error ? 1 : 0, stdout + stderr]),
    );
  });
  const files = await readdir(directory, { recursive: true });
  const found = files.find((file) => file.endsWith('checks.json'));
  const checks = found ? (JSON.parse(await readFile(join(directory, found), 'utf8')) as Check[]) : [];
  return { code, said, checks };
}

async function passes(scenario: string): Promise<void> {
  const { code, said, checks } = await checksOf(scenario);
  const wrong = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
  expect(wrong, said.slice(-2000)).toEqual([]);
  expect(checks.map(({ status }) => status)).toContain('SUCCESS');
  // A client that is not let in has nothing more to do.
  if (!refusals.includes(scenario)) expect(code, said.slice(-2000)).toBe(0);
}

const refusals = ['auth/resource-mismatch', 'auth/scope-retry-limit'];

describe('the official conformance suite, through the command', () => {
  it.each(['initialize', 'tools_call', 'elicitation-sep1034-client-defaults'])(
    'passes %s',
    { timeout: 120_000 },
    (scenario) => {
      proves('R-75', 'P-139');
      return passes(scenario);
    },
  );

  // By itself: the suite measures when the client comes back.
  it('passes sse-retry', { timeout: 120_000 }, async () => {
    proves('R-75');
    const { code, checks, said } = await checksOf('sse-retry');
    const failures = checks.filter(({ status }) => status === 'FAILURE');
    // Late is what anything is on a busy machine; early is wrong.
    expect(failures.filter(({ errorMessage = '' }) => !errorMessage.includes('very late'))).toEqual([]);
    expect(checks.filter(({ status }) => status === 'SUCCESS').length, said.slice(-2000)).toBeGreaterThan(1);
    expect(code).toBe(0);
  });

  it.concurrent.each([
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
    // proves() needs to know the current test, which concurrent tests blur.
  ])('passes %s', { timeout: 180_000, meta: { ids: ['R-75'] } }, passes);
});
