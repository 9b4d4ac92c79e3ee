import { readFile } from 'node:fs/promises';
import { parse } from '@bytecodealliance/jco-transpile/wasm-tools';
import {
  emptyManifest,
  findToolchain,
  HostServices,
  PluginInstance,
  transpileComponent,
} from '@robota-sdk/agent-plugin-wasm';
import { absolute } from '../report.mjs';

const source = new URL('../../test/fixtures/wasm/hostile.wat', import.meta.url);

/** Overhead of a WebAssembly tool call: this tool does nothing. */
export async function wasm(/** @type {import('../bench.mjs').Bench} */ bench) {
  const component = await parse(await readFile(source, 'utf8'));
  const toolchain = findToolchain('/nowhere');
  if (toolchain === undefined) throw new Error('The toolchain for WebAssembly is not installed: npm ci.');
  const made = await transpileComponent({ toolchain, component });
  const { grants, config, limits } = emptyManifest;
  const services = new HostServices({ grants, config, cwd: '/', home: '/', env: {} });
  const instance = new PluginInstance({ load: async () => made, limits, services });
  try {
    const first = await timeOf(instance);
    const rounds = bench.quick ? 200 : 2000;
    const times = [];
    for (let round = 0; round < rounds; round++) times.push(await timeOf(instance));
    times.sort((a, b) => a - b);
    return [
      absolute({ name: 'WebAssembly tool, the first call with its process', ours: first, unit: 'ms' }),
      absolute({ name: 'WebAssembly tool call', ours: times[rounds >> 1] ?? 0, unit: 'ms', limit: 1 }),
    ];
  } finally {
    await instance.dispose();
  }
}

async function timeOf(/** @type {PluginInstance} */ instance) {
  const start = performance.now();
  const answer = await instance.call({ name: 'executeTool', args: ['', 'call', '{}'] });
  const time = performance.now() - start;
  // A wrong answer would be a fast one.
  if (answer !== 'hostile') throw new Error(`Expected the text of the component, got ${answer}.`);
  return time;
}
