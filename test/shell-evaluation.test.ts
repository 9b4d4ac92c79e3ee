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

/** The lines that run `boom`, or another program of the workspace, when nothing stops them. */
let running: readonly { readonly line: string; readonly runs: 'boom' | 'another program' }[] = [];

beforeAll(async () => {
  const found = await linesThatRun(lines);
  running = lines.flatMap((line, index) => {
    const runs = found.get(index);
    return runs === undefined ? [] : [{ line, runs }];
  });
});

describe('text that bash evaluates twice', () => {
  it('the lines do run what they hold, in bash', () => {
    expect(lines.length).toBeGreaterThanOrEqual(total);
    expect(running.filter(({ runs }) => runs === 'boom').length).toBeGreaterThan(800);
    expect(running.filter(({ runs }) => runs !== 'boom').length).toBeGreaterThan(50);
  });

  it.each(shellPolicies)(
    'no quoted payload runs unasked under $name',
    async ({ mode, rules, runsAnything }) => {
      proves('E-39', 'R-10');
      const policy: PermissionPolicy = {
        mode,
        rules: parseRules(rules, { source: 'test' }).rules,
        workspace: { cwd: '/ws', additional: [], home: '/home/u' },
      };
      const allowed: string[] = [];
      for (const { line: command, runs } of running) {
        if (runsAnything && runs !== 'boom') continue;
        const access = [{ kind: 'run', command, cwd: '/ws' } as const];
        const { verdict } = await decide(policy, { tool: 'Bash', access });
        if (verdict === 'allow') allowed.push(command);
      }
      expect(allowed).toEqual([]);
    },
  );
});
