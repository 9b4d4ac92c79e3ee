import { type ApprovalRecord, type PermissionMode, parseRules } from '@robota-sdk/agent-sdk/front-end';
import { describe, expect, it } from 'vitest';
import { suggestRules } from './suggest-rules.ts';

const policy = (texts: Parameters<typeof parseRules>[0] = {}, mode: PermissionMode = 'default') => ({
  mode,
  rules: parseRules(texts, { source: 'test' }).rules,
  workspace: { cwd: '/nowhere', additional: [], home: '/home/u' },
});

const approved = (command: string): ApprovalRecord => ({
  time: '2026-01-01T00:00:00Z',
  cwd: '/nowhere',
  tool: 'Bash',
  command,
  kind: 'once',
  rules: [],
});

describe('suggestRules', () => {
  it('suggests the smallest rule per part, those that spare the most first, and what else they allow', async () => {
    const history = ['npm test', 'npm test -- a', 'make', 'npm test && make', 'git status'].map(approved);
    expect(await suggestRules(policy(), history)).toEqual([
      {
        rule: 'Bash(make)',
        spared: 2,
        examples: ['make', 'npm test && make'],
        alsoAllows: 'nothing but this command',
      },
      {
        rule: 'Bash(npm test)',
        spared: 2,
        examples: ['npm test', 'npm test && make'],
        alsoAllows: 'nothing but this command',
      },
      {
        rule: 'Bash(npm test -- a)',
        spared: 1,
        examples: ['npm test -- a'],
        alsoAllows: 'nothing but this command',
      },
    ]);
  });

  it('suggests no rule for what destroys something for good', async () => {
    const history = ['git clean -fdx', 'git stash clear', 'rm -rf ../dist', 'docker volume rm x'].map(
      approved,
    );
    expect(await suggestRules(policy(), history)).toEqual([]);
  });

  it('leaves out what rules already decide, and what no rule can allow', async () => {
    const history = ['npm test', 'curl x', 'make $(id)\u200b', 'sudo id'].map(approved);
    expect(await suggestRules(policy({ allow: ['Bash(npm *)'], deny: ['Bash(curl *)'] }), history)).toEqual(
      [],
    );
  });

  it('suggests rules for files and pages', async () => {
    const record = { ...approved(''), command: undefined } as unknown as ApprovalRecord;
    const { command: _, ...bare } = record;
    const history = [
      { ...bare, tool: 'Edit', path: '/nowhere/src/a.ts' },
      { ...bare, tool: 'WebFetch', url: 'https://example.com/x' },
    ];
    expect((await suggestRules(policy(), history)).map(({ rule, alsoAllows }) => [rule, alsoAllows])).toEqual(
      [
        ['Edit(src/a.ts)', 'nothing but this file, or everything in it if it is a directory'],
        ['WebFetch(domain:example.com)', 'every page of this host'],
      ],
    );
  });
});
