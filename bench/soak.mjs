// One conversation on the screen that lasts for thousands of turns: `node bench/soak.mjs [--turns 3000] [--early 300]`.
// Prints memory, CPU of a turn and open files as it goes, and at the end the memory by that of an early turn.
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openBench } from './bench.mjs';
import { conversation, opened } from './cases/tui-session.mjs';
import { inTerminal } from './cases/tui-terminal.mjs';
import { compared, tableOf } from './report.mjs';

/** @typedef {import('./cases/tui-terminal.mjs').BenchTerminal} BenchTerminal */

const megabyte = 1e6;
const limit = 1.3;
/** The line that closes a run is marked for terminals that know of commands. */
const runEnd = '\x1b]133;D';
/** Garbage that waits to be collected comes and goes; the median of some moments is what stays. */
const looks = 20;

const { values } = parseArgs({
  options: {
    turns: { type: 'string', default: '3000' },
    early: { type: 'string', default: '300' },
    script: { type: 'string', default: '/text/40' },
    node: { type: 'string', multiple: true, default: [] },
  },
});
const turns = Number(values.turns);
const early = Number(values.early);
const bench = await openBench({ quick: false });
try {
  const program = conversation(bench, values.script);
  const rows = await inTerminal({ ...program, args: [...values.node, ...program.args] }, soak);
  process.stdout.write(tableOf(rows));
} finally {
  bench.close();
}

async function soak(/** @type {BenchTerminal} */ terminal) {
  await opened(terminal);
  await terminal.calm();
  /** @type {number[]} */
  let recent = [];
  let memoryEarly = Number.NaN;
  let cpuBefore = terminal.cpu();
  for (let turn = 1; turn <= turns; turn++) {
    terminal.type(`turn ${turn}\r`);
    await terminal.shows(runEnd);
    await sleep(1);
    recent = [...recent.slice(1 - looks), terminal.memory()];
    if (turn === early) memoryEarly = median(recent);
    if (turn % early !== 0) continue;
    const cpu = terminal.cpu();
    report({ terminal, turn, memory: median(recent), cpu: (cpu - cpuBefore) / early });
    cpuBefore = cpu;
  }
  const later = median(recent);
  await terminal.leave();
  const name = `memory at turn ${turns} by turn ${early}`;
  return [compared({ name, ours: later / megabyte, reference: memoryEarly / megabyte, unit: 'MB', limit })];
}

function median(/** @type {readonly number[]} */ sizes) {
  return sizes.toSorted((a, b) => a - b)[Math.floor(sizes.length / 2)] ?? Number.NaN;
}

/** @param {{ terminal: BenchTerminal, turn: number, memory: number, cpu: number }} figures */
function report({ terminal, turn, memory, cpu }) {
  const files = readdirSync(`/proc/${terminal.pid}/fd`).length;
  const peak =
    Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${terminal.pid}/status`, 'utf8'))?.[1]) * 1024;
  const sizes = `${(memory / megabyte).toFixed(1)} MB, peak ${(peak / megabyte).toFixed(1)} MB`;
  process.stderr.write(`turn ${turn}: ${sizes}, ${cpu.toFixed(1)} ms of CPU a turn, ${files} files\n`);
}
