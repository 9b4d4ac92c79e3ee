import { fork } from 'node:child_process';
import { interleave } from '../measure.mjs';
import { compared } from '../report.mjs';

const megabyte = 1e6;

/** One turn by a proxy beside one without. */
export async function proxy(/** @type {import('../bench.mjs').Bench} */ bench) {
  const server = fork(new URL('../proxy-server.mjs', import.meta.url), { execArgv: [] });
  try {
    const url = await new Promise((resolve, reject) => server.once('message', resolve).once('exit', reject));
    const programs = {
      byProxy: bench.askByName('/text/1', { HTTP_PROXY: String(url) }),
      direct: bench.askByName('/text/1', {}),
    };
    const { byProxy, direct } = await interleave(programs, bench.quick ? 5 : 20);
    const name = 'one turn by a proxy';
    return [
      compared({ name: `${name}, wall`, ours: byProxy.wall, reference: direct.wall, unit: 'ms', limit: 1.1 }),
      compared({ name: `${name}, CPU`, ours: byProxy.cpu, reference: direct.cpu, unit: 'ms', limit: 1.1 }),
    ];
  } finally {
    server.disconnect();
  }
}

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
