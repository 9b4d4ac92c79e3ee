import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runOnce } from '../measure.mjs';
import { absolute } from '../report.mjs';

const probe = fileURLToPath(new URL('../subagent-probe.mjs', import.meta.url));
const count = 20;
const turns = 10;
const megabyte = 1e6;

/** Twenty agents at work at once in one session, each reading ten files: what one of them adds. */
export async function subagents(/** @type {import('../bench.mjs').Bench} */ bench) {
  const cwd = bench.directory('subagents-project');
  const text = 'A line of a file that an agent reads.\n'.repeat(100);
  for (let index = 0; index < turns; index++) writeFileSync(join(cwd, `file-${index}.txt`), text);
  const home = bench.directory('subagents-home');
  mkdirSync(join(home, '.robota'));
  writeFileSync(join(home, '.robota', 'settings.json'), JSON.stringify({ tasks: { maxConcurrent: count } }));
  const env = { ...bench.ask(`/tools/${turns}`).env, HOME: home };
  const program = { ...bench.node('--expose-gc', probe, String(count)), cwd, env };
  /** @type {{ memory: number, cpu: number, wall: number }[]} */
  const rounds = [];
  for (let round = 0; round < (bench.quick ? 1 : 3); round++)
    rounds.push(JSON.parse((await runOnce(program)).output));
  const least = (/** @type {'memory' | 'cpu' | 'wall'} */ name) =>
    Math.min(...rounds.map((round) => round[name]));
  return [
    absolute({
      name: `${count} agents at once, memory of each`,
      ours: least('memory') / count / megabyte,
      unit: 'MB',
      limit: 15,
    }),
    absolute({ name: `${count} agents at once, CPU of each`, ours: least('cpu') / count, unit: 'ms' }),
    absolute({ name: `${count} agents at once, wall of all`, ours: least('wall'), unit: 'ms' }),
  ];
}
