// `npm run check` runs everything; `npm run check -- names words` runs some; `--update` accepts the public names and remembers
// the regular expressions that were proven linear.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkDirection } from './direction.mjs';
import { checkDocs } from './docs.mjs';
import { checkExports, publicExports, snapshotFile } from './exports.mjs';
import { checkFolders } from './folders.mjs';
import { checkMessages } from './messages.mjs';
import { checkNames } from './names.mjs';
import { checkOutside } from './outside.mjs';
import { checkPackages } from './packages.mjs';
import { readProject } from './project.mjs';
import { checkRegexes, provenFile, provenRegexes } from './regexes.mjs';
import { checkWords } from './words.mjs';
import { checkWorkflows } from './workflows.mjs';

/** @typedef {{ name: string, isTool: boolean, run(): Promise<string[]> }} Check */

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const words = process.argv.slice(2);
const project = readProject(root);

const biomeOptions = [
  '--error-on-warnings',
  '--diagnostic-level=warn',
  '--max-diagnostics=none',
  '--reporter=concise',
  '--colors=off',
];

/** @type {Check[]} */
const checks = [
  tool('style', ['@biomejs/biome/bin/biome', 'ci', ...biomeOptions, '.']),
  tool('types', ['typescript/bin/tsc', '-b', '--pretty', 'false']),
  tool('test-types', ['typescript/bin/tsc', '-p', 'tsconfig.test.json', '--pretty', 'false']),
  rule('names', checkNames),
  rule('direction', checkDirection),
  rule('folders', checkFolders),
  rule('exports', checkExports),
  rule('words', checkWords),
  rule('docs', checkDocs),
  rule('packages', checkPackages),
  rule('workflows', checkWorkflows),
  rule('messages', checkMessages),
  rule('outside', checkOutside),
  rule('regexes', checkRegexes),
  tool('published', ['../scripts/check/published.mjs']),
  tool('unused', [
    'knip/bin/knip.js',
    '--no-progress',
    '--no-config-hints',
    ...['--cache', '--cache-location', 'node_modules/.cache/knip'],
  ]),
];

if (words.includes('--update')) updateRecords();
else process.exitCode = await runChecks();

async function runChecks() {
  const unknown = words.filter((word) => !checks.some(({ name }) => name === word));
  if (unknown.length > 0) {
    process.stderr.write(
      `No such check: ${unknown.join(', ')}. There are ${checks.map(({ name }) => name).join(', ')}.\n`,
    );
    return 2;
  }
  let failed = 0;
  for (const { name, result } of await start(
    checks.filter(({ name }) => words.length === 0 || words.includes(name)),
  )) {
    const { problems, seconds } = await result;
    process.stdout.write(`${problems.length > 0 ? '✗' : '✓'} ${name.padEnd(12)}${seconds} s\n`);
    for (const problem of problems) process.stdout.write(`    ${problem}\n`);
    if (problems.length > 0) failed += 1;
  }
  if (failed > 0)
    process.stdout.write(`${failed} of the checks failed. \`npm run format\` fixes formatting.\n`);
  return failed > 0 ? 1 : 0;
}

/**
 * Starts checks together: tools are processes of their own, and the rules keep this one busy meanwhile.
 * @param {Check[]} wanted
 */
async function start(wanted) {
  /** @type {Map<string, Promise<{ problems: string[], seconds: string }>>} */
  const running = new Map();
  const begin = (/** @type {Check} */ check) => running.set(check.name, timed(check));
  wanted.filter(({ isTool, name }) => isTool && !['test-types', 'published'].includes(name)).forEach(begin);
  // Tests are checked against the declarations that this one writes, and packages are packed with them.
  await running.get('types');
  wanted.filter(({ name }) => !running.has(name)).forEach(begin);
  return wanted.map(({ name }) => ({
    name,
    result: /** @type {ReturnType<typeof timed>} */ (running.get(name)),
  }));
}

/** @param {Check} check */
async function timed(check) {
  const began = performance.now();
  const result = check.run();
  // A rule is done by now, though it is heard of only after the others.
  const ended = check.isTool ? undefined : performance.now();
  const problems = await result;
  return { problems, seconds: (((ended ?? performance.now()) - began) / 1000).toFixed(2).padStart(6) };
}

function updateRecords() {
  writeFileSync(join(root, snapshotFile), `${JSON.stringify(publicExports(project), null, 2)}\n`);
  writeFileSync(join(root, provenFile), `${JSON.stringify(provenRegexes(project), null, 2)}\n`);
  process.stdout.write(`Wrote ${snapshotFile} and ${provenFile}\n`);
}

/**
 * @param {string} name
 * @param {(project: import('./project.mjs').Project) => import('./project.mjs').Problem[]} find
 * @returns {Check}
 */
function rule(name, find) {
  return {
    name,
    isTool: false,
    run: async () => find(project).map(({ file, line, message }) => `${file}:${line}  ${message}`),
  };
}

/**
 * A command of a dependency; what it prints is shown when it fails.
 * @param {string} name
 * @param {string[]} command
 * @returns {Check}
 */
function tool(name, [script = '', ...args]) {
  return {
    name,
    isTool: true,
    run: () =>
      new Promise((resolve, reject) => {
        const child = spawn(process.execPath, [join(root, 'node_modules', script), ...args], {
          cwd: root,
          env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
          stdio: ['ignore', 'pipe', 'pipe'],
        });
        let output = '';
        child.stdout.on('data', (chunk) => (output += chunk));
        child.stderr.on('data', (chunk) => (output += chunk));
        child.on('error', reject);
        child.on('close', (code) => resolve(code === 0 ? [] : output.trim().split('\n')));
      }),
  };
}
