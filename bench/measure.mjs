import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * @typedef {object} Program What is run: arguments of Node, where, and with which environment.
 * @property {string} [command] Node unless given.
 * @property {string[]} args
 * @property {string} cwd
 * @property {Record<string, string>} env
 * @property {number} [repeat] How many runs make one sample; for short ones, of which a millisecond is a large part.
 * @property {boolean} [memory] Also measure the peak memory, by a preload that costs about a millisecond.
 */

/**
 * @typedef {object} Sample What one run cost.
 * @property {number} wall Milliseconds.
 * @property {number} cpu Milliseconds of user and system time of the whole process, its start and end included.
 * @property {number} memory Peak resident bytes, 0 where it was not measured.
 * @property {string} output What was printed.
 */

const probe = fileURLToPath(new URL('./usage-probe.cjs', import.meta.url));

// bash asks the kernel what its child used once it is gone, to the millisecond and without touching the child. Node
// tells a parent nothing of the kind, and what a process says of itself leaves out its own end.
const timed = `exec 4>&2 2>&3; TIMEFORMAT="%3R %3U %3S"; repeat=$1; shift
time { for ((run = 0; run < repeat; run++)); do "$0" "$@" 2>&4 3>&- 4>&- || exit; done; }`;

/**
 * Runs a Node program once and measures it. A program that fails is an error of the benchmark.
 * @param {Program} program
 * @returns {Promise<Sample>}
 */
export async function runOnce({ command = process.execPath, args, cwd, env, repeat = 1, memory = false }) {
  const usageFile = join(cwd, '..', `usage-${process.pid}`);
  const words = memory ? ['--require', probe, ...args] : args;
  const child = spawn('bash', ['-c', timed, command, String(repeat), ...words], {
    cwd,
    env: memory ? { ...env, BENCH_USAGE_FILE: usageFile } : env,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const [code, output, errors, times] = await Promise.all([
    new Promise((resolve, reject) => child.once('error', reject).once('close', resolve)),
    ...child.stdio.slice(1).map(readAll),
  ]);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${errors}${output}`);
  const [wall = 0, user = 0, system = 0] = String(times)
    .trim()
    .split(' ')
    .map((seconds) => (Number(seconds) * 1000) / repeat);
  return { wall, cpu: user + system, memory: memory ? takeUsage(usageFile) : 0, output: String(output) };
}

/**
 * Runs several programs in turns, so that what else the machine does falls on all of them alike.
 * @template {string} Name
 * @param {Record<Name, Program>} programs
 * @param {number} rounds
 * @returns {Promise<Record<Name, Summary>>}
 */
export async function interleave(programs, rounds) {
  const entries = /** @type {[Name, Program][]} */ (Object.entries(programs));
  /** @type {Map<Name, Sample[]>} */
  const samples = new Map(entries.map(([name]) => [name, []]));
  // The first round fills the caches of the file system and of compiled code; it does not count.
  for (let round = 0; round <= rounds; round++) {
    for (const [name, program] of entries) {
      const sample = await runOnce(program);
      if (round > 0) samples.get(name)?.push(sample);
    }
  }
  const summaries = entries.map(([name]) => [name, summarize(samples.get(name) ?? [])]);
  return Object.fromEntries(summaries);
}

/** @typedef {{ wall: number, cpu: number, memory: number }} Summary The least time and the median memory of some runs. */

/**
 * Noise only ever adds time, so the least one is the truest; memory varies both ways.
 * @param {readonly Sample[]} samples
 * @returns {Summary}
 */
function summarize(samples) {
  return {
    wall: Math.min(...samples.map(({ wall }) => wall)),
    cpu: Math.min(...samples.map(({ cpu }) => cpu)),
    memory: median(samples.map(({ memory }) => memory)),
  };
}

/** The value in the middle. */
export function median(/** @type {readonly number[]} */ values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** @param {import('node:stream').Readable | import('node:stream').Writable | null | undefined} stream */
async function readAll(stream) {
  let text = '';
  for await (const part of /** @type {import('node:stream').Readable} */ (stream)) text += part;
  return text;
}

function takeUsage(/** @type {string} */ file) {
  const kilobytes = Number(readFileSync(file, 'utf8'));
  rmSync(file);
  return kilobytes * 1024;
}
