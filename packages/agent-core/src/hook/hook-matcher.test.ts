import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileMatcher, isQuickPattern } from './hook-matcher.ts';

const tools = [
  'Bash',
  'Edit',
  'Write',
  'TodoWrite',
  'WebFetch',
  'WebSearch',
  'mcp__git__log',
  'mcp__web__get',
];

function matched(pattern: string, names: readonly string[] = tools): readonly string[] {
  return names.filter(compileMatcher(pattern, (word) => tools.includes(word)));
}

describe('hook matchers', () => {
  it.each(['', '*', '.*'])('%j matches every name', (pattern) => {
    proves('R-19');
    expect(matched(pattern)).toEqual(tools);
  });

  it.each([
    ['Bash', ['Bash']],
    ['Write', ['Write']],
    ['Edit|Write', ['Edit', 'Write']],
    ['Edit | Write', ['Edit', 'Write']],
    ['Web', ['WebFetch', 'WebSearch']],
    ['Web.*', ['WebFetch', 'WebSearch']],
    ['.*Write', ['Write', 'TodoWrite']],
    ['^Write$|Bas', ['Bash', 'Write']],
    ['mcp__.*', ['mcp__git__log', 'mcp__web__get']],
    ['mcp__(git|svn)__.*', ['mcp__git__log']],
    ['^(?!mcp__|Web|Todo)', ['Bash', 'Edit', 'Write']],
    ['bash', []],
    ['NoSuchTool', []],
  ])('%j matches %j', (pattern, names) => {
    proves('R-19');
    expect(matched(pattern)).toEqual(names);
  });

  it('compares a name that is no expression with the whole name', () => {
    proves('R-19');
    expect(matched('c++', ['c', 'c++', 'c+++'])).toEqual(['c++']);
  });

  it.each(['Bash(', '[', 'Bash(git *)', 'Bash(git push:*)', 'Edit(src/**)', 'Edit(.env)', 'Bash(a) Bash(b)'])(
    'takes %j, which is no pattern of names, for every name',
    (pattern) => {
      proves('R-19');
      expect(matched(pattern)).toEqual(tools);
    },
  );

  it.each(['(a+)+$', '(a|a)*$', '(.*a){20}', '((a*)b)*c', '(?:x|x?)+y', 'a*b*c*d*e*f*g', 'a'.repeat(501)])(
    'takes %j, which could take very long, for every name',
    (pattern) => {
      expect(isQuickPattern(pattern)).toBe(false);
      expect(matched(pattern, ['a'.repeat(5_000)])).toHaveLength(1);
    },
  );

  it('never takes long and never throws, whatever the pattern and the name', () => {
    const parts = fc.array(
      fc.constantFrom('a', '.', '*', '+', '?', '(', ')', '|', '[ab]', '{2,}', '\\w', '^', '$'),
    );
    fc.assert(
      fc.property(parts, fc.nat(5_000), (pattern, length) => {
        const matches = compileMatcher(pattern.join(''), () => false);
        expect(matches(`${'a'.repeat(length)}!`)).toBeTypeOf('boolean');
      }),
    );
  });
});
