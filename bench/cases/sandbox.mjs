import { testToolContext } from '@robota-sdk/agent-testing';
import {
  bashTool,
  findSandbox,
  sandboxAccess,
  sandboxDirectory,
  strictPolicy,
} from '@robota-sdk/agent-tools';
import { absolute } from '../report.mjs';

const limit = 60;

/** Overhead of a sandbox for a no-op command, without network and with a list of hosts. */
export async function sandbox(/** @type {import('../bench.mjs').Bench} */ bench) {
  const tool = await findSandbox();
  if (tool.kind === 'missing')
    throw new Error(`The sandbox can't be measured: ${tool.reason}. ${tool.advice}`);
  const root = bench.directory('sandboxed');
  const plain = testToolContext(root);
  const enclosed = enclosedContext(root, 'off');
  const proxied = enclosedContext(root, { allow: ['example.com'] });
  const times = await interleaveRuns({ plain, enclosed, proxied }, bench.quick ? 5 : 20);
  for (const context of [enclosed, proxied]) context.state.peek(sandboxDirectory)?.dispose();
  return [
    absolute({ name: 'sandbox start, added', ours: times.enclosed - times.plain, unit: 'ms', limit }),
    absolute({ name: 'sandbox start with hosts, added', ours: times.proxied - times.plain, unit: 'ms' }),
  ];
}

function enclosedContext(
  /** @type {string} */ root,
  /** @type {import('@robota-sdk/agent-tools').SandboxPolicy['network']} */ network,
) {
  const context = testToolContext(root);
  const access = context.state.get(sandboxAccess);
  access.mode = 'required';
  access.policy = { ...strictPolicy, network };
  return context;
}

/**
 * The median of each, in milliseconds; taking turns, so that what else the machine does hits all alike.
 * @template {string} Name
 * @param {Record<Name, import('@robota-sdk/agent-core').ToolContext>} contexts
 * @param {number} rounds
 */
async function interleaveRuns(contexts, rounds) {
  /** @type {[Name, import('@robota-sdk/agent-core').ToolContext][]} */
  const entries = /** @type {any} */ (Object.entries(contexts));
  /** @type {Map<Name, number[]>} */
  const times = new Map(entries.map(([name]) => [name, []]));
  // The first round loads what the others use.
  for (let round = -1; round < rounds; round++) {
    for (const [name, context] of entries) {
      const start = performance.now();
      await bashTool.execute({ command: 'true' }, context);
      if (round >= 0) times.get(name)?.push(performance.now() - start);
    }
  }
  return /** @type {Record<Name, number>} */ (
    Object.fromEntries([...times].map(([name, each]) => [name, median(each)]))
  );
}

function median(/** @type {number[]} */ values) {
  return values.sort((one, other) => one - other)[values.length >> 1] ?? Number.NaN;
}
