import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hiddenFiles, parseRules } from '@robota-sdk/agent-core';
import { testToolContext } from '@robota-sdk/agent-testing';
import {
  completeFiles,
  globTool,
  grepTool,
  hiddenFromSearch,
  IgnoreFiles,
  ignoreFileNames,
} from '@robota-sdk/agent-tools';
import { absolute } from '../report.mjs';

const directories = 100;
const filesEach = 1_000;
const files = directories * filesEach;

/**
 * Searches in 100,000 files: what they cost this process, and the longest stretch in which it answered nothing. Both
 * are CPU time of the main thread, so that other work on the machine does not count.
 */
export async function eventLoop(/** @type {import('../bench.mjs').Bench} */ bench) {
  const root = bench.directory('many-files');
  writeTree(root);
  const rounds = bench.quick ? 3 : 8;
  const free = searchesOf(root, []);
  const denied = searchesOf(root, ['Read(secret/**)', 'Read(*.pem)', 'Read(**/.env)']);
  const walking = await walkOf(root);
  const rows = [
    ...(await measured('@ completion', free.complete, { rounds, cpu: 80, stretch: 7 })),
    ...(await measured('Glob', free.glob, { rounds, perFile: 1, stretch: 7 })),
    ...(await measured('Glob with three deny rules', denied.glob, { rounds, perFile: 3, stretch: 16 })),
    ...(await measured('@ completion with three deny rules', denied.complete, {
      rounds,
      perFile: 3,
      stretch: 16,
    })),
    ...(await measured('Grep, a match in every second file', free.grep, { rounds, stretch: 5 })),
    ...(await measured('listing without ripgrep', walking, { rounds, stretch: 16 })),
  ];
  writeFileSync(join(root, '.gitignore'), ignoreLines().join('\n'));
  rows.push(
    ...(await measured('the same, 300 ignore rules', walking, { rounds: 3, perFile: 25, stretch: 16 })),
  );
  writeFileSync(join(root, '.agentignore'), ignoreLines().join('\n'));
  rows.push(
    ...(await measured('Glob with 300 lines of .agentignore', searchesOf(root, []).glob, {
      rounds: 3,
      perFile: 25,
      stretch: 16,
    })),
  );
  return rows;
}

/**
 * @param {string} name
 * @param {() => Promise<unknown>} search
 * @param {{ rounds: number, cpu?: number, perFile?: number, stretch: number }} limits
 */
async function measured(name, search, { rounds, cpu, perFile, stretch }) {
  const ours = { cpu: Number.POSITIVE_INFINITY, stretch: Number.POSITIVE_INFINITY };
  for (let round = 0; round <= rounds; round++) {
    const start = threadTime();
    await search();
    const cpu = threadTime() - start;
    const stretch = await longestStretch(search);
    // The first round loads the modules and fills the caches of the file system.
    if (round === 0) continue;
    ours.cpu = Math.min(ours.cpu, cpu);
    ours.stretch = Math.min(ours.stretch, stretch);
  }
  const ofCpu =
    perFile === undefined
      ? absolute({
          name: `${name}, 100,000 files`,
          ours: ours.cpu,
          unit: 'ms',
          ...(cpu === undefined ? {} : { limit: cpu }),
        })
      : absolute({ name: `${name}, a file`, ours: (ours.cpu / files) * 1000, unit: 'µs', limit: perFile });
  return [
    ofCpu,
    absolute({ name: `${name}, longest stretch`, ours: ours.stretch, unit: 'ms', limit: stretch }),
  ];
}

/** The most CPU time of a search between two turns of the event loop. */
async function longestStretch(/** @type {() => Promise<unknown>} */ search) {
  let stretch = 0;
  let isOver = false;
  let last = threadTime();
  const turn = () => {
    stretch = Math.max(stretch, threadTime() - last);
    last = threadTime();
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await search();
  isOver = true;
  turn();
  return stretch;
}

/** Milliseconds of this thread where Node tells them, otherwise of the process. */
function threadTime() {
  /** @type {() => NodeJS.CpuUsage} */
  const read = Reflect.get(process, 'threadCpuUsage') ?? process.cpuUsage;
  const { user, system } = read.call(process);
  return (user + system) / 1000;
}

/**
 * @param {string} root
 * @param {readonly string[]} deny
 */
function searchesOf(root, deny) {
  const context = testToolContext(root);
  const { workspace } = context;
  const { rules } = parseRules({ deny }, { source: 'bench' });
  const ignored = new IgnoreFiles({ workspace, names: ignoreFileNames, userFile: join(root, 'missing') });
  const hidden = hiddenFiles(rules, workspace, ignored);
  if (hidden) context.state.get(hiddenFromSearch).files = hidden;
  return {
    glob: async () => expectText(await globTool.execute({ pattern: '**/*.txt' }, context), 'of 100000 files'),
    grep: async () => expectText(await grepTool.execute({ pattern: 'needle' }, context), 'in 50000 files'),
    complete: () =>
      completeFiles({ typed: 'file-9', workspace, signal: context.signal, timeoutMs: 60_000, hidden }),
  };
}

/** A wrong answer would be a fast one. */
function expectText(
  /** @type {import('@robota-sdk/agent-core').ToolOutput} */ { content },
  /** @type {string} */ text,
) {
  if (!JSON.stringify(content).includes(text))
    throw new Error(`Expected ${text}: ${JSON.stringify(content)}`);
}

async function walkOf(/** @type {string} */ root) {
  /** @type {typeof import('../../packages/agent-tools/src/search/list-files.ts')} */
  const { listFiles } = await import(
    new URL('../../packages/agent-tools/dist/search/list-files.js', import.meta.url).href
  );
  const signal = new AbortController().signal;
  const onRestart = () => {};
  return () =>
    listFiles({
      root,
      signal,
      timeoutMs: 60_000,
      ripgrep: undefined,
      names: ['*.txt'],
      onFile: () => {},
      onRestart,
    });
}

/** Names, endings, directories and paths, as projects have them; none matches. */
function ignoreLines() {
  return Array.from({ length: 75 }, (_, index) => [
    `*.ending${index}`,
    `name-${index}.log`,
    `/build-${index}/**/out`,
    `tmp*${index}?/`,
  ]).flat();
}

function writeTree(/** @type {string} */ root) {
  for (let directory = 0; directory < directories; directory++) {
    const path = join(root, `d${directory}`, 's');
    mkdirSync(path, { recursive: true });
    for (let file = 0; file < filesEach; file++)
      writeFileSync(join(path, `file-${file}.txt`), file % 2 === 0 ? 'needle\nand a needle\n' : '');
  }
}
