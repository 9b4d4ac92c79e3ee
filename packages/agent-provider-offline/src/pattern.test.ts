import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchPattern, partsOf, tokenize, withoutCourtesy } from './pattern.ts';

describe('tokenize', () => {
  it('splits into words without the punctuation after them, and keeps what is quoted', () => {
    const words = (text: string) => tokenize(text).map(({ text: word }) => word);
    expect(words('find "a b", then what\'s `c d`?')).toEqual(['find', 'a b', 'then', "what's", 'c d']);
    expect(words('a; b. "unclosed')).toEqual(['a', 'b', '"unclosed']);
  });

  it('loses nothing but white space, quotes and punctuation', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab \'"`.,;?\n“”') }), (text) => {
        const kept = tokenize(text)
          .map((token) => text.slice(token.start, token.end))
          .join('');
        expect(kept.replaceAll(/[^ab]/g, '')).toBe(text.replaceAll(/[^ab]/g, ''));
      }),
    );
  });
});

describe('matchPattern', () => {
  it.each([
    ['list files', 'List FILES', {}],
    ['list files', 'list files today', undefined],
    ['list files', 'list', undefined],
    ['list files', 'list me all the files now', undefined],
    ['list files', 'list me all the files', {}],
    ['list|show files', 'show files', {}],
    ['list new? files', 'list files', {}],
    ['list new? files', 'list new files', {}],
    ['read {path:file}', 'read the a.ts', { path: 'a.ts' }],
    ['read {path:file}', 'read Makefile', { path: 'Makefile' }],
    ['read {path:file}', 'read music', undefined],
    ['show {lines:lines} of {path:word}', 'show 2-3 of b', { lines: '2-3', path: 'b' }],
    ['put {it:text}', 'put the end now', { it: 'the end now' }],
    ['put {it:text}', 'put', undefined],
    ['find {it:text} in {path:word}', 'find "in" in src', { it: 'in', path: 'src' }],
    ['put {a:text} with {b:text}', 'put "x with y" with z', { a: 'x with y', b: 'z' }],
  ])('%s: %s', (pattern, text, captures) => {
    expect(matchPattern(pattern, text)).toEqual(captures);
  });

  it('finds what stands between the words of a pattern, whatever it is', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[b-y]{1,8}( [b-y]{1,8}){0,3}$/), (text) => {
        fc.pre(!/\bwith\b/.test(text));
        expect(matchPattern('replace {from:text} with {to:text}', `replace ${text} with zz`)).toEqual({
          from: text,
          to: 'zz',
        });
      }),
    );
  });
});

it.each([
  ['could you please list src', 'list src'],
  ['- list src, please', 'list src'],
  ['2. list src', 'list src'],
  ['please', 'please'],
])('withoutCourtesy: %s', (request, text) => {
  expect(withoutCourtesy(request)).toBe(text);
});

it.each([
  ['First list src, then find pot; finally count', ['list src', 'find pot', 'count']],
  ['1. list src\n2. find pot', ['list src', 'find pot']],
  ['Read a.ts. Find pot, and list src', ['Read a.ts', 'Find pot', 'list src']],
  ['find "a; then b"', ['find "a; then b"']],
])('partsOf: %s', (request, parts) => {
  expect(partsOf(request)).toEqual(parts);
});
