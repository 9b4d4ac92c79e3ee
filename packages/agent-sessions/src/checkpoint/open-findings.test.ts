import { chmodSync } from 'node:fs';
import { stillOpen } from '@robota-sdk/agent-testing/still-open';
import { describe, expect } from 'vitest';
import { put, read, repository } from './fixtures/rewind-fixture.ts';

describe('what a command that looks harmless changes', () => {
  stillOpen('can be taken back where the repository has a program that git starts', {
    observe: async () => {
      const place = repository({ a: 'before', 'monitor.sh': '#!/bin/sh\nprintf after > a\nprintf "/\\0"\n' });
      chmodSync(place.path('monitor.sh'), 0o755);
      place.git('config', 'core.fsmonitor', './monitor.sh');
      put(place, 'a', 'before');
      place.prompt('look');
      await place.run('git status');
      const after = read(place, 'a');
      const turns = await place.checkpoints.turns();
      return {
        after,
        files: turns.flatMap(({ files }) => files.map(({ path }) => path === place.path('a'))),
      };
    },
    today: { after: 'after', files: [] },
    wanted: ({ files }) => expect(files).toContain(true),
  });
});
