import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRule, parseRules } from './parse-rule.ts';

const origin = { source: '.robota/settings.json', line: 12 };

describe('parseRule', () => {
  it('reads a tool with and without a specifier and keeps where it stands', () => {
    proves('R-12');
    expect(parseRule('Bash(pnpm *)', origin)).toEqual({
      ok: true,
      rule: { tool: 'Bash', specifier: 'pnpm *', text: 'Bash(pnpm *)', origin },
    });
    expect(parseRule(' Read ', origin)).toEqual({ ok: true, rule: { tool: 'Read', text: 'Read', origin } });
    expect(parseRule('Bash(echo (a) b)', origin)).toMatchObject({
      ok: true,
      rule: { specifier: 'echo (a) b' },
    });
    expect(parseRule('mcp__github__create-issue', origin)).toMatchObject({ ok: true });
  });

  it.each([
    ['', 'rule.empty'],
    ['Bash(rm *', 'rule.malformed'],
    ['Bash()', 'rule.malformed'],
    ['(rm)', 'rule.malformed'],
    ['rm -rf /', 'rule.malformed'],
    ['Read(!.env)', 'rule.unsupported'],
    ['WebFetch(example.com)', 'rule.unsupported'],
  ])('names what is wrong with %j', (text, code) => {
    proves('R-12');
    const parsed = parseRule(text, origin);
    expect(parsed).toMatchObject({
      ok: false,
      problem: { code, text, source: { file: origin.source, line: 12 } },
    });
    expect(parsed.ok ? '' : parsed.problem.hint).toMatch(/Write|remove|Put/);
  });

  it('never throws and never changes the text of a rule', () => {
    proves('R-12');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const parsed = parseRule(text, origin);
        expect(parsed.ok ? parsed.rule.text : parsed.problem.text).toBe(parsed.ok ? text.trim() : text);
      }),
    );
  });
});

describe('parseRules', () => {
  it('keeps the good rules of a list when one is bad', () => {
    proves('R-12');
    const { rules, problems } = parseRules({ deny: ['Bash(rm *', 'Bash(sudo *)'], allow: ['Read'] }, origin);
    expect(rules.deny.map((rule) => rule.text)).toEqual(['Bash(sudo *)']);
    expect(rules.allow).toHaveLength(1);
    expect(problems).toHaveLength(1);
  });

  it('warns of a tool name in the wrong letter case and of a pattern that names no tool', () => {
    proves('R-12');
    const { rules, problems } = parseRules({ allow: ['bash(npm *)', '*', 'mcp__*'], deny: ['*'] }, origin);
    expect(problems.map((problem) => problem.code)).toEqual([
      'rule.unknown-tool',
      'rule.unanchored',
      'rule.unanchored',
    ]);
    expect(problems[0]?.hint).toBe('Did you mean Bash?');
    expect(rules.allow.map((rule) => rule.tool)).toEqual(['bash']);
    expect(rules.deny).toHaveLength(1);
  });

  it('asks what a tool name that is almost a built-in one means, and doubts one that is like none', () => {
    proves('R-12');
    const deny = ['Raed(.env)', 'Deploy', 'mcp__lab__push', 'Web*', 'Job'];
    const { rules, problems } = parseRules({ deny }, origin);
    expect(problems.map(({ code, subject, text }) => [code, subject, text])).toEqual([
      ['rule.unknown-tool', 'Raed', 'Raed(.env)'],
      ['rule.unfamiliar-tool', 'Deploy', 'Deploy'],
      ['rule.unfamiliar-tool', 'Job', 'Job'],
    ]);
    expect(problems[0]).toMatchObject({ hint: 'Did you mean Read?' });
    expect(rules.deny).toHaveLength(deny.length);
  });

  it.each([
    ['Task(Explore)', { tool: 'Agent', specifier: 'Explore' }],
    ['MultiEdit(/src/**)', { tool: 'Edit', specifier: '/src/**' }],
    ['LS', { tool: 'Glob' }],
    ['AskUserQuestion', { tool: 'AskUser' }],
    ['NotebookEdit', { tool: 'Edit', specifier: '*.ipynb' }],
    ['NotebookEdit(/src/**)', { tool: 'Edit', specifier: '/src/**' }],
  ])('takes %s for a guard of our own tool', (text, expected) => {
    proves('R-12');
    const { rules, problems } = parseRules({ deny: [text] }, origin);
    expect(problems).toEqual([]);
    expect(rules.deny).toEqual([{ ...expected, text, origin }]);
  });

  it('allows no more than a tool of another agent could do', () => {
    proves('R-12');
    const { rules } = parseRules({ allow: ['NotebookEdit', 'NotebookEdit(/src/**)', 'MultiEdit'] }, origin);
    expect(rules.allow.map(({ tool, specifier }) => [tool, specifier])).toEqual([
      ['Edit', '*.ipynb'],
      ['NotebookEdit', '/src/**'],
      ['Edit', undefined],
    ]);
  });

  it.each(['TodoWrite(x)', 'AskUser(x)', 'WebSearch(foo)'])(
    'counts %s for the whole tool, which has nothing to compare it with, and says so',
    (text) => {
      proves('R-12');
      const { rules, problems } = parseRules({ deny: [text], ask: [text] }, origin);
      expect(problems.map(({ code }) => code)).toEqual(['rule.unmatchable', 'rule.unmatchable']);
      expect(problems[0]?.message).toContain('applies to every use');
      const rule = { tool: text.replace(/\(.*/, ''), text, origin };
      expect(rules).toEqual({ allow: [], ask: [rule], deny: [rule] });
    },
  );
});
