import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { testToolContext } from '@robota-sdk/agent-testing';
import { globTool, grepTool } from '@robota-sdk/agent-tools';
import { compared } from '../report.mjs';

const directories = 2_000;
const filesEach = 25;
const limit = 1.3;
const glob = '**/*.ts';
const pattern = 'needle\\d+';

/** Glob and Grep over 50,000 files, compared with ripgrep started the same way with its output discarded. */
export async function search(/** @type {import('../bench.mjs').Bench} */ bench) {
  const root = bench.directory('tree');
  writeTree(root);
  const context = testToolContext(root);
  await assertFound(context);
  const { ripgrep, walkToList, walkToSearch } = await loadParts(root);
  const times = await interleaveCalls(
    {
      glob: () => globTool.execute({ pattern: glob }, context),
      globRipgrep: () => run(ripgrep, ['--files', '-g', glob], root),
      globWalking: walkToList,
      grep: () => grepTool.execute({ pattern }, context),
      grepRipgrep: () => run(ripgrep, ['--line-number', pattern, '.'], root),
      grepWalking: walkToSearch,
    },
    bench.quick ? 3 : 8,
  );
  const [ofGlob, ofGrep] = [times.globRipgrep, times.grepRipgrep];
  return [
    compared({ name: 'Glob in 50,000 files', ours: times.glob, reference: ofGlob, unit: 'ms', limit }),
    compared({ name: 'Grep in 50,000 files', ours: times.grep, reference: ofGrep, unit: 'ms', limit }),
    compared({ name: 'Glob without ripgrep', ours: times.globWalking, reference: ofGlob, unit: 'ms' }),
    compared({ name: 'Grep without ripgrep', ours: times.grepWalking, reference: ofGrep, unit: 'ms' }),
  ];
}

/**
 * Calls functions in turns and keeps the least time of each.
 * @template {string} Name
 * @param {Record<Name, () => Promise<unknown>>} calls
 * @param {number} rounds
 * @returns {Promise<Record<Name, number>>}
 */
async function interleaveCalls(calls, rounds) {
  const least = Object.fromEntries(Object.keys(calls).map((name) => [name, Number.POSITIVE_INFINITY]));
  for (let round = 0; round <= rounds; round++) {
    for (const name of /** @type {Name[]} */ (Object.keys(calls))) {
      const start = performance.now();
      await calls[name]();
      const time = performance.now() - start;
      // The first round loads the modules and fills the cache of the file system.
      if (round > 0) least[name] = Math.min(least[name] ?? time, time);
    }
  }
  return /** @type {Record<Name, number>} */ (least);
}

/** A wrong answer would be a fast one. */
async function assertFound(/** @type {import('@robota-sdk/agent-core').ToolContext} */ context) {
  const named = await globTool.execute({ pattern: glob }, context);
  const containing = await grepTool.execute({ pattern, output_mode: 'files' }, context);
  const [names, contents] = [named, containing].map(
    ({ display }) => display?.kind === 'list' && display.total,
  );
  if (names === 26_000 && contents === 1_000) return;
  throw new Error(`The tree holds 26,000 and 1,000 files to find, the tools found ${names} and ${contents}.`);
}

/**
 * @param {string} program
 * @param {string[]} args
 * @param {string} cwd
 * @returns {Promise<void>}
 */
function run(program, args, cwd) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
    child.stdout.resume();
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`${program} ended with ${code}`)),
    );
  });
}

/**
 * The tools choose by themselves between ripgrep and walking, so walking is measured by the parts below them.
 * @param {string} root
 */
async function loadParts(root) {
  const dist = new URL('../../packages/agent-tools/dist/search/', import.meta.url);
  /** @type {typeof import('../../packages/agent-tools/src/search/find-ripgrep.ts')} */
  const { findRipgrep } = await import(new URL('find-ripgrep.js', dist).href);
  /** @type {typeof import('../../packages/agent-tools/src/search/list-files.ts')} */
  const { listFiles } = await import(new URL('list-files.js', dist).href);
  /** @type {typeof import('../../packages/agent-tools/src/search/search-content.ts')} */
  const { searchContent } = await import(new URL('search-content.js', dist).href);
  /** @type {typeof import('../../packages/agent-tools/src/search/match-collector.ts')} */
  const { MatchCollector } = await import(new URL('match-collector.js', dist).href);
  const ripgrep = await findRipgrep();
  if (ripgrep === undefined)
    throw new Error('There is no ripgrep to compare with: run `npm ci` or install it.');
  const place = { root, signal: new AbortController().signal, timeoutMs: 60_000, ripgrep: undefined };
  const question = { pattern, isLiteral: false, ignoreCase: false, isMultiline: false, context: 0 };
  const collector = () => new MatchCollector({ limit: 200, wantsLines: true, isMeant: () => true });
  return {
    ripgrep,
    walkToList: () => listFiles({ ...place, names: ['*.ts'], onFile: () => {}, onRestart: () => {} }),
    walkToSearch: () => searchContent({ ...place, ...question, mode: 'content', collector: collector() }),
  };
}

/** Half of the files match the glob, one in fifty the pattern. */
function writeTree(/** @type {string} */ root) {
  const filler = 'export function compute(value) {\n  return value * 31 + 7;\n}\n'.repeat(8);
  for (let directory = 0; directory < directories; directory++) {
    const path = join(root, `area-${directory % 40}`, `part-${directory}`);
    mkdirSync(path, { recursive: true });
    for (let file = 0; file < filesEach; file++) {
      const number = directory * filesEach + file;
      const text = number % 50 === 0 ? `${filler}const needle${number} = true;\n` : filler;
      writeFileSync(join(path, `file-${file}.${file % 2 === 0 ? 'ts' : 'md'}`), text);
    }
  }
}
