import { countBrokenPrefixes } from '../conversation-prefix.mjs';
import { absolute } from '../report.mjs';
import { writeFiles } from './tool-turns.mjs';

/** The size of the first request, and whether the vendor can cache the conversation. */
export async function firstRequest(/** @type {import('../bench.mjs').Bench} */ bench) {
  const [first = '{}'] = await bench.requestsOf('/text/1');
  const { system, tools } = JSON.parse(first);
  writeFiles(bench.cwd);
  const bodies = await bench.requestsOf('/tools/200');
  if (bodies.length !== 201) throw new Error(`Expected 201 requests of 200 turns, got ${bodies.length}.`);
  return [
    absolute({ name: 'first request, system prompt', ours: bytesOf(system), unit: 'bytes' }),
    absolute({ name: 'first request, tools', ours: bytesOf(tools), unit: 'bytes' }),
    absolute({
      name: 'first request, both',
      ours: bytesOf(system) + bytesOf(tools),
      unit: 'bytes',
      limit: 7500,
    }),
    absolute({
      name: '200 turns, requests that change what was sent',
      ours: countBrokenPrefixes(bodies),
      unit: 'requests',
      limit: 0,
    }),
  ];
}

function bytesOf(/** @type {unknown} */ value) {
  return Buffer.byteLength(JSON.stringify(value));
}
