import { join } from 'node:path';
import { temporaryDirectory } from '@robota-sdk/agent-testing';
import { expect, it } from 'vitest';
import { writeFleet } from '../../fixtures/write-fleet.ts';
import { openFleet } from './fleet-port.ts';
import { fleetRows } from './fleet-rows.ts';

it('tasks of a fleet stand on the board in the column of their state, and for their session', async () => {
  const home = await temporaryDirectory('robota-fleet-rows');
  const now = Date.now();
  const askedAt = new Date(now - 60_000).toISOString();
  const question = { hash: 'abc', tool: 'Bash', text: 'Bash(rm -r tmp\nnow)', askedAt };
  await writeFleet(home, {
    now,
    tasks: [
      { id: 't-1', name: 'Delete images', state: 'parked', question, cost: 0.5, repo: join(home, 'shop') },
      { id: 't-2', state: 'parked', reason: { code: 'limit', message: 'Waits for a limit.' } },
      { id: 't-3', state: 'running', activity: 'Edit a.ts', sessionId: 's-3', turns: 4 },
      { id: 't-4', state: 'done', filesChanged: 2, added: 9, removed: 1 },
      { id: 't-5', state: 'failed', reason: { code: 'check', message: 'The check failed.' } },
      { id: 't-6', state: 'done', updatedAt: '2020-01-01T00:00:00Z' },
    ],
  });
  const { rows, sessions } = await fleetRows(() => openFleet({ home })).rows();
  expect(rows.map(({ id, column, lastLine }) => [id, column, lastLine])).toEqual([
    ['t-1', 'needs-you', 'parked'],
    ['t-2', 'running', 'Waits for a limit.'],
    ['t-3', 'running', 'Edit a.ts'],
    ['t-4', 'to-review', 'Done: changed 2 files.'],
    ['t-5', 'done', 'The check failed.'],
  ]);
  expect(rows[0]).toMatchObject({
    kind: 'task',
    questions: 1,
    asks: { tag: 'Run command?', text: 'rm -r tmp', isCode: true, since: Date.parse(askedAt) },
  });
  expect(rows[3]).toMatchObject({ changes: { added: 9, removed: 1, files: 2 } });
  expect(rows[4]).toMatchObject({ failed: true });
  expect([...sessions]).toEqual(['s-3']);
});

it('without a fleet the board has none of them', async () => {
  expect((await fleetRows(async () => undefined).rows()).rows).toEqual([]);
  expect((await fleetRows(() => Promise.reject(new Error('no'))).rows()).rows).toEqual([]);
});
