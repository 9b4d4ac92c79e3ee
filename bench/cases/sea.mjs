import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { interleave } from '../measure.mjs';
import { compared } from '../report.mjs';
import { conversation, opened } from './tui-session.mjs';
import { firstFrame } from './tui-start.mjs';
import { inTerminal } from './tui-terminal.mjs';

const executable = fileURLToPath(
  new URL(`../../build/agent-cli-${process.platform}-${process.arch}/bin/robota`, import.meta.url),
);
const limit = 1;

/** The single executable: its version beside a Node that does nothing, and its first frame beside that of the bundle. */
export async function sea(/** @type {import('../bench.mjs').Bench} */ bench) {
  if (!existsSync(executable)) throw new Error('There is no single executable: run `npm run sea` first.');
  const repeat = 2;
  const programs = {
    bare: { ...bench.node('-e', '0'), repeat },
    version: { ...embedded(bench.robota('--version')), repeat },
  };
  const { bare, version } = await interleave(programs, bench.quick ? 5 : 30);
  const bundle = conversation(bench, '/text/1');
  /** @type {{ wall: number, cpu: number }[][]} */
  const frames = [[], []];
  const both = [bundle, embedded(bundle)];
  for (const program of both) await settled(program);
  for (let round = 0; round < (bench.quick ? 5 : 20); round++)
    for (const [index, program] of both.entries()) frames[index]?.push(await inTerminal(program, firstFrame));
  const least = (/** @type {number} */ index, /** @type {'wall' | 'cpu'} */ figure) =>
    Math.min(...(frames[index] ?? []).map((frame) => frame[figure]));
  return [
    compared({
      name: 'executable, --version, wall',
      ours: version.wall,
      reference: bare.wall,
      unit: 'ms',
      limit,
    }),
    compared({
      name: 'executable, --version, CPU',
      ours: version.cpu,
      reference: bare.cpu,
      unit: 'ms',
      limit,
    }),
    compared({
      name: 'executable, prompt painted, wall',
      ours: least(1, 'wall'),
      reference: least(0, 'wall'),
      unit: 'ms',
      limit,
    }),
    compared({
      name: 'executable, prompt painted, CPU',
      ours: least(1, 'cpu'),
      reference: least(0, 'cpu'),
      unit: 'ms',
      limit,
    }),
  ];
}

/**
 * The same words for the executable.
 * @param {import('../measure.mjs').Program} program
 */
function embedded(program) {
  return { ...program, command: executable, args: program.args.slice(1) };
}

/** The bundle keeps its compiled code at the end of a run. */
async function settled(/** @type {import('../measure.mjs').Program} */ program) {
  await inTerminal(program, async (terminal) => {
    await opened(terminal);
    await terminal.calm();
    await terminal.leave();
  });
}
