import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { JsonlSessionStore } from '@robota-sdk/agent-sessions';
import { anthropicReply, killRun, temporaryDirectory } from '@robota-sdk/agent-testing';
import { modelServerPerTest } from '@robota-sdk/agent-testing/each-test';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { stagePerTest } from './stage-per-test.ts';

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

describe('kill -9 while a session is locked', () => {
  const stage = stagePerTest();

  it.each(['before', 'after'])(
    'leaves nothing after the next start, %s the lock is in place',
    async (when) => {
      stage.server.reply(anthropicReply({ text: 'One.' }), anthropicReply({ text: 'Two.' }));
      await stage.robota(['-p', 'go']);
      const [{ path = '' } = {}] = await new JsonlSessionStore({ home: join(stage.home, '.robota') }).list({
        cwd: stage.cwd,
      });
      const beside = () => readdir(dirname(path));
      const kept = await beside();
      const preload = async (code: string) => {
        const file = join(stage.home, 'preload.cjs');
        await writeFile(file, code);
        return { env: { NODE_OPTIONS: `--require=${file}` } };
      };
      const killing = await preload(`
      const fs = require('node:fs');
      const { linkSync } = fs;
      fs.linkSync = (draft, target) => {
        if ('${when}' === 'after') linkSync(draft, target);
        if (target.endsWith('session.jsonl.lock')) process.kill(process.pid, 'SIGKILL');
      };`);
      await stage.robota(['-c', '-p', 'again'], killing);
      expect((await beside()).length).toBeGreaterThan(kept.length);
      // A young file may be of another container.
      const later = await preload('const { now } = Date; Date.now = () => now() + 6_000;');
      const { code } = await stage.robota(['-c', '-p', 'again'], later);
      expect([code, await beside()]).toEqual([0, kept]);
    },
  );
});
