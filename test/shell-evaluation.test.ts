import { decide, type PermissionPolicy, parseRules } from '@robota-sdk/agent-core';
import { proves } from '@robota-sdk/agent-testing/proves';
import { beforeAll, describe, expect, it } from 'vitest';
import { linesThatRun } from '../scripts/fuzz/run-lines.mjs';
import { randomLine, seededRandom } from '../scripts/fuzz/shell-lines.mjs';
import { shellPolicies } from '../scripts/fuzz/shell-policies.mjs';
import { shellPositions } from '../scripts/fuzz/shell-positions.mjs';

const payloads = ["'$(boom)'", "'`boom`'", "'a[$(boom)]'", '"\\$(boom)"', "$'a[\\x24(boom)]'"];
const total = 3_000;
const random = seededRandom(20_240_607);
const fixed = shellPositions.flatMap((position) =>
  payloads.map((payload) => position.replaceAll('@Q@', () => payload)),
);
const lines = [...new Set(fixed)];
while (lines.length < total) lines.push(randomLine(random));

/** Positions of the lines that run `boom` when nothing stops them. */
let running: readonly string[] = [];

beforeAll(async () => {
  const found = await linesThatRun(lines);
  running = lines.filter((_, index) => found.has(index));
});

describe('text that bash evaluates twice', () => {
  it('the lines do run what they hold, in bash', () => {
    expect(lines.length).toBeGreaterThanOrEqual(total);
    expect(running.length).toBeGreaterThan(800);
  });

  it.each(shellPolicies)('no quoted payload runs unasked under $name', async ({ mode, rules }) => {
    proves('E-39', 'R-10');
    const policy: PermissionPolicy = {
      mode,
      rules: parseRules(rules, { source: 'test' }).rules,
      workspace: { cwd: '/ws', additional: [], home: '/home/u' },
    };
    const allowed: string[] = [];
    for (const command of running) {
      const access = [{ kind: 'run', command, cwd: '/ws' } as const];
      const { verdict } = await decide(policy, { tool: 'Bash', access });
      if (verdict === 'allow') allowed.push(command);
    }
    expect(allowed).toEqual([]);
  });
});
