import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { stillOpen } from '@robota-sdk/agent-testing/still-open';
import { expect, onTestFinished } from 'vitest';
import { TestFleet } from './fixtures/repository.ts';

stillOpen('A workspace has no remark about files that were touched, and not changed', {
  observe: async () => {
    const fleet = new TestFleet();
    onTestFinished(() => fleet.end());
    const repo = fleet.repository({ 'a.txt': 'one\n' });
    utimesSync(join(repo, 'a.txt'), 1_000_000_000, 1_000_000_000);
    return (await fleet.open({ repo })).notes.map((note) => note.replace(repo, 'REPO'));
  },
  today: ['Changes in REPO that are not committed are not part of this task.'],
  wanted: (notes) => expect(notes).toEqual([]),
});
