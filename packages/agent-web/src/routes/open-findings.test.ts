import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stillOpen } from '@robota-sdk/agent-testing/still-open';
import { describe, expect } from 'vitest';
import type { FleetReply } from '../contract/fleet.ts';
import { callRoute, jsonOf } from '../fixtures/call-route.ts';
import { type FleetTask, writeFleet } from '../fixtures/write-fleet.ts';
import { openFleet } from './fleet/fleet-port.ts';
import { fleetRoutes } from './fleet-routes.ts';

const now = Date.parse('2026-11-12T14:00:00Z');

async function readTasks(tasks: readonly FleetTask[]) {
  const home = await mkdtemp(join(tmpdir(), 'robota-web-fleet-'));
  await writeFleet(home, { now, tasks });
  const routes = fleetRoutes({ open: () => openFleet({ home }), now: () => now });
  const reply = jsonOf<FleetReply>(await callRoute(routes, 'GET /api/fleet'));
  if (!reply.installed) throw new Error('agent-fleet is part of the workspace');
  return reply;
}

describe('the fleet in the browser', () => {
  stillOpen('knows of every task that ended today, also of failed ones', {
    observe: async () => {
      const ended = (index: number, state: FleetTask['state']): FleetTask => ({
        id: `t-${String(index).padStart(3, '0')}`,
        state,
        endedAt: new Date(now - (100 - index) * 60_000).toISOString(),
      });
      const { tasks } = await readTasks([
        ended(1, 'failed'),
        ...Array.from({ length: 40 }, (_, index) => ended(index + 2, 'done')),
      ]);
      const count = (state: string) => tasks.filter((task) => task.state === state).length;
      return { done: count('done'), failed: count('failed') };
    },
    today: { done: 30, failed: 0 },
    wanted: (counts) => expect(counts).toEqual({ done: 40, failed: 1 }),
  });
});
