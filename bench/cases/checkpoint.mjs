import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Checkpoints } from '@robota-sdk/agent-sessions';
import { bashTool, writeTool } from '@robota-sdk/agent-tools';
import { absolute } from '../report.mjs';

const fileCount = 5_000;

/** Cost of checkpoints: around a command, a write, and a read-only command. */
export async function checkpoint(/** @type {import('../bench.mjs').Bench} */ bench) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'robota-bench-checkpoint-')));
  try {
    const cwd = join(root, 'work');
    makeRepository(cwd);
    const checkpoints = new Checkpoints({
      directory: join(root, 'session'),
      workspace: { cwd, additional: [], home: root },
      tree: {
        leafId: '00000001',
        pathIds: () => [],
        entry: () => undefined,
        ids: () => [],
        parentIdOf: () => null,
        promptIds: [],
      },
      onProblem: (message) => {
        throw new Error(message);
      },
    });
    const rounds = bench.quick ? 5 : 20;
    const run = (/** @type {string} */ command) => around(checkpoints, runOf(command, cwd), () => {});
    const first = await run('make');
    const next = await least(rounds, () => run('make'));
    const changing = await least(rounds, (round) =>
      around(checkpoints, runOf('make', cwd), () => writeFileSync(join(cwd, 'd1', 'f1.txt'), `${round}`)),
    );
    const reading = await least(rounds, () => run('git status'));
    const path = join(cwd, 'd2', 'f2.txt');
    const write = { tool: writeTool, access: [{ kind: /** @type {const} */ ('write'), path, real: path }] };
    const writing = await least(rounds, (round) =>
      around(checkpoints, write, () => writeFileSync(path, `${round}`)),
    );
    const where = `${fileCount.toLocaleString('en')} files`;
    return [
      absolute({ name: `checkpoint, first command among ${where}`, ours: first, unit: 'ms', limit: 1500 }),
      absolute({ name: `checkpoint, later command among ${where}`, ours: next, unit: 'ms', limit: 150 }),
      absolute({ name: 'checkpoint, command that changes a file', ours: changing, unit: 'ms', limit: 200 }),
      absolute({ name: 'checkpoint, command that only reads', ours: reading, unit: 'ms', limit: 2 }),
      absolute({ name: 'checkpoint, write of a file', ours: writing, unit: 'ms', limit: 30 }),
    ];
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Files of about four kilobytes, as in an ordinary project, all of them committed. */
function makeRepository(/** @type {string} */ cwd) {
  for (let directory = 0; directory < fileCount / 50; directory++) {
    mkdirSync(join(cwd, `d${directory}`), { recursive: true });
    for (let file = 0; file < 50; file++)
      writeFileSync(join(cwd, `d${directory}`, `f${file}.txt`), `${directory} ${file}\n`.repeat(800));
  }
  const git = (/** @type {string[]} */ ...args) => execFileSync('git', args, { cwd, stdio: 'ignore' });
  git('init', '-q');
  git('add', '-A');
  git('-c', 'user.name=b', '-c', 'user.email=b@example.org', 'commit', '-qm', 'start');
}

function runOf(/** @type {string} */ command, /** @type {string} */ cwd) {
  return { tool: bashTool, access: [{ kind: /** @type {const} */ ('run'), command, cwd }] };
}

/**
 * The time that is added to a call.
 * @param {Checkpoints} checkpoints
 * @param {{ tool: unknown, access: readonly import('@robota-sdk/agent-core').Access[] }} call
 * @param {() => void} work
 */
async function around(checkpoints, { tool, access }, work) {
  const call = { type: /** @type {const} */ ('tool-call'), id: 'call', name: 'Bash', input: {} };
  const started = performance.now();
  const after = await checkpoints.beforeExecute({
    tool: /** @type {never} */ (tool),
    call,
    input: {},
    access,
  });
  const before = performance.now() - started;
  work();
  const ended = performance.now();
  await after?.();
  return before + performance.now() - ended;
}

/**
 * The least of several times, which other work on the machine disturbs the least.
 * @param {number} rounds
 * @param {(round: number) => Promise<number>} measure
 */
async function least(rounds, measure) {
  let time = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) time = Math.min(time, await measure(round));
  return time;
}
