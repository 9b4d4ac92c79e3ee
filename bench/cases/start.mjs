import { interleave } from '../measure.mjs';
import { compared } from '../report.mjs';

const limit = 1.3;
const repeat = 2;

/** The two commands that scripts call all day, beside a Node that does nothing. */
export async function start(/** @type {import('../bench.mjs').Bench} */ bench) {
  const programs = {
    bare: { ...bench.node('-e', '0'), repeat },
    version: { ...bench.robota('--version'), repeat },
    help: { ...bench.robota('--help'), repeat },
  };
  const { bare, version, help } = await interleave(programs, bench.quick ? 5 : 30);
  return [
    compared({ name: '--version, wall', ours: version.wall, reference: bare.wall, unit: 'ms', limit }),
    compared({ name: '--version, CPU', ours: version.cpu, reference: bare.cpu, unit: 'ms', limit }),
    compared({ name: '--help, wall', ours: help.wall, reference: bare.wall, unit: 'ms', limit }),
    compared({ name: '--help, CPU', ours: help.cpu, reference: bare.cpu, unit: 'ms', limit }),
  ];
}
