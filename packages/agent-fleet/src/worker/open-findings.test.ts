import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stillOpen } from '@robota-sdk/agent-testing/still-open';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { workReason } from '../attempt/work-reason.ts';
import { LocalClient } from '../client/local-client.ts';
import type { AttemptRunner } from '../contract/attempt.ts';
import { giveDatabase } from '../fixtures/migrated-database.ts';
import { taskSpec } from '../fixtures/task-spec.ts';
import { TestFleet, writeFiles } from '../workspace/fixtures/repository.ts';
import { createWorkspaces } from '../workspace/open-workspace.ts';
import { runSupervisor } from './run-supervisor.ts';
import { taskSteps } from './task-steps.ts';
import { WorkerEnd } from './worker-end.ts';

describe('a task of a fleet', () => {
  const fleet = new TestFleet();
  const repo = fleet.repository({ 'a.txt': 'one\n' });
  const home = join(fleet.root, 'robota');
  const client = new LocalClient(home);
  afterAll(() => fleet.end());

  /** Works on tasks in real worktrees; each writes a file of its name. */
  const supervise = () => {
    const attempts: AttemptRunner = {
      start: ({ taskId, directory }) => {
        writeFileSync(join(directory, `${taskId}.txt`), 'done\n');
        const outcome = { kind: 'finished', answer: 'Done.', cost: 0, turns: 1, notes: [] } as const;
        return { pid: 1, outcome: Promise.resolve(outcome), say: () => {}, stop: async () => {} };
      },
    };
    return runSupervisor({
      home,
      jobs: 1,
      version: '1.0.0',
      env: fleet.env,
      untilEmpty: true,
      signal: new AbortController().signal,
      times: { beatMs: 100 },
      steps: taskSteps({
        workspaces: createWorkspaces({ home: { directory: join(home, 'fleet') }, env: fleet.env }),
        attempts,
        sessions: { kind: 'files' },
        newSessionId: () => 'session',
      }),
    });
  };

  beforeAll(async () => {
    writeFiles(repo, { 'a.txt': 'changed\n' });
    await giveDatabase(home);
    const at = new Date().toISOString();
    const add = (id: string, after: readonly string[] = []) =>
      client.submit([{ type: 'add', id, spec: taskSpec({ name: id, repo, after }), at }]);
    await add('one');
    await add('two', ['one']);
    await supervise();
  });

  stillOpen('has a receipt that says which changes of the user are not part of it', {
    observe: async () => {
      const { state, receipt } = (await client.task('one')) ?? {};
      return { state, notes: receipt?.notes };
    },
    today: { state: 'done', notes: [] },
    wanted: ({ notes }) => expect(notes?.join()).toContain('not committed'),
  });

  stillOpen('starts from the work of the task that it comes after', {
    observe: async () => {
      const { branch = '' } = (await client.task('two')) ?? {};
      return fleet.git(repo, 'ls-tree', '--name-only', branch).split('\n');
    },
    today: ['a.txt', 'two.txt'],
    wanted: (names) => expect(names).toEqual(['a.txt', 'one.txt', 'two.txt']),
  });

  stillOpen('that has ended refuses messages, and their sender is told', {
    observe: async () => {
      const outcome = await client.submit([{ type: 'say', id: 'one', text: 'And b.txt.' }]).then(
        () => 'accepted',
        () => 'refused',
      );
      await supervise();
      return { outcome, problems: (await client.problems()).length };
    },
    today: { outcome: 'accepted', problems: 0 },
    wanted: ({ outcome, problems }) => expect(outcome === 'refused' || problems > 0).toBe(true),
  });
});

describe('an outage of the model', () => {
  const outages = {
    'that is overloaded': { code: 'overloaded', message: 'The service is overloaded.' },
    'that cannot be reached': { code: 'network', message: 'Nothing answers (connection refused).' },
    'that refuses the key': { code: 'auth', message: 'The key was refused.' },
    'that fails inside': { code: 'server', message: 'The service failed (500).' },
  } as const;
  for (const [name, error] of Object.entries(outages))
    stillOpen(`${name} parks tasks, and fails none`, {
      observe: () => workReason({ error: error as never }, { refusal: undefined }).isParked,
      today: false,
      wanted: (isParked) => expect(isParked).toBe(true),
    });
});

describe('a signal while a fleet starts', () => {
  stillOpen('ends the worker before it takes tasks', {
    observe: async () => {
      const drain = new AbortController();
      const ended = new AbortController();
      drain.abort();
      let isDraining = false;
      const end = new WorkerEnd({
        database: { query: async () => ({ rows: [], rowCount: 0 }) },
        untilEmpty: true,
        signal: ended.signal,
        drain: drain.signal,
      });
      const waiting = end.wait({
        drain: () => {
          isDraining = true;
        },
      });
      ended.abort();
      await waiting;
      return { isDraining };
    },
    today: { isDraining: false },
    wanted: (outcome) => expect(outcome).toEqual({ isDraining: true }),
  });
});
