import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { decide } from './decide.ts';
import { parseRules, type RuleTexts } from './parse-rule.ts';
import type { PermissionMode } from './policy/mode.ts';

interface AttackCase {
  readonly group: string;
  readonly rules: RuleTexts;
  readonly mode?: PermissionMode;
  readonly command: string;
  readonly expected: string;
}

const file = new URL('../../fixtures/bash-attacks.json', import.meta.url);
const cases: readonly AttackCase[] = JSON.parse(readFileSync(file, 'utf8'));

/** The topic of each group, with the checklist lines it proves. */
const titles: Readonly<Record<string, string>> = {
  'wide-rule': 'E-39 R-12 a wildcard does not cover what runs or writes something else',
  'hidden-command': 'E-39 R-10 deny rules look behind every way to run a command',
  'read-only': 'E-39 R-11 what runs unasked only reads, and stays in the workspace',
  options: 'E-39 R-11 an option takes no more than the tool lets it, and none that is not known goes unasked',
  'everyday-reading': 'R-11 everyday reading is not asked about',
  tree: 'E-39 going through a directory is no way around a rule for a file in it',
  catastrophe: 'E-39 E-40 catastrophes are refused in every spelling and mode',
  'no-catastrophe': 'E-40 words that only look like a catastrophe are not one',
  'hidden-catastrophe':
    'E-39 E-40 catastrophes are refused behind dynamic commands and programs that run others',
  'dynamic-look-alike': "E-40 naming a catastrophe where it can't be run is not one",
  'denied-file': 'E-39 R-10 a file that a rule denies is found in whatever way a command names it',
  'stretched-rule': 'E-39 R-12 a wildcard does not stretch over abbreviated options, scripts and far files',
};

describe('attacks on the decision', () => {
  it.each(Object.entries(titles).map(([group, title]) => ({ group, title })))('$title', async ({ group }) => {
    const ofGroup = cases.filter((one) => one.group === group);
    expect(ofGroup.length).toBeGreaterThan(5);
    for (const { rules, mode = 'default', command, expected } of ofGroup) {
      const workspace = { cwd: '/ws', additional: [], home: '/home/u' };
      const policy = { mode, rules: parseRules(rules, { source: 'case' }).rules, workspace };
      const decision = await decide(policy, { tool: 'Bash', access: [{ kind: 'run', command, cwd: '/ws' }] });
      expect(decision.verdict, `${command}: ${decision.reason}`).toBe(expected);
    }
  });

  it('knows a title for every group', () => {
    expect([...new Set(cases.map((one) => one.group))].sort()).toEqual(Object.keys(titles).sort());
  });
});
