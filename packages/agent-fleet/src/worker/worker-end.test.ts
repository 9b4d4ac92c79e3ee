import { expect, it } from 'vitest';
import type { Queryable } from '../contract/database.ts';
import { WorkerEnd } from './worker-end.ts';

it('ends at a later look if the database could not be asked at the first', async () => {
  const messages: string[] = [];
  const database: Queryable = {
    query: async () => {
      if (messages.length === 0) throw new Error('connection lost');
      return { rows: [], rowCount: 0 };
    },
  };
  const end = new WorkerEnd({
    database,
    untilEmpty: true,
    signal: new AbortController().signal,
    log: (message) => {
      messages.push(message);
      end.check(engine);
    },
  });
  const engine = { running: 0, isDraining: false, drain: () => {} };
  const ended = end.wait(engine);
  end.check(engine);
  await ended;
  expect(messages).toEqual(['connection lost']);
});
