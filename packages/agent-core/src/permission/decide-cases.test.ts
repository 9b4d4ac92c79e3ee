import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { decide } from './decide.ts';
import { parseRules, type RuleTexts } from './parse-rule.ts';
import type { PermissionMode } from './policy/mode.ts';

interface BashCase {
  readonly id: string;
  readonly group: string;
  readonly rules: RuleTexts;
  readonly mode: PermissionMode;
  readonly command: string;
  readonly expected: string;
  readonly why: string;
}

const file = new URL('../../fixtures/bash-permissions.json', import.meta.url);
const cases: readonly BashCase[] = JSON.parse(readFileSync(file, 'utf8'));

/** Checklist ids that a group of cases shows. */
const ids: Readonly<Record<string, string>> = {
  dangerous: 'E-39 E-40',
  'dangerous-fp': 'E-40',
  mode: 'R-11',
  precedence: 'R-10',
  syntax: 'R-12',
};

describe('the shared Bash cases', () => {
  it.each(cases.map((one) => ({ ...one, ids: ids[one.group] ?? 'E-39' })))(
    '$ids $id $group: $why',
    async ({ rules, mode, command, expected }) => {
      const workspace = { cwd: '/ws', additional: [], home: '/home/u' };
      const policy = { mode, rules: parseRules(rules, { source: 'case' }).rules, workspace };
      const decision = await decide(policy, { tool: 'Bash', access: [{ kind: 'run', command, cwd: '/ws' }] });
      expect(decision.verdict, decision.reason).toBe(expected);
      expect(decision.reason).not.toBe('');
    },
  );
});
