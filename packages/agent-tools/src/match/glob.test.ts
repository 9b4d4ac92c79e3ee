import { matchSteps } from '@robota-sdk/agent-core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileGlob } from './glob.ts';

/** The documented meaning as a regular expression, which may backtrack. */
function slowly(glob: string): RegExp {
  const source = glob
    .split('/')
    .map((segment, index, all) => {
      if (segment === '**') return index === all.length - 1 ? '[^]+' : '(?:[^/]+/)*';
      const name = segment.replace(/\\\*|\[!a\]|\[ab\]|\*+|[?.]/g, (part) => {
        if (part === '[!a]') return '[^/a]';
        if (part === '[ab]' || part === '\\*') return part;
        return part === '.' ? '\\.' : part === '?' ? '[^/]' : '[^/]*';
      });
      return index === all.length - 1 ? name : `${name}/`;
    })
    .join('');
  return new RegExp(`^${source}$`);
}

describe('compileGlob', () => {
  const name = fc
    .array(fc.constantFrom('a', 'b', '.', '?', '[ab]', '[!a]', '\\*', '*', '*'), {
      minLength: 1,
      maxLength: 5,
    })
    .map((parts) => parts.join('').replace(/\*+/g, '*'));
  const segments = fc.array(fc.oneof(name, name, fc.constant('**')), { minLength: 1, maxLength: 4 });
  const path = fc
    .array(fc.string({ unit: fc.constantFrom('a', 'b', '.', '*', 'é', '𝄞'), minLength: 1, maxLength: 4 }), {
      minLength: 1,
      maxLength: 4,
    })
    .map((names) => names.join('/'));

  it('means what a regular expression of the documented dialect means', () => {
    fc.assert(
      fc.property(segments, path, (parts, asked) => {
        const glob = parts.join('/');
        const expected = new RegExp(slowly(glob).source, 'u').test(asked);
        expect({ glob, asked, matches: compileGlob(glob).test(asked) }).toEqual({
          glob,
          asked,
          matches: expected,
        });
      }),
      { numRuns: 5000 },
    );
  });

  it('means by braces the same as by one glob for each alternative', () => {
    fc.assert(
      fc.property(segments, segments, segments, path, (one, two, end, asked) => {
        const [first, second, last] = [one, two, end].map((parts) => parts.join('/'));
        const either = [first, second].some((start) => compileGlob(`${start}/${last}`).test(asked));
        expect(compileGlob(`{${first},${second}}/${last}`).test(asked)).toBe(either);
        expect(compileGlob(`{{${first}},${second}}/${last}`).test(asked)).toBe(either);
      }),
    );
  });

  it.each([
    ['app/(auth)/page.tsx', 'app/(auth)/page.tsx', true],
    ['app/(auth)/page.tsx', 'app/auth/page.tsx', false],
    ['x(a|b)', 'xa', false],
    ['a/**', 'a', false],
    ['a/**', 'a/b/c', true],
    ['**/a', 'a', true],
    ['a/**/b', 'a/b', true],
    ['**', 'a/b', true],
    ['{,x}.txt', '.txt', true],
    ['{a,b/{c,d}}.ts', 'b/d.ts', true],
    ['{1..3}', '2', false],
    ['\\{a,b\\}', '{a,b}', true],
    ['[]a]', ']', true],
    ['[a\\]]', ']', true],
    ['[[:digit:]]', '7', true],
    ['?', '𝄞', true],
    ['a/*/c', 'a/b/c', true],
    ['a*c', 'a/c', false],
  ])('reads %s for %s as %s', (glob, asked, expected) => {
    expect(compileGlob(glob).test(asked)).toBe(expected);
  });

  it.each([
    `${'*a'.repeat(40)}b`,
    `${'**/a*/'.repeat(20)}b`,
    `${'**/'.repeat(200)}*?*?*b`,
    `{${'a*,*a,'.repeat(200)}b*}c`,
  ])('answers for a pattern with many ways to match: %s', (glob) => {
    expect(compileGlob(glob).test('a'.repeat(255))).toBe(false);
    expect(compileGlob(glob).test('a/'.repeat(400))).toBe(false);
  });

  it.each([
    [`${'{*,*a}'.repeat(30)}b`, 'more than 1000 alternatives'],
    [`${'{'.repeat(3000)}`, 'nests braces too deeply'],
    ['x'.repeat(10_000), 'is too long'],
    ['{a', '"{" without "}"'],
    ['a}', '"}" without "{"'],
    ['a[', '"[" without "]"'],
    ['a\\', 'lone'],
  ])('refuses %s', (glob, problem) => {
    expect(() => compileGlob(glob)).toThrow(problem);
  });
});

it('compares a step with an item at most as often as the product of their numbers', () => {
  const steps = `${'a*'.repeat(100)}b`;
  const items = 'a'.repeat(2_000);
  let compared = 0;
  const matches = (one: string, other: string) => {
    compared += 1;
    return one === other;
  };
  expect(matchSteps(steps, items, '*', matches)).toBe(false);
  expect(compared).toBeLessThanOrEqual(steps.length * items.length);
});
