// A separate process to measure agents: `subagent-probe COUNT` runs that many at once in one session against
// the model server of the environment, and prints as JSON the added peak memory, CPU and wall time.
import { createInteractiveSession } from '@robota-sdk/agent-sdk/compat';

const count = Number(process.argv[2]);
const session = await createInteractiveSession({ model: 'anthropic/claude-sonnet-4-6', store: 'new' });
// One-time loading is not charged to each agent.
await run(1);
globalThis.gc?.();
const before = process.memoryUsage.rss();
const cpu = process.cpuUsage();
const start = performance.now();
let peak = before;
const sampling = setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss());
}, 2);
await run(count);
clearInterval(sampling);
const wall = performance.now() - start;
const { user, system } = process.cpuUsage(cpu);
await session.shutdown();
process.stdout.write(JSON.stringify({ memory: peak - before, cpu: (user + system) / 1000, wall }));

/** All of them read the files that the model server asks for. */
async function run(/** @type {number} */ agents) {
  const jobs = Array.from({ length: agents }, (_, index) =>
    session.spawnAgentJob({ label: String(index), prompt: 'Read the files.', mode: 'foreground' }),
  );
  for (const { status, error } of await Promise.all(jobs))
    if (status !== 'completed') throw new Error(`An agent ${status}: ${error?.message}`);
}
