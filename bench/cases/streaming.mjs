import { interleave } from '../measure.mjs';
import { absolute, compared } from '../report.mjs';

const few = 5_000;
const many = 50_000;
const megabyte = 1e6;
/** Garbage that is not yet collected differs by some megabytes from run to run; a kept stream would be far more. */
const flat = 16;

/** A long answer. The cost of a token is the difference between a long and a shorter one. */
export async function streaming(/** @type {import('../bench.mjs').Bench} */ bench) {
  await bench.prepareRequest();
  const paced = await stream(bench, { script: 'text', format: 'text', rounds: bench.quick ? 1 : 3 });
  const burst = await stream(bench, { script: 'burst', format: 'text', rounds: bench.quick ? 2 : 8 });
  const events = await stream(bench, { script: 'text', format: 'stream-json', rounds: bench.quick ? 1 : 3 });
  return [
    perToken('streaming, CPU per token', paced, 1.5),
    perToken('streaming in a burst, CPU per token', burst, 1.5),
    perToken('streaming to stream-json, CPU per token', events, 1.5),
    compared({
      name: `streaming, peak memory at ${many.toLocaleString('en')} tokens`,
      ours: paced.ours.memory / megabyte,
      reference: paced.least.memory / megabyte,
      unit: 'MB',
    }),
    absolute({
      name: `streaming, memory added since token ${few.toLocaleString('en')}`,
      ours: (paced.ours.memory - paced.oursFew.memory) / megabyte,
      unit: 'MB',
      limit: flat,
    }),
  ];
}

/**
 * @param {import('../bench.mjs').Bench} bench
 * @param {{ script: string, format: string, rounds: number }} options
 */
function stream(bench, { script, format, rounds }) {
  const ours = (/** @type {number} */ count) => bench.ask(`/${script}/${count}`, '--output-format', format);
  const least = (/** @type {number} */ count) => bench.least('oneTurn', `/${script}/${count}`, format);
  const programs = {
    oursFew: { ...ours(few), memory: true },
    leastFew: { ...least(few), memory: true },
    ours: { ...ours(many), memory: true },
    least: { ...least(many), memory: true },
  };
  return interleave(programs, rounds);
}

/**
 * @param {string} name
 * @param {Awaited<ReturnType<typeof stream>>} runs
 * @param {number} limit
 */
function perToken(name, { ours, oursFew, least, leastFew }, limit) {
  const microseconds = (/** @type {number} */ milliseconds) => (milliseconds * 1000) / (many - few);
  return compared({
    name,
    ours: microseconds(ours.cpu - oursFew.cpu),
    reference: microseconds(least.cpu - leastFew.cpu),
    unit: 'µs',
    limit,
  });
}
