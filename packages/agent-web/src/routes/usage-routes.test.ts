import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { userPaths } from '@robota-sdk/agent-sdk/front-end';
import { readUsage, usageCsv, usageReport } from '@robota-sdk/agent-usage';
import { describe, expect, it } from 'vitest';
import { callTurn, openScripted } from '../../../agent-sdk/src/fixtures/scripted-session.ts';
import { makeTestProject } from '../../../agent-sdk/src/fixtures/test-project.ts';
import type { UsageReply } from '../contract/usage.ts';
import { callRoute, jsonOf } from '../fixtures/call-route.ts';
import { usageRoutes } from './usage-routes.ts';

const usage = { input: 1000, output: 500, cacheRead: 4000, cacheWrite: 100 };

async function openUsed() {
  const place = await makeTestProject();
  await place.put('~/.robota/settings.json', { budget: { day: 15 } });
  const script = [
    { ...callTurn('Read', { file_path: 'a.txt' }), usage },
    { text: 'ok', usage },
  ];
  await place.put('a.txt', 'a\n');
  const { session } = await openScripted(place, script, { store: 'new' });
  await session.submit('read it');
  await session.shutdown();
  return { place, root: userPaths(place.host).root, host: place.host };
}

describe('usage in the browser', () => {
  it('has the rows of robota usage, by day and model too, and the budget of the settings', async () => {
    const { root, host } = await openUsed();
    const routes = usageRoutes({ root, host });
    const reply = jsonOf<UsageReply>(await callRoute(routes, 'GET /api/usage'));
    const { since, until, report, series, budgets, projects } = reply;
    const expected = usageReport(readUsage(root).sessions, { since, until });
    expect(report).toEqual(expected);
    const [total] = report.rows;
    expect(total).toMatchObject({ calls: 2, cacheRead: 8000 });
    expect(series.days.flatMap(({ models }) => models)).toMatchObject([
      { model: 'anthropic/claude-sonnet-4-6', calls: 2, output: 1000 },
    ]);
    expect(budgets).toMatchObject({ day: 15, today: total?.cost, month: total?.cost });
    expect(budgets.forecast).toBeGreaterThanOrEqual(budgets.month);
    expect(projects).toHaveLength(1);
  });

  it('gives the CSV of robota usage --csv for the same days and project', async () => {
    const { root, host } = await openUsed();
    const routes = usageRoutes({ root, host });
    const { since, until, projects } = jsonOf<UsageReply>(await callRoute(routes, 'GET /api/usage'));
    const project = projects[0] ?? '';
    const query = new URLSearchParams({ since, until, project });
    expect(await callRoute(routes, `GET /api/usage.csv?${query}`)).toEqual({
      text: usageCsv(usageReport(readUsage(root).sessions, { since, until, project }).rows),
      type: 'text/csv; charset=utf-8',
      fileName: `robota-usage-${since}-${until}.csv`,
    });
    await expect(callRoute(routes, 'GET /api/usage?since=yesterday')).rejects.toThrow('Expected a day');
  });

  it('says which models have no price, and shows nothing where nothing is stored', async () => {
    const place = await makeTestProject();
    const root = userPaths(place.host).root;
    const folder = join(root, 'sessions', 'empty');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'note.txt'), 'no session');
    const reply = jsonOf<UsageReply>(
      await callRoute(usageRoutes({ root, host: place.host }), 'GET /api/usage'),
    );
    expect(reply).toMatchObject({ projects: [], unpriced: [], series: { days: [], breaks: [] } });
    expect(reply.report.sessions).toBe(0);
  });
});
