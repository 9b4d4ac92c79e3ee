import { interleave } from '../measure.mjs';
import { compared } from '../report.mjs';

const megabyte = 1e6;

/** One question answered by one word: `robota -p hi`. */
export async function oneTurn(/** @type {import('../bench.mjs').Bench} */ bench) {
  await bench.prepareRequest();
  const programs = {
    ours: { ...bench.ask('/text/1'), memory: true },
    least: { ...bench.least('oneTurn', '/text/1'), memory: true },
  };
  const { ours, least } = await interleave(programs, bench.quick ? 5 : 20);
  return [
    compared({
      name: 'one turn, wall',
      ours: ours.wall,
      reference: least.wall,
      unit: 'ms',
    }),
    compared({ name: 'one turn, CPU', ours: ours.cpu, reference: least.cpu, unit: 'ms', limit: 1.5 }),
    compared({
      name: 'one turn, peak memory',
      ours: ours.memory / megabyte,
      reference: least.memory / megabyte,
      unit: 'MB',
      limit: 1.25,
    }),
  ];
}
