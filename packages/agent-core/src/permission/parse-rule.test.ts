import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRule, parseRules, splitRules } from './parse-rule.ts';

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

describe('rules that are not one rule', () => {
  it.each([
    'Bash(rm *) Bash(git push *)',
    'Bash(touch *),Bash(echo *)',
    'Bash(touch *) Read(./secret)',
    'Bash(git *) Edit',
    'Bash(echo "(") Bash(echo ")")',
    "Bash(echo it's) Bash(echo he's)",
    'Bash(echo "x) Bash(rm *)',
    'Read(a)b)',
    'Read(a(b)',
    'Bash(ls))',
    'Bash((ls)',
    'WebFetch(domain:a.example) WebFetch(domain:b.example)',
    'mcp__a__b(x) mcp__a__c(y)',
  ])('%s is an error', (text) => {
    expect(parseRule(text, origin)).toMatchObject({ ok: false, problem: { code: 'rule.malformed' } });
  });

  it('names the single rules', () => {
    const parsed = parseRule('Bash(rm *) Edit', origin);
    expect(parsed.ok ? undefined : parsed.problem).toMatchObject({
      message: 'Rule "Bash(rm *) Edit" does not end at its closing parenthesis.',
      hint: 'Write each rule on its own: Bash(rm *) and Edit',
    });
  });

  it('a parenthesis in quotes or behind a backslash is part of its command', () => {
    for (const command of [
      'echo ":)"',
      "grep 'a(' f",
      'echo \\)',
      'git log --format="%(refname) :("',
      'echo "\\")"',
    ])
      expect(parseRule(`Bash(${command})`, origin)).toMatchObject({ ok: true, rule: { specifier: command } });
  });

  it('a list of rules is read as its rules, whatever they hold and whatever separates them', () => {
    const inside = fc
      .array(fc.constantFrom('a', ' ', ',', '*', ':', '()', '(b c)', '"x, y"', '")"', "'('", '\\)', '/'), {
        minLength: 1,
      })
      .map((parts) => `x${parts.join('')}x`);
    const plain = fc
      .array(fc.constantFrom('a', ' ', ',', '*', '"', "'", '(b)', './', '**'), { minLength: 1 })
      .map((parts) => `x${parts.join('')}x`);
    const rule = fc.oneof(
      inside.map((text) => `Bash(${text})`),
      plain.map((text) => `Read(${text})`),
      fc.constantFrom('Edit', 'mcp__a__*', 'Bash'),
    );
    const separator = fc.constantFrom(' ', ',', ', ', '  ', '\n');
    fc.assert(
      fc.property(fc.array(rule, { minLength: 1, maxLength: 5 }), separator, (rules, between) => {
        const text = rules.join(between);
        expect(splitRules(text)).toEqual(rules);
        for (const one of rules) expect(parseRule(one, origin).ok).toBe(true);
        if (rules.length > 1) expect(parseRule(text, origin).ok).toBe(false);
      }),
    );
  });

  it('no text becomes a rule that ends elsewhere', () => {
    const part = fc.constantFrom('Bash', 'Read', '(', ')', ' ', ',', '"', "'", '\\', 'x', '*', 'Edit(');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 14 }), (parts) => {
        const text = parts.join('').trim();
        if (parseRule(text, origin).ok) expect(splitRules(text)).toEqual([text]);
      }),
    );
  });
});
