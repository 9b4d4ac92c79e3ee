import { decide, parseRules } from '@robota-sdk/agent-core';
import { absolute } from '../report.mjs';

const workspace = { cwd: '/ws', additional: [], home: '/home/u' };
const typical = 'cd src && npm test 2>&1 | tail -5 > ../out.txt';
const parts = 10_000;

/** Cost of a permission decision: alone, among many rules, and on a command made to be slow. */
export async function permissions(/** @type {import('../bench.mjs').Bench} */ bench) {
  const rounds = bench.quick ? 20 : 200;
  const none = parseRules({}, { source: 'bench' }).rules;
  const many = parseRules(manyRules(), { source: 'bench' }).rules;
  const long = Array.from({ length: parts }, (_, index) => `echo ${index}`).join('; ');
  const first = await timeOf(none, typical);
  return [
    absolute({ name: 'permission decision, the first with its parser', ours: first, unit: 'ms' }),
    absolute({
      name: `permission decision, ${parts.toLocaleString('en')} commands`,
      ours: await least(many, { command: long, rounds: bench.quick ? 3 : 10 }),
      unit: 'ms',
      limit: 100,
    }),
    absolute({
      name: 'permission decision',
      ours: await least(none, { command: typical, rounds }),
      unit: 'ms',
      limit: 1,
    }),
    absolute({
      name: 'permission decision among 500 rules',
      ours: await least(many, { command: typical, rounds }),
      unit: 'ms',
      limit: 5,
    }),
  ];
}

function manyRules() {
  const rules = (/** @type {number} */ count, /** @type {(index: number) => string} */ text) =>
    Array.from({ length: count }, (_, index) => text(index));
  return {
    allow: rules(200, (index) => `Bash(tool-${index} run *)`),
    ask: rules(100, (index) => `Bash(release-${index} --now *)`),
    deny: [
      ...rules(100, (index) => `Bash(evil-${index} * --force)`),
      ...rules(100, (index) => `Read(secrets-${index}/**)`),
    ],
  };
}

/**
 * @param {import('@robota-sdk/agent-core').PermissionRules} rules
 * @param {string} command
 */
async function timeOf(rules, command) {
  const access = [{ kind: /** @type {const} */ ('run'), command, cwd: workspace.cwd }];
  const start = performance.now();
  const { verdict } = await decide({ mode: 'default', rules, workspace }, { tool: 'Bash', access });
  const time = performance.now() - start;
  // A wrong answer would be a fast one.
  if (verdict !== 'ask') throw new Error(`Expected to be asked about the command, got ${verdict}.`);
  return time;
}

/**
 * The least of several times, which other work on the machine disturbs the least.
 * @param {import('@robota-sdk/agent-core').PermissionRules} rules
 * @param {{ command: string, rounds: number }} options
 */
async function least(rules, { command, rounds }) {
  let time = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) time = Math.min(time, await timeOf(rules, command));
  return time;
}
