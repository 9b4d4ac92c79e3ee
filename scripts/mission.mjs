// `npm run mission`: which lines of docs/project/checklist.md a passing test proves. `--run` tests first, `--json` for programs.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { coverageOf, parseChecklist, testCasesOf } from './mission/coverage.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const results = join(root, 'node_modules/.cache/robota/test-results.json');
const options = process.argv.slice(2);

if (options.includes('--run') || !existsSync(results)) runTests();
const promised = parseChecklist(readFileSync(join(root, 'docs/project/checklist.md'), 'utf8'));
const coverage = coverageOf(promised, testCasesOf(JSON.parse(readFileSync(results, 'utf8'))));

process.stdout.write(options.includes('--json') ? asJson() : asText());
if (coverage.unknown.length > 0) process.exitCode = 1;

/** A failing test is part of the answer, so only a run without results ends here. */
function runTests() {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  spawnSync(process.execPath, [vitest, 'run'], { cwd: root, stdio: ['ignore', 2, 2] });
  if (existsSync(results)) return;
  process.stderr.write('The tests left no results: run `npm test` and look at its output.\n');
  process.exit(1);
}

function asJson() {
  const { sections, done, failing, missing, unknown } = coverage;
  const ids = {
    done: done.map(({ id }) => id),
    failing: failing.map(({ id }) => id),
    missing: missing.map(({ id }) => id),
  };
  return `${JSON.stringify({ total: promised.length, sections, ...ids, unknown }, null, 2)}\n`;
}

function asText() {
  const { sections, done, failing, missing, unknown } = coverage;
  const lines = [
    ...listed('Without a passing test:', missing),
    ...listed('With a failing test:', failing),
    ...unknown.map(({ id, file }) => `Unknown id ${id} in a test of ${relative(root, file)}`),
    ...sections.map(
      (entry) => `${String(entry.done).padStart(4)} of ${String(entry.total).padStart(3)}  ${entry.section}`,
    ),
    `${String(done.length).padStart(4)} of ${promised.length} with a passing test, ${promised.length - done.length} without`,
  ];
  return `${lines.join('\n')}\n`;
}

function listed(
  /** @type {string} */ heading,
  /** @type {import('./mission/coverage.mjs').Promised[]} */ entries,
) {
  if (entries.length === 0) return [];
  return [heading, ...entries.map(({ id, text }) => `  ${id.padEnd(6)} ${text}`), ''];
}
