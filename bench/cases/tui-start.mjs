import { compared } from '../report.mjs';
import { conversation, opened, painted } from './tui-session.mjs';
import { inTerminal, useOf } from './tui-terminal.mjs';

const limit = 2.5;

/** From the start to the first frame with the editor in it, and for comparison to the open session. */
export async function tuiStart(/** @type {import('../bench.mjs').Bench} */ bench) {
  const program = conversation(bench, '/text/1');
  // The compile cache is written at the end of a run.
  await inTerminal(program, async (terminal) => {
    await opened(terminal);
    await terminal.calm();
    await terminal.leave();
  });
  /** @type {Awaited<ReturnType<typeof round>>[]} */
  const rounds = [];
  while (rounds.length < (bench.quick ? 5 : 20)) rounds.push(await round(bench, program));
  const least = (/** @type {(round: (typeof rounds)[number]) => number} */ figure) =>
    Math.min(...rounds.map(figure));
  const wall = least(({ bare }) => bare.wall);
  const cpu = least(({ bare }) => bare.cpu);
  return [
    compared({
      name: 'screen, prompt painted, wall',
      ours: least(({ first }) => first.wall),
      reference: wall,
      unit: 'ms',
      limit,
    }),
    compared({
      name: 'screen, prompt painted, CPU',
      ours: least(({ first }) => first.cpu),
      reference: cpu,
      unit: 'ms',
      limit,
    }),
    compared({
      name: 'screen, session open, wall',
      ours: least(({ open }) => open),
      reference: wall,
      unit: 'ms',
    }),
  ];
}

/**
 * @param {import('../bench.mjs').Bench} bench
 * @param {import('../measure.mjs').Program} program
 */
async function round(bench, program) {
  const bare = await useOf(bench.node('-e', '0'));
  const first = await inTerminal(program, firstFrame);
  return { bare, first, open: await inTerminal(program, opened) };
}

/** The program is held as soon as the frame is there: what it does after that is not needed for it. */
export async function firstFrame(/** @type {import('./tui-terminal.mjs').BenchTerminal} */ terminal) {
  const wall = await painted(terminal);
  terminal.freeze();
  return { wall, cpu: terminal.cpu() };
}
