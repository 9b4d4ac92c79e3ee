import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stillOpen } from '@robota-sdk/agent-testing/still-open';
import { describe, expect, vi } from 'vitest';
import { openScripted } from '../fixtures/scripted-session.ts';
import { makeTestProject } from '../fixtures/test-project.ts';
import { watchSettings } from './watch-settings.ts';

stillOpen('sees changes of settings in a folder that was removed and restored', {
  observe: async () => {
    const place = await makeTestProject();
    await place.put('.robota/settings.json', { maxTurns: 1 });
    let changes = 0;
    const stop = watchSettings({ cwd: place.cwd, host: place.host }, () => changes++);
    const next = async (act: () => Promise<unknown>, timeout = 20_000) => {
      const before = changes;
      await act();
      const isSeen = await vi
        .waitFor(() => expect(changes).toBeGreaterThan(before), { timeout })
        .then(
          () => true,
          () => false,
        );
      // Several events of one change are told as one, unless the machine is slow.
      for (let told = -1; told !== changes; await sleep(500)) told = changes;
      return isSeen;
    };
    expect(await next(() => rm(join(place.cwd, '.robota'), { recursive: true }))).toBe(true);
    expect(await next(() => place.put('.robota/settings.json', { maxTurns: 1 }))).toBe(true);
    const seen = await next(() => place.put('.robota/settings.json', { maxTurns: 2 }), 2_000);
    stop();
    return seen;
  },
  today: false,
  wanted: (seen) => expect(seen).toBe(true),
});

describe('/config set', () => {
  const reply = async (setting: string) => {
    const { session } = await openScripted(await makeTestProject());
    const result = await session.executeCommand('config', `set ${setting}`);
    await session.shutdown();
    return result?.message ?? '';
  };

  stillOpen('says that a setting counts from the next session on, though others of its group count now', {
    observe: () => reply('compaction.model openai/gpt-5.2'),
    today: (message) => expect(message).toContain('now in effect: compaction'),
    wanted: (message) => expect(message).not.toContain('now in effect'),
  });

  stillOpen('names the setting that changed, without the JSON of its group', {
    observe: () => reply('budget.session 2'),
    today: (message) => expect(message).toContain('budget ({"session":2}, was {})'),
    wanted: (message) => {
      expect(message).toContain('budget.session');
      expect(message).not.toContain('{');
    },
  });
});
