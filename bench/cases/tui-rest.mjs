import { setTimeout as sleep } from 'node:timers/promises';
import { absolute, compared } from '../report.mjs';
import { conversation, opened } from './tui-session.mjs';
import { inTerminal } from './tui-terminal.mjs';

/** @typedef {import('./tui-terminal.mjs').BenchTerminal} BenchTerminal */

const megabyte = 1e6;
const idleSeconds = 10;
/** V8 may look after its memory once; a timer would wake it up again and again. */
const fewWakeUps = 1;
const ctrlO = '\x0f';
const secondScreen = '\x1b[?1049h';

/**
 * Cost of an idle conversation, and the time to open the history of a long one.
 * @param {import('../bench.mjs').Bench} bench
 * @param {string} many
 */
export async function tuiRest(bench, many) {
  const seconds = bench.quick ? 3 : idleSeconds;
  const bare = await inTerminal(bench.node('-e', 'setTimeout(() => {}, 1e9)'), async (terminal) => {
    await sleep(1000);
    return terminal.memory();
  });
  const empty = await inTerminal(conversation(bench, '/text/1'), (terminal) => rest(terminal, seconds));
  const long = await inTerminal(conversation(bench, '/text/1', many), async (terminal) => {
    const { memory } = await rest(terminal, 1);
    return { memory, pagerMs: await openPager(terminal) };
  });
  const scale = idleSeconds / seconds;
  return [
    absolute({ name: 'screen, idle for 10 s, bytes', ours: empty.bytes, unit: 'bytes', limit: 0 }),
    absolute({
      name: 'screen, idle for 10 s, wake-ups',
      ours: empty.wakeUps,
      unit: 'count',
      limit: fewWakeUps,
    }),
    absolute({ name: 'screen, idle for 10 s, CPU', ours: empty.cpu * scale, unit: 'ms', limit: 20 }),
    compared({
      name: 'screen, memory at rest',
      ours: empty.memory / megabyte,
      reference: bare / megabyte,
      unit: 'MB',
      limit: 1.6,
    }),
    absolute({
      name: 'screen, memory added by 5,000 items',
      ours: (long.memory - empty.memory) / megabyte,
      unit: 'MB',
      limit: 40,
    }),
    absolute({ name: 'screen, pager opened on 5,000 items', ours: long.pagerMs, unit: 'ms' }),
  ];
}

async function rest(/** @type {BenchTerminal} */ terminal, /** @type {number} */ seconds) {
  await opened(terminal);
  await terminal.calm(2000);
  const before = { bytes: terminal.bytes, cpu: terminal.cpu(), wakeUps: terminal.wakeUps() };
  await sleep(seconds * 1000);
  return {
    bytes: terminal.bytes - before.bytes,
    cpu: terminal.cpu() - before.cpu,
    wakeUps: terminal.wakeUps() - before.wakeUps,
    memory: terminal.memory(),
  };
}

async function openPager(/** @type {BenchTerminal} */ terminal) {
  const since = performance.now();
  terminal.type(ctrlO);
  await terminal.shows(secondScreen);
  return terminal.shows('\x1b[', since);
}
