import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { XnlExtractor } from '@robota-sdk/xnl';
import { absolute, compared } from '../report.mjs';

const megabyte = 1e6;
/** About a token each, as models send them. */
const piece = 4;
/** Memory of one answer's calls may stay; memory of its text must not. */
const flatMegabytes = 8;

/** Finding calls in the text of a model: by character, for twice the text, and what is kept of it. */
export async function xnl(/** @type {import('../bench.mjs').Bench} */ bench) {
  const rounds = bench.quick ? 3 : 10;
  const [short, long] = [answerOf(1000), answerOf(2000)];
  extract(short);
  const runs = Array.from({ length: rounds }, () => [extract(short), extract(long)]);
  const best = (/** @type {0 | 1} */ which) => Math.min(...runs.map((run) => run[which] ?? Number.NaN));
  return [
    absolute({
      name: 'XNL extraction, per character',
      ours: (best(1) * 1000) / long.length,
      unit: 'µs',
      limit: 1,
    }),
    compared({
      name: 'XNL extraction, twice the text',
      ours: best(1),
      reference: best(0),
      unit: 'ms',
      limit: 2.2,
    }),
    absolute({
      name: 'XNL extraction, memory kept of 20 MB',
      ours: keptOf(20 * megabyte) / megabyte,
      unit: 'MB',
      limit: flatMegabytes,
    }),
  ];
}

/** Text, and calls with everything in their bodies that may be taken for a mark. */
function answerOf(/** @type {number} */ calls) {
  const content = JSON.stringify('if (a < b && !done) { say("x"); } // !unquote </#y>\n'.repeat(40));
  return Array.from(
    { length: calls },
    (_, index) =>
      `Now the next one! It is <b>file ${index}</b>.\n!unquote_start\n<tool_call id="c${index}" lang="javascript" #>\n` +
      `SysBuiltIn.Write({ file_path: "f${index}", content: ${content} })\n</#>\n!unquote_end\n`,
  ).join('');
}

/** The milliseconds it takes to find all calls. */
function extract(/** @type {string} */ text) {
  const extractor = new XnlExtractor();
  let calls = 0;
  const began = performance.now();
  for (let at = 0; at < text.length; at += piece)
    for (const found of extractor.push(text.slice(at, at + piece))) if (found.kind === 'element') calls++;
  extractor.end();
  const passed = performance.now() - began;
  if (calls === 0) throw new Error('No call was found in the text.');
  return passed;
}

/** How many bytes more are in use after a long answer than before it. */
function keptOf(/** @type {number} */ characters) {
  const text = answerOf(20);
  const extractor = new XnlExtractor();
  setFlagsFromString('--expose-gc');
  const collect = /** @type {() => void} */ (runInNewContext('gc'));
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let read = 0; read < characters; read += text.length)
    for (let at = 0; at < text.length; at += 64) extractor.push(text.slice(at, at + 64));
  collect();
  const kept = process.memoryUsage().heapUsed - before;
  extractor.end();
  return Math.max(0, kept);
}
