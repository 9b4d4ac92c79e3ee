// Looks for lines that the permission decision lets run although they run a command that it must stop:
// `npm run fuzz`, `npm run fuzz -- --lines 10000 --seed 7`. Prints each such line and exits 1.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { linesThatRun } from './fuzz/run-lines.mjs';
import { randomLine, seededRandom } from './fuzz/shell-lines.mjs';
import { shellPolicies } from './fuzz/shell-policies.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const batchSize = 5_000;
const maximumShown = 20;

const { values } = parseArgs({
  options: {
    lines: { type: 'string', default: '300000' },
    seed: { type: 'string', default: String(Date.now() % 1e9) },
  },
});
const wanted = Number(values.lines);
const random = seededRandom(Number(values.seed));
const { decide, parseRules } = await loadDecision();
const policies = shellPolicies.map(({ name, mode, rules }) => ({
  name,
  policy: {
    mode,
    rules: parseRules(rules, { source: 'fuzz' }).rules,
    workspace: { cwd: '/ws', additional: [], home: '/home/u' },
  },
}));

const runsAnything = new Set(shellPolicies.filter((one) => one.runsAnything).map(({ name }) => name));

console.log(`Trying ${wanted} lines with --seed ${values.seed}.`);
let tried = 0;
let ran = 0;
let failures = 0;
while (tried < wanted) {
  const lines = Array.from({ length: Math.min(batchSize, wanted - tried) }, () => randomLine(random));
  /** @type {{ line: string, allowedBy: string[] }[]} */
  const allowed = [];
  for (const line of new Set(lines)) {
    const allowedBy = await policiesThatAllow(line);
    if (allowedBy.length > 0) allowed.push({ line, allowedBy });
  }
  for (const [index, what] of await linesThatRun(allowed.map(({ line }) => line))) {
    const { line = '', allowedBy = [] } = allowed[index] ?? {};
    // A policy that allows everything but boom allows programs of the workspace.
    const broken = allowedBy.filter((name) => what === 'boom' || !runsAnything.has(name));
    if (broken.length === 0) continue;
    failures += 1;
    if (failures <= maximumShown) console.log(`RAN ${what}: ${JSON.stringify({ line, allowedBy: broken })}`);
  }
  tried += lines.length;
  ran += allowed.length;
  console.log(`${tried} lines tried, ${ran} allowed and run, ${failures} ran what they must not`);
}
process.exitCode = failures > 0 ? 1 : 0;

/** @param {string} command */
async function policiesThatAllow(command) {
  const names = [];
  for (const { name, policy } of policies) {
    const access = [{ kind: /** @type {const} */ ('run'), command, cwd: '/ws' }];
    const { verdict } = await decide(policy, { tool: 'Bash', access });
    if (verdict === 'allow') names.push(name);
  }
  return names;
}

/** The decision as the sources have it now, not as it was last built. */
async function loadDecision() {
  const directory = mkdtempSync(join(tmpdir(), 'robota-fuzz-build-'));
  try {
    const outfile = join(directory, 'core.mjs');
    await build({
      entryPoints: [join(root, 'packages/agent-core/src/index.ts')],
      bundle: true,
      format: 'esm',
      conditions: ['@robota-sdk/source'],
      platform: 'node',
      outfile,
      logLevel: 'error',
    });
    /** @type {typeof import('@robota-sdk/agent-core')} */
    const core = await import(pathToFileURL(outfile).href);
    return core;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
