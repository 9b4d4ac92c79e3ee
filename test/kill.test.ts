import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { JsonlSessionStore } from '@robota-sdk/agent-sessions';
import { killRun, temporaryDirectory } from '@robota-sdk/agent-testing';
import { modelServerPerTest } from '@robota-sdk/agent-testing/each-test';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';

const server = modelServerPerTest();

describe.skipIf(process.platform !== 'linux')('kill -9 while a command runs', () => {
  it.each([150, 230, 310, 370, 440, 520, 590, 650, 710, 800])(
    'after %i ms loses nothing the model was told, leaves no process, and the session continues',
    async (delayMs) => {
      proves('P-22');
      const [cwd, home] = [await temporaryDirectory(), await temporaryDirectory('robota-home')];
      const { acknowledged, orphans } = await killRun({ server, cwd, home, delayMs });
      expect(orphans).toEqual([]);
      const store = new JsonlSessionStore({ home: join(home, '.robota') });
      const latest = await store.latest(cwd);
      if (acknowledged.length === 0) return;
      const text = await readFile(latest?.path ?? '', 'utf8');
      expect(acknowledged.filter((each) => !text.includes(each))).toEqual([]);
      const handle = await store.open(latest?.id ?? '');
      expect(handle.problems.filter(({ code }) => code !== 'torn-tail')).toEqual([]);
      expect(handle.messages().at(0)).toMatchObject({ role: 'user' });
      await handle.close();
    },
  );
});
