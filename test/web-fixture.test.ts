import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { robotaDirectories } from '@robota-sdk/agent-core';
import { userPaths } from '@robota-sdk/agent-sdk/front-end';
import { FileDayLedger } from '@robota-sdk/agent-sessions';
import { beforeAll, describe, expect, it } from 'vitest';
import type { UsageReply } from '../packages/agent-web/src/contract/usage.ts';
import { callRoute, jsonOf } from '../packages/agent-web/src/fixtures/call-route.ts';
import { usageRoutes } from '../packages/agent-web/src/routes/usage-routes.ts';
import { makeWebFixture, type WebFixture } from './fixtures/web/make-web-fixture.ts';

const program = join(import.meta.dirname, '../packages/agent-cli/dist/bin.js');

describe('usage in the browser and in the terminal', () => {
  let fixture: WebFixture;
  beforeAll(async () => {
    fixture = await makeWebFixture();
  });

  it('has the same numbers, as rows and as CSV', async () => {
    const { host } = fixture.place;
    const robota = async (...args: string[]) => {
      const env = { ...process.env, HOME: fixture.place.home, ROBOTA_HOME: undefined };
      return (await promisify(execFile)(process.execPath, [program, 'usage', ...args], { env })).stdout;
    };
    const routes = usageRoutes({ root: userPaths(host).root, host });
    const { report, budgets, since, until } = jsonOf<UsageReply>(await callRoute(routes, 'GET /api/usage'));
    const days = ['--since', since, '--until', until];
    expect(report.rows[0]?.cost).toBeGreaterThan(186);
    // The board has the same amount of today, from the budget.
    const directory = join(robotaDirectories(host).state, 'spending');
    expect(await new FileDayLedger({ directory }).today()).toBeCloseTo(budgets.today, 6);
    expect(JSON.parse(await robota('--json', ...days))).toMatchObject({ rows: report.rows });
    const csv = await callRoute(routes, 'GET /api/usage.csv');
    expect('text' in csv && csv.text).toBe(await robota('--csv', ...days));
  });
});
