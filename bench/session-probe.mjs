// A separate process to measure sessions: `append HOME COUNT`, `durable HOME COUNT` and `open HOME ID`.
// Prints JSON.
import { JsonlSessionStore } from '@robota-sdk/agent-sessions';
import { sampleMessage } from './session-messages.mjs';

const [mode, home = '', argument = ''] = process.argv.slice(2);
const store = new JsonlSessionStore({ home });
const result = mode === 'open' ? await open(argument) : await append(Number(argument), mode === 'durable');
process.stdout.write(JSON.stringify(result));

/** Milliseconds for each entry: all of them, the first tenth and the last. */
async function append(/** @type {number} */ count, /** @type {boolean} */ durable) {
  const handle = await store.create({ cwd: '/' });
  const tenth = count / 10;
  const marks = [];
  for (let index = 0; index < count; index++) {
    if (index % tenth === 0) marks.push(performance.now());
    await handle.append({ type: 'message', message: sampleMessage(index, 600) }, { durable });
  }
  marks.push(performance.now());
  await handle.close();
  const [first = 0, second = 0, third = 0] = marks;
  const [beforeLast = 0, last = 0] = marks.slice(-2);
  return {
    each: (last - first) / count,
    // The first tenth of all warms up.
    first: (third - second) / tenth,
    last: (last - beforeLast) / tenth,
  };
}

/** How long a session takes until its conversation could be sent, and what it adds to the memory of the process. */
async function open(/** @type {string} */ id) {
  const before = process.memoryUsage();
  const start = performance.now();
  const handle = await store.open(id, { mode: 'read' });
  const sent = handle.messages();
  const time = performance.now() - start;
  const peak = process.resourceUsage().maxRSS * 1024 - before.rss;
  globalThis.gc?.();
  const retained = process.memoryUsage().heapUsed - before.heapUsed;
  // Of a branch that no model could read only the end is sent; all of it must be there.
  return { time, peak, retained, sent: sent.length, messages: [...handle.ids()].length };
}
