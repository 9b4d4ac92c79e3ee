import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import type { Access } from '../tool/access.ts';
import { decide } from './decide.ts';
import { parseRules, type RuleTexts } from './parse-rule.ts';
import { type PermissionMode, permissionModes } from './policy/mode.ts';
import type { PermissionDecision } from './policy/permission.ts';

interface Call {
  readonly tool: string;
  readonly access?: readonly Access[];
  readonly mode?: PermissionMode;
  readonly rules?: RuleTexts;
}

function judge({ tool, access = [], mode = 'default', rules = {} }: Call): Promise<PermissionDecision> {
  const workspace = { cwd: '/ws', additional: [], home: '/home/u' };
  return decide({ mode, rules: parseRules(rules, { source: 'test' }).rules, workspace }, { tool, access });
}

async function verdict(call: Call): Promise<string> {
  return (await judge(call)).verdict;
}

describe('tools that declare nothing', () => {
  it('judges an unknown tool by the mode', async () => {
    proves('R-11');
    const verdicts = await Promise.all(permissionModes.map((mode) => verdict({ tool: 'mcp__a__b', mode })));
    expect(verdicts).toEqual(['deny', 'ask', 'ask', 'allow']);
    expect((await judge({ tool: 'mcp__a__b' })).wouldAllow).toEqual(['mcp__a__b']);
  });

  it('allows the tools that only talk', async () => {
    proves('R-11');
    for (const mode of permissionModes) {
      for (const tool of ['TodoWrite', 'AskUser', 'Bash'])
        expect(await verdict({ tool, mode })).toBe('allow');
    }
  });

  it('does not compare a rule for commands with a call that runs none', async () => {
    proves('R-12');
    expect(await verdict({ tool: 'Bash', rules: { deny: ['Bash(rm *)'] } })).toBe('allow');
    expect(await verdict({ tool: 'Bash', rules: { deny: ['Bash'] } })).toBe('deny');
  });

  it('reads rules for a server, for one of its tools and for a pattern', async () => {
    proves('R-12');
    const tool = 'mcp__github__create_issue';
    expect(await verdict({ tool, rules: { allow: ['mcp__github'] } })).toBe('allow');
    expect(await verdict({ tool, rules: { allow: ['mcp__github__*'] } })).toBe('allow');
    expect(await verdict({ tool, rules: { allow: [tool] } })).toBe('allow');
    expect(
      await verdict({ tool, rules: { allow: ['mcp__git', 'mcp__*', '*', 'mcp__github__create'] } }),
    ).toBe('ask');
    expect(await verdict({ tool, mode: 'bypassPermissions', rules: { deny: ['mcp__*'] } })).toBe('deny');
    expect(await verdict({ tool, mode: 'bypassPermissions', rules: { ask: ['mcp__github'] } })).toBe('ask');
    expect(await verdict({ tool: 'TodoWrite', rules: { deny: ['TodoWrite'] } })).toBe('deny');
  });

  it('asks where a deny rule cannot be compared with the call', async () => {
    proves('R-12');
    const rules = { allow: ['mcp__a'], deny: ['mcp__a__b(dangerous)'] };
    expect(await verdict({ tool: 'mcp__a__b', mode: 'bypassPermissions', rules })).toBe('ask');
  });
});

describe('several accesses', () => {
  const read: Access = { kind: 'read', path: '/ws/a', real: '/ws/a' };
  const outside: Access = { kind: 'read', path: '/etc/x', real: '/etc/x' };
  const write: Access = { kind: 'write', path: '/ws/b', real: '/ws/b' };

  it('takes the strictest answer and joins the rules that would allow', async () => {
    proves('R-10');
    expect(await verdict({ tool: 'Copy', access: [read] })).toBe('allow');
    expect(await judge({ tool: 'Copy', access: [read, outside, write] })).toMatchObject({
      verdict: 'ask',
      wouldAllow: ['Read(//etc/x)', 'Edit(/b)'],
    });
    expect(await verdict({ tool: 'Copy', access: [outside, write], mode: 'plan' })).toBe('deny');
  });

  it('lets a rule for the whole tool allow what would be asked, but not what a rule refuses', async () => {
    proves('R-10');
    expect(await verdict({ tool: 'Copy', access: [write], rules: { allow: ['Copy'] } })).toBe('allow');
    expect(
      await verdict({ tool: 'Copy', access: [write], rules: { allow: ['Copy'], deny: ['Edit(b)'] } }),
    ).toBe('deny');
    expect(
      await verdict({ tool: 'Copy', access: [write], rules: { allow: ['Copy'], ask: ['Edit(b)'] } }),
    ).toBe('ask');
  });
});

describe('the web', () => {
  const fetching = (url: string): readonly Access[] => [{ kind: 'fetch', url }];
  const call = (url: string, rules: RuleTexts = {}): Promise<string> =>
    verdict({ tool: 'WebFetch', access: fetching(url), rules });

  it('asks before it fetches, except where bypassPermissions asks nothing', async () => {
    proves('R-11');
    const verdicts = await Promise.all(
      permissionModes.map((mode) =>
        verdict({ tool: 'WebFetch', access: fetching('https://a.example/x'), mode }),
      ),
    );
    expect(verdicts).toEqual(['ask', 'ask', 'ask', 'allow']);
    expect((await judge({ tool: 'WebFetch', access: fetching('https://A.example./x') })).wouldAllow).toEqual([
      'WebFetch(domain:a.example)',
    ]);
  });

  it('compares domains by whole labels, also those in disguise', async () => {
    proves('R-12');
    const allow = { allow: ['WebFetch(domain:example.com)'] };
    expect(await call('https://example.com/a?b', allow)).toBe('allow');
    expect(await call('https://EXAMPLE.com.:8080/', allow)).toBe('allow');
    expect(await call('https://example.com.evil.test/', allow)).toBe('ask');
    expect(await call('https://notexample.com/', allow)).toBe('ask');
    expect(await call('https://example.com@evil.test/', allow)).toBe('ask');
    expect(await call('https://sub.example.com/', allow)).toBe('ask');
    expect(await call('https://sub.example.com/', { allow: ['WebFetch(domain:*.example.com)'] })).toBe(
      'allow',
    );
    expect(
      await call('https://sub.example.com/', { allow: ['WebFetch'], deny: ['WebFetch(domain:example.com)'] }),
    ).toBe('deny');
  });

  it('compares addresses part by part', async () => {
    proves('R-12');
    const allow = { allow: ['WebFetch(https://example.com/docs/*)'] };
    expect(await call('https://example.com/docs/a', allow)).toBe('allow');
    expect(await call('https://example.com/docs/../secret', allow)).toBe('ask');
    expect(await call('http://example.com/docs/a', allow)).toBe('ask');
  });

  it('refuses what is no web address', async () => {
    proves('E-39');
    for (const url of ['file:///etc/passwd', 'example.com', '', 'javascript:1'])
      expect(await call(url, { allow: ['WebFetch'] })).toBe('deny');
  });
});
