import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stillOpen } from '@robota-sdk/agent-testing/still-open';
import { beforeEach, describe, expect } from 'vitest';
import { taskTable } from '../console/task-table.ts';
import type { FleetCommand } from '../contract/client.ts';
import { queuedTask } from '../contract/task.ts';
import { taskSpec } from '../fixtures/task-spec.ts';
import { newTaskId } from '../task/task-id.ts';
import { LocalClient } from './local-client.ts';
import { resumeClaims } from './once.ts';
import { readProjection, TaskProjection } from './task-projection.ts';

let client: LocalClient;
let deliveries: string;
beforeEach(async () => {
  client = new LocalClient(await mkdtemp(join(tmpdir(), 'fleet-open-')));
  deliveries = join(client.files.directory, 'deliveries');
  await mkdir(deliveries, { recursive: true });
});

const at = '2026-01-01T00:00:00.000Z';
const add = (id: string, changes = {}): FleetCommand => ({
  type: 'add',
  id,
  spec: taskSpec({ name: id, ...changes }),
  at,
});
const nameOf = (key: string) => createHash('sha256').update(key).digest('hex');

describe('requests that come at most once', () => {
  stillOpen('are carried out once though the process was killed before it had its claim', {
    observe: async () => {
      // Written and synced, but not yet linked to its name.
      const claim = { owner: 'killed', commands: [add('first')], others: [] };
      await writeFile(join(deliveries, `.${newTaskId()}.tmp`), JSON.stringify(claim));
      await resumeClaims(client.files);
      await client.submitOnce(['key'], [add('second')]);
      return (await client.tasks()).length;
    },
    today: 2,
    wanted: (count) => expect(count).toBe(1),
  });

  stillOpen('are carried out once, not never, if two with the same keys in another order come at once', {
    observe: async () => {
      const claims = [
        { key: 'x', owner: 'one', other: 'y' },
        { key: 'y', owner: 'two', other: 'x' },
      ];
      for (const { key, owner, other } of claims)
        await writeFile(
          join(deliveries, nameOf(key)),
          JSON.stringify({ owner, commands: [add(owner)], others: [nameOf(other)] }),
        );
      await resumeClaims(client.files);
      return (await client.tasks()).length;
    },
    today: 0,
    wanted: (count) => expect(count).toBe(1),
  });
});

describe('the list of tasks', () => {
  stillOpen('has the oldest first, also those that a schedule added', {
    observe: async () => {
      const older = newTaskId();
      await client.submit([add(older)]);
      // The ids of schedules are hashes.
      const scheduled = '10d2b29c4c2d';
      await client.submit([{ type: 'add', id: scheduled, spec: taskSpec(), at: '2026-01-02T00:00:00.000Z' }]);
      return (await client.tasks()).map(({ id }) => (id === older ? 'older' : 'newer'));
    },
    today: ['newer', 'older'],
    wanted: (order) => expect(order).toEqual(['older', 'newer']),
  });

  stillOpen('says which label a task waits for', {
    observe: async () => {
      await client.submit([add('one', { labels: ['gpu'] })]);
      const measure = { width: (text: string) => text.length, truncate: (text: string) => text };
      const lines = taskTable(await client.tasks(), { ...measure, columns: undefined, now: Date.parse(at) });
      return lines.slice(1).map((line) => line.replace(/ +/g, ' '));
    },
    today: ['one queued $0.00 0 0s one'],
    wanted: ([line]) => expect(line).toContain('gpu'),
  });

  stillOpen('keeps a task whose line follows one that did not fit on the disk', {
    observe: async () => {
      const { tasks: path } = client.files;
      const projection = new TaskProjection(path);
      // Larger than what any other test writes meanwhile.
      await projection.rewrite([queuedTask('large', taskSpec({ prompt: 'x'.repeat(64 * 1024 * 1024) }), at)]);
      const limit = (size: string) =>
        execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${size}:`]);
      limit(String(statSync(path).size + 100));
      const appended = projection.append([queuedTask('torn', taskSpec(), at)]);
      limit('unlimited');
      await appended.catch(() => {});
      await projection.append([queuedTask('next', taskSpec(), at)]);
      const { ids, details } = await readProjection(path);
      return ids.filter((id) => details(id));
    },
    today: ['large'],
    wanted: (ids) => expect(ids).toContain('next'),
  });
});
