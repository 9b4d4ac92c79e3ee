// One conversation on the screen that lasts for thousands of turns: `node bench/soak.mjs [--turns 12000] [--early 300]`.
// The model has a window of 200,000 tokens and its server counts what is sent, so the conversation is compacted as a user's is;
// `--never-compact` shows what keeping all of it in the window costs. Prints memory, CPU of a turn and open files as it goes,
// and at the end the memory by that of an early turn: as it was, and after a collection of garbage.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openBench } from './bench.mjs';
import { opened } from './cases/tui-session.mjs';
import { inTerminal } from './cases/tui-terminal.mjs';
import { compared, tableOf } from './report.mjs';

/** @typedef {import('./cases/tui-terminal.mjs').BenchTerminal} BenchTerminal */
/** @typedef {{ raw: number, settled: number | undefined }} Memory */

const megabyte = 1e6;
const limit = 1.3;
/** Has a window of 200,000 tokens. */
const model = 'anthropic/claude-sonnet-4-5';
/** The line that closes a run is marked for terminals that know of commands. */
const runEnd = '\x1b]133;D';
/** Garbage that waits to be collected comes and goes; the median of some moments is what stays. */
const looks = 20;
/** Memory that was given back by a collection leaves the process a little later. */
const settleMs = 2000;
/** Collections change what comes after them, so they are far apart. */
const settleEvery = 10;

const { values } = parseArgs({
  options: {
    turns: { type: 'string', default: '12000' },
    early: { type: 'string', default: '300' },
    script: { type: 'string', default: '/answer/40' },
    'never-compact': { type: 'boolean', default: false },
    node: { type: 'string', multiple: true, default: [] },
  },
});
const turns = Number(values.turns);
const early = Number(values.early);
const bench = await openBench({ quick: false });
try {
  if (values['never-compact']) configure({ compaction: { enabled: false } });
  const program = bench.converse(values.script, '--model', model);
  const probe = ['--expose-gc', '--require', join(import.meta.dirname, 'settle-probe.cjs')];
  const rows = await inTerminal({ ...program, args: [...probe, ...values.node, ...program.args] }, soak);
  process.stdout.write(tableOf(rows));
} finally {
  bench.close();
}

function configure(/** @type {object} */ settings) {
  const folder = join(bench.home, '.robota');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'settings.json'), JSON.stringify(settings));
}

async function soak(/** @type {BenchTerminal} */ terminal) {
  await opened(terminal);
  await terminal.calm();
  /** @type {number[]} */
  let recent = [];
  /** @type {Memory} */
  let first = { raw: Number.NaN, settled: Number.NaN };
  let last = first;
  let cpuBefore = terminal.cpu();
  for (let turn = 1; turn <= turns; turn++) {
    terminal.type(`turn ${turn}\r`);
    await terminal.shows(runEnd);
    await sleep(1);
    recent = [...recent.slice(1 - looks), terminal.memory()];
    if (turn % early !== 0 && turn !== turns) continue;
    const cpu = (terminal.cpu() - cpuBefore) / early;
    const settles = turn === early || turn === turns || turn % (early * settleEvery) === 0;
    last = { raw: median(recent), settled: settles ? await settled(terminal) : undefined };
    if (turn === early) first = last;
    report({ terminal, turn, memory: last, cpu });
    cpuBefore = terminal.cpu();
  }
  await terminal.leave();
  return /** @type {const} */ (['raw', 'settled']).map((kind) => {
    const name = `memory at turn ${turns} by turn ${early}, ${kind}`;
    const [ours, reference] = [last, first].map((memory) => (memory[kind] ?? Number.NaN) / megabyte);
    return compared({ name, ours: ours ?? 0, reference: reference ?? 0, unit: 'MB', limit });
  });
}

/** The memory that stays after a collection of garbage. */
async function settled(/** @type {BenchTerminal} */ terminal) {
  process.kill(terminal.pid, 'SIGUSR2');
  await sleep(settleMs);
  return terminal.memory();
}

function median(/** @type {readonly number[]} */ sizes) {
  return sizes.toSorted((a, b) => a - b)[Math.floor(sizes.length / 2)] ?? Number.NaN;
}

/** @param {{ terminal: BenchTerminal, turn: number, memory: Memory, cpu: number }} figures */
function report({ terminal, turn, memory, cpu }) {
  const files = readdirSync(`/proc/${terminal.pid}/fd`).length;
  const peak =
    Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${terminal.pid}/status`, 'utf8'))?.[1]) * 1024;
  const size = (/** @type {number} */ bytes) => `${(bytes / megabyte).toFixed(1)} MB`;
  const after = memory.settled === undefined ? '' : `, settled ${size(memory.settled)}`;
  const text = `${size(memory.raw)}${after}, peak ${size(peak)}`;
  process.stderr.write(`turn ${turn}: ${text}, ${cpu.toFixed(1)} ms of CPU a turn, ${files} files\n`);
}
