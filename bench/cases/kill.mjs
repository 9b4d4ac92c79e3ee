import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { JsonlSessionStore } from '@robota-sdk/agent-sessions';
import { killRun, startModelServer } from '@robota-sdk/agent-testing';
import { absolute } from '../report.mjs';

const longestMs = 1500;

/**
 * `kill -9` at random moments while a command runs: everything the model saw is in the file, and no process
 * is left.
 */
export async function kill(/** @type {import('../bench.mjs').Bench} */ bench) {
  const runs = bench.quick ? 20 : 200;
  const directory = bench.directory('kill');
  const server = await startModelServer();
  let acknowledged = 0;
  const found = { lost: 0, closed: 0, orphans: 0 };
  try {
    for (let run = 0; run < runs; run++) {
      const [cwd, home] = [join(directory, `project-${run}`), join(directory, `home-${run}`)];
      await Promise.all([mkdir(cwd), mkdir(home)]);
      const result = await killRun({ server, cwd, home, delayMs: Math.random() * longestMs });
      acknowledged += result.acknowledged.length;
      found.orphans += result.orphans.length;
      const { lost, opens } = await inspect({ cwd, home, acknowledged: result.acknowledged });
      found.lost += lost;
      if (!opens) found.closed++;
    }
  } finally {
    await server.close();
  }
  const shown = `${runs} × kill -9 with a command running`;
  return [
    absolute({ name: `${shown}: entries acknowledged`, ours: acknowledged, unit: 'count' }),
    absolute({ name: `${shown}: of those lost`, ours: found.lost, unit: 'count', limit: 0 }),
    absolute({ name: `${shown}: files that do not open`, ours: found.closed, unit: 'count', limit: 0 }),
    absolute({ name: `${shown}: orphan processes`, ours: found.orphans, unit: 'count', limit: 0 }),
  ];
}

/** @param {{ cwd: string, home: string, acknowledged: readonly string[] }} run */
async function inspect({ cwd, home, acknowledged }) {
  const store = new JsonlSessionStore({ home: join(home, '.robota') });
  const latest = await store.latest(cwd);
  if (latest?.path === undefined) return { lost: acknowledged.length, opens: true };
  const text = readFileSync(latest.path, 'utf8');
  const lost = acknowledged.filter((each) => !text.includes(each)).length;
  try {
    const handle = await store.open(latest.id);
    handle.messages();
    await handle.close();
    return { lost, opens: true };
  } catch {
    return { lost, opens: false };
  }
}
