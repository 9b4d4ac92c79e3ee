import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { interleave } from '../measure.mjs';
import { compared } from '../report.mjs';

const turns = 200;
const half = turns / 2;

/**
 * Two hundred turns that each read another file. What a turn costs is the difference between runs of different lengths,
 * so start and end of the process do not count. Both sides send an ever longer conversation, which costs ever more; what
 * the product adds to that has to stay the same.
 */
export async function toolTurns(/** @type {import('../bench.mjs').Bench} */ bench) {
  await bench.prepareRequest();
  writeFiles(bench.cwd);
  const programs = {
    ours0: bench.ask('/tools/0'),
    least0: bench.least('toolLoop', '/tools/0'),
    ours1: bench.ask(`/tools/${half}`),
    least1: bench.least('toolLoop', `/tools/${half}`),
    ours2: bench.ask(`/tools/${turns}`),
    least2: bench.least('toolLoop', `/tools/${turns}`),
  };
  const runs = await interleave(programs, bench.quick ? 2 : 6);
  const commands = await commandTurns(bench);
  const first = { ours: runs.ours1.cpu - runs.ours0.cpu, reference: runs.least1.cpu - runs.least0.cpu };
  const second = { ours: runs.ours2.cpu - runs.ours1.cpu, reference: runs.least2.cpu - runs.least1.cpu };
  const both = { ours: first.ours + second.ours, reference: first.reference + second.reference };
  return [
    perTurn('tool turn, CPU', both, { count: turns, limit: 1.5 }),
    perTurn(`tool turns 1–${half}, CPU each`, first, { count: half }),
    perTurn(`tool turns ${half + 1}–${turns}, CPU each`, second, { count: half, limit: 1.5 }),
    compared({
      name: `added by us, turns ${half + 1}–${turns} by 1–${half}`,
      ours: (second.ours - second.reference) / half,
      reference: (first.ours - first.reference) / half,
      unit: 'ms',
      limit: 1.25,
    }),
    ...commands,
  ];
}

/** Turns that each run a command; starting the shell is part of both sides. */
async function commandTurns(/** @type {import('../bench.mjs').Bench} */ bench) {
  const programs = {
    ours0: bench.ask('/commands/0'),
    least0: bench.least('toolLoop', '/commands/0'),
    ours1: bench.ask(`/commands/${half}`),
    least1: bench.least('toolLoop', `/commands/${half}`),
  };
  const runs = await interleave(programs, bench.quick ? 2 : 6);
  const cpu = { ours: runs.ours1.cpu - runs.ours0.cpu, reference: runs.least1.cpu - runs.least0.cpu };
  const wall = { ours: runs.ours1.wall - runs.ours0.wall, reference: runs.least1.wall - runs.least0.wall };
  return [
    perTurn('turn with a command, CPU', cpu, { count: half, limit: 1.5 }),
    perTurn('turn with a command, wall', wall, { count: half, limit: 1.5 }),
  ];
}

/**
 * @param {string} name
 * @param {{ ours: number, reference: number }} sum
 * @param {{ count: number, limit?: number }} options
 */
function perTurn(name, { ours, reference }, { count, limit }) {
  return compared({ name, ours: ours / count, reference: reference / count, unit: 'ms', limit });
}

/** Files of thirty lines, each different, so that no call repeats another. */
export function writeFiles(/** @type {string} */ directory) {
  for (let file = 0; file < turns; file++) {
    const lines = Array.from(
      { length: 30 },
      (_, line) => `export const value${line} = compute(${file}, ${line * file});`,
    );
    writeFileSync(join(directory, `file-${file}.txt`), `${lines.join('\n')}\n`);
  }
}
