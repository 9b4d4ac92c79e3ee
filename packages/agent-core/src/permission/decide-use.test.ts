import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { decide } from './decide.ts';
import { parseRules, type RuleTexts } from './parse-rule.ts';
import { permissionModes } from './policy/mode.ts';

const workspace = { cwd: '/ws', additional: [], home: '/home/u' };

async function verdict(tool: string, name: string, texts: RuleTexts): Promise<string> {
  const { rules } = parseRules(texts, { source: 'test' });
  return (await decide({ mode: 'default', rules, workspace }, { tool, access: [{ kind: 'use', name }] }))
    .verdict;
}

describe('rules that name an agent or a skill', () => {
  it.each([
    ['Agent', 'Explore', 'Agent(Explore)', 'deny'],
    ['Agent', 'explore', 'Agent(Explore)', 'deny'],
    ['Agent', 'Plan', 'Agent(Explore)', 'allow'],
    ['Agent', 'Explore', 'Task(Explore)', 'deny'],
    ['Agent', 'Explore', 'Task', 'deny'],
    ['Agent', 'my-reviewer', 'Agent(my-*)', 'deny'],
    ['Skill', 'commit', 'Skill(commit)', 'deny'],
    ['Skill', 'commit', 'Skill(commit *)', 'deny'],
    ['Skill', 'commit', 'Skill(commit:*)', 'deny'],
    ['Skill', 'commit', 'SlashCommand(/commit)', 'deny'],
    ['Skill', 'tools:commit', 'Skill(commit)', 'deny'],
    ['Skill', 'tools:commit', 'Skill(tools:*)', 'deny'],
    ['Skill', 'commit-all', 'Skill(commit)', 'allow'],
  ])('%s %s with the deny rule %s: %s', async (...[tool, name, rule, expected]) => {
    proves('R-12');
    expect(await verdict(tool, name, { deny: [rule] })).toBe(expected);
    const asked = expected === 'deny' ? 'ask' : expected;
    expect(await verdict(tool, name, { ask: [rule], allow: [tool, `${tool}(${name})`] })).toBe(asked);
  });

  it('lets agents and skills be used in every mode where no rule speaks', async () => {
    proves('R-11');
    for (const mode of permissionModes) {
      const policy = { mode, rules: { allow: [], ask: [], deny: [] }, workspace };
      const request = { tool: 'Agent', access: [{ kind: 'use', name: 'Plan' } as const] };
      expect((await decide(policy, request)).verdict).toBe('allow');
    }
  });

  it('guards a tool of an extension under the name that otherwise means one of ours', async () => {
    proves('R-12');
    const { rules } = parseRules({ deny: ['LS'], allow: ['Glob'] }, { source: 'test' });
    const policy = { mode: 'bypassPermissions', rules, workspace } as const;
    expect((await decide(policy, { tool: 'LS', access: [] })).verdict).toBe('deny');
  });
});
