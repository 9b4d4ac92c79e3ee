// V8 can keep the functions that it has compiled. Those of a start, of a turn and of an exit are found by doing that.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawn } from '@lydell/node-pty';

const patienceMs = 60_000;

/** Reads chunks from files, and writes what is kept of each when the process ends. */
const fileAssets = `
const { readFileSync: $file, writeFileSync: $put } = process.getBuiltinModule('node:fs');
const $meta = { url: 'file://' + process.execPath };
const $importFile = (address) => import(address);
const $scripts = new Map();
const $read = (name) => ({ text: $file(process.env.CHUNKS + '/' + name, 'latin1') });
const $seen = (name, script) => $scripts.set(name, script);
process.on('exit', () => {
  for (const [name, script] of $scripts)
    $put(process.env.KEPT + '/' + name, $underFirstFlags(() => script.createCachedData()));
});`;

/**
 * The compilations that V8 keeps of the chunks that were loaded, by name.
 * @param {{ program: string, chunks: ReadonlyMap<string, string>, work: string }} options
 */
export async function keptCompilations({ program, chunks, work }) {
  const folder = join(work, 'chunks');
  mkdirSync(folder);
  for (const [name, text] of chunks) writeFileSync(join(folder, name), text, 'latin1');
  const script = join(work, 'program.cjs');
  writeFileSync(script, `${fileAssets}\n${program}`);
  const runs = ['print', 'screen'].map((name) => join(work, name));
  for (const run of runs) mkdirSync(join(run, 'kept'), { recursive: true });
  const [print = '', screen = ''] = runs;
  const env = (/** @type {string} */ run) => ({
    PATH: process.env.PATH ?? '',
    HOME: run,
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    CHUNKS: folder,
    KEPT: join(run, 'kept'),
  });
  const words = [script, '--model', 'offline'];
  const { status, stderr } = spawnSync(process.execPath, [...words, '-p', 'help'], {
    cwd: print,
    env: env(print),
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The program did not run: ${stderr}`);
  await useScreen(words, { cwd: screen, env: env(screen) });
  return largest(runs.map((run) => join(run, 'kept')));
}

/**
 * Starts the screen, asks for something and leaves.
 * @param {string[]} words
 * @param {{ cwd: string, env: Record<string, string> }} options
 */
async function useScreen(words, options) {
  const child = spawn(process.execPath, words, { ...options, cols: 100, rows: 40 });
  let output = '';
  let isOver = false;
  child.onData((data) => {
    output += data;
  });
  const exit = new Promise((resolve) => child.onExit(({ exitCode }) => resolve(exitCode)));
  void exit.then(() => {
    isOver = true;
  });
  const deadline = performance.now() + patienceMs;
  const until = async (/** @type {() => boolean} */ holds, keys = '') => {
    while (!holds()) {
      if (performance.now() > deadline) child.kill('SIGKILL');
      if (isOver) throw new Error(`The screen ended early:\n${output.slice(-2000)}`);
      if (keys !== '') child.write(keys);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  await until(() => output.includes('─'));
  child.write('help\r');
  await until(() => output.includes('offline model'));
  await until(() => isOver, '\u0004');
  const code = await exit;
  if (code !== 0) throw new Error(`The screen ended with ${code}:\n${output.slice(-2000)}`);
}

/** Of the runs that loaded a chunk the one that compiled most of it. */
function largest(/** @type {string[]} */ folders) {
  /** @type {Map<string, Buffer>} */
  const kept = new Map();
  for (const folder of folders)
    for (const name of readdirSync(folder)) {
      const file = join(folder, name);
      if (!existsSync(file) || statSync(file).size <= (kept.get(name)?.length ?? 0)) continue;
      kept.set(name, readFileSync(file));
    }
  return kept;
}
