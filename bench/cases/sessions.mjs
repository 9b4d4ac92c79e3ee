import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { JsonlSessionStore } from '@robota-sdk/agent-sessions';
import { runOnce } from '../measure.mjs';
import { absolute, compared } from '../report.mjs';
import { sampleMessage } from '../session-messages.mjs';

const probe = fileURLToPath(new URL('../session-probe.mjs', import.meta.url));
const entries = 10_000;
const meanBytes = 5 * 1024;
const megabyte = 1024 * 1024;

/** Cost of a session: of an entry, independent of their number; of its durability; of opening a large one. */
export async function sessions(/** @type {import('../bench.mjs').Bench} */ bench) {
  const home = bench.directory('sessions-home');
  const file = await writeLarge(home);
  const ask = async (/** @type {string[]} */ ...args) =>
    JSON.parse((await runOnce(bench.node('--expose-gc', probe, ...args))).output);
  const count = bench.quick ? 20_000 : 100_000;
  const appended = await ask('append', home, String(count));
  const durable = await ask('durable', home, bench.quick ? '50' : '500');
  const opened = await least(() => ask('open', home, 'large'), bench.quick ? 2 : 5);
  const size = statSync(file).size / megabyte;
  const shown = count.toLocaleString('en');
  return [
    absolute({ name: `append, each of ${shown} entries`, ours: appended.each, unit: 'ms', limit: 0.2 }),
    compared({
      name: `append, the last tenth of ${shown} by the first`,
      ours: appended.last,
      reference: appended.first,
      unit: 'ms',
      limit: 1.5,
    }),
    absolute({ name: 'append, waiting for the disk each time', ours: durable.each, unit: 'ms' }),
    absolute({
      name: `open 10,000 entries of ${size.toFixed(0)} MB`,
      ours: opened.time,
      unit: 'ms',
      limit: 500,
    }),
    compared({
      name: 'memory it keeps, by the file',
      ours: opened.retained / megabyte,
      reference: size,
      unit: 'MB',
      limit: 2,
    }),
    compared({
      name: 'memory at its peak, by the file',
      ours: opened.peak / megabyte,
      reference: size,
      unit: 'MB',
      limit: 2,
    }),
  ];
}

async function writeLarge(/** @type {string} */ home) {
  const store = new JsonlSessionStore({ home });
  const handle = await store.create({ cwd: '/', id: 'large' });
  for (let index = 0; index < entries; index++) {
    await handle.append({ type: 'message', message: sampleMessage(index, meanBytes) });
  }
  await handle.close();
  return String((await store.latest('/'))?.path);
}

/**
 * @param {() => Promise<{ time: number, peak: number, retained: number, messages: number }>} measure
 * @param {number} rounds
 */
async function least(measure, rounds) {
  /** @type {Awaited<ReturnType<typeof measure>>[]} */
  const samples = [];
  for (let round = 0; round < rounds; round++) samples.push(await measure());
  if (samples.some(({ messages }) => messages !== entries))
    throw new Error('The session was not read as a whole.');
  const of = (/** @type {'time' | 'peak' | 'retained'} */ figure) =>
    Math.min(...samples.map((sample) => sample[figure]));
  return { time: of('time'), peak: of('peak'), retained: of('retained') };
}
