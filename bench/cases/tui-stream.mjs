import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '../measure.mjs';
import { proseTokens } from '../prose.mjs';
import { absolute, compared } from '../report.mjs';
import { conversation, opened } from './tui-session.mjs';
import { inTerminal } from './tui-terminal.mjs';

/** @typedef {import('../bench.mjs').Bench} Bench */
/** @typedef {import('./tui-terminal.mjs').BenchTerminal} BenchTerminal */

const tokens = 2000;
const textBytes = Buffer.byteLength(proseTokens(tokens).join(''));
/** The line that closes a run is marked for terminals that know of commands. */
const runEnd = '\x1b]133;D';
/** Letters that stand nowhere else, so that one in the output is the echo of its key. */
const letters = [...'αβγδεζηθικλμνξοπρστυφχψω'];
const firstWord = 'server';
const betweenKeysMs = 37;

/**
 * Echo of typed text, idle and during a stream; and the cost of an answer below a transcript.
 * @param {Bench} bench
 * @param {{ few: string, many: string }} homes
 */
export async function tuiStream(bench, { few, many }) {
  const typed = await inTerminal(conversation(bench, '/prose/3000'), (terminal) =>
    typing(terminal, bench.quick ? 20 : 50),
  );
  await warmUp(bench, few);
  await warmUp(bench, many);
  const below = await answersInTurns(bench, { few, many });
  return [
    ...echoRows('at rest', typed.atRest, 10),
    ...echoRows('while streaming', typed.streaming, 30),
    absolute({
      name: `screen, ${tokens.toLocaleString('en')} tokens below 400 items, bytes written per byte`,
      ours: below.few.bytes / textBytes,
      unit: 'count',
      limit: 20,
    }),
    absolute({ name: 'screen, the same, CPU', ours: below.few.cpu, unit: 'ms', limit: 500 }),
    compared({
      name: 'screen, the same below 5,000 items, bytes',
      ours: below.many.bytes,
      reference: below.few.bytes,
      unit: 'bytes',
      limit: 1.1,
    }),
    compared({
      name: 'screen, the same below 5,000 items, CPU',
      ours: below.many.cpu,
      reference: below.few.cpu,
      unit: 'ms',
      limit: 1.1,
    }),
    compared({
      name: 'screen, of that since the first word',
      ours: below.many.sinceText,
      reference: below.few.sinceText,
      unit: 'ms',
    }),
    compared({
      name: 'screen, session of 5,000 items opened and prepared, by one of 400, CPU',
      ours: below.many.opened,
      reference: below.few.opened,
      unit: 'ms',
    }),
  ];
}

async function typing(/** @type {BenchTerminal} */ terminal, /** @type {number} */ count) {
  await opened(terminal);
  await terminal.calm();
  // The first keys are the first of their kind for the compiler, too.
  await echoes(terminal, 5);
  const atRest = await echoes(terminal, count);
  terminal.type('hi\r');
  await terminal.shows(firstWord);
  const streaming = await echoes(terminal, count);
  return { atRest, streaming };
}

async function echoes(/** @type {BenchTerminal} */ terminal, /** @type {number} */ count) {
  const times = [];
  for (let index = 0; index < count; index++) {
    const letter = String(letters[index % letters.length]);
    const since = performance.now();
    terminal.type(letter);
    times.push(await terminal.shows(letter, since));
    await sleep(betweenKeysMs);
    terminal.type('\x7f');
    await sleep(betweenKeysMs);
  }
  return times.sort((a, b) => a - b);
}

/**
 * @param {string} when
 * @param {readonly number[]} times
 * @param {number} limit
 */
function echoRows(when, times, limit) {
  const worst = times.at(-1) ?? Number.NaN;
  return [
    absolute({ name: `screen, key to echo ${when}`, ours: median(times), unit: 'ms', limit }),
    absolute({ name: `screen, key to echo ${when}, the worst`, ours: worst, unit: 'ms', limit }),
  ];
}

/**
 * The first runs in a home keep compiled code, and make the files of a session when they end; they do not count. On a busy machine
 * one run is too short for the history of a long session, and the next one continues it.
 */
async function warmUp(/** @type {Bench} */ bench, /** @type {string} */ home) {
  for (let run = 0; run < 3; run++) await useOnce(bench, home);
}

async function useOnce(/** @type {Bench} */ bench, /** @type {string} */ home) {
  await inTerminal(conversation(bench, `/prose/${tokens / 10}`, home), async (terminal) => {
    await answered(terminal);
    await terminal.calm();
    await terminal.leave();
  });
}

/**
 * The medians of some runs below each transcript, from the prompt to the line that closes it; opening the session is another row. The two
 * take turns, and the order changes with each round, so that other work on the machine meets both. The least run of a side would hide
 * a cost that only some of its runs have.
 * @param {Bench} bench
 * @param {{ few: string, many: string }} homes
 */
async function answersInTurns(bench, homes) {
  /** @type {Record<keyof typeof homes, Awaited<ReturnType<typeof answered>>[]>} */
  const runs = { few: [], many: [] };
  for (let round = 0; round < (bench.quick ? 3 : 15); round++)
    for (const size of round % 2 === 0 ? sizes : sizes.toReversed())
      runs[size].push(await inTerminal(conversation(bench, `/prose/${tokens}`, homes[size]), answered));
  return { few: mediansOf(runs.few), many: mediansOf(runs.many) };
}

const sizes = /** @type {const} */ (['few', 'many']);

function mediansOf(/** @type {Awaited<ReturnType<typeof answered>>[]} */ runs) {
  const middle = (/** @type {keyof (typeof runs)[number]} */ field) => median(runs.map((run) => run[field]));
  return {
    opened: middle('opened'),
    cpu: middle('cpu'),
    sinceText: middle('sinceText'),
    bytes: middle('bytes'),
  };
}

async function answered(/** @type {BenchTerminal} */ terminal) {
  await opened(terminal);
  await terminal.calm(1500);
  const before = { cpu: terminal.cpu(), bytes: terminal.bytes };
  terminal.type('hi\r');
  await terminal.shows(firstWord);
  const asked = terminal.cpu();
  await terminal.shows(runEnd);
  const cpu = terminal.cpu();
  return {
    opened: before.cpu,
    cpu: cpu - before.cpu,
    sinceText: cpu - asked,
    bytes: terminal.bytes - before.bytes,
  };
}
