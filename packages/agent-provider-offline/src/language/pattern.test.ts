import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compilePattern } from './pattern.ts';
import { tokenize } from './tokens.ts';

const match = (pattern: string, text: string) => compilePattern(pattern)({ text, tokens: tokenize(text) });

describe('compilePattern', () => {
  it('matches words whatever their case, and only the whole phrase', () => {
    expect(match('list files', 'List FILES')).toEqual({});
    expect(match('list files', 'list files today')).toBeUndefined();
    expect(match('list files', 'list')).toBeUndefined();
  });

  it('skips articles and courtesies', () => {
    expect(match('list files', 'list me all the files please')).toEqual({});
    expect(match('read {path:file}', 'read the a.ts')).toEqual({ path: 'a.ts' });
  });

  it('chooses among alternatives and takes or leaves what is optional', () => {
    const pattern = '(list|show) files [(in|under) {path:path} [folder]]';
    expect(match(pattern, 'show files')).toEqual({});
    expect(match(pattern, 'list files in src folder')).toEqual({ path: 'src' });
    expect(match(pattern, 'list files under')).toBeUndefined();
  });

  it('takes text up to the next word of the pattern', () => {
    const pattern = 'replace {from:text} with {to:text} [in {path:path}]';
    expect(match(pattern, 'replace a b with c d in src')).toEqual({ from: 'a b', to: 'c d', path: 'src' });
    expect(match(pattern, 'replace "x with y" with z')).toEqual({ from: 'x with y', to: 'z' });
  });

  it('keeps every word of a text, and drops the article of a thing', () => {
    expect(match('put {it:text} [in {path:path}]', 'put the end now')).toEqual({ it: 'the end now' });
    expect(match('find {it:thing} [in {path:path}]', 'find the end')).toEqual({ it: 'end' });
    expect(match('find {it:thing}', 'find the')).toEqual({ it: 'the' });
  });

  it('tells files from things', () => {
    expect(match('read {path:file}', 'read Makefile')).toEqual({ path: 'Makefile' });
    expect(match('read {path:file}', 'read music')).toBeUndefined();
    expect(match('read {path:path}', 'read it')).toBeUndefined();
  });

  it('never takes quoted text for a word of the pattern', () => {
    expect(match('find {what:text} [in {path:path}]', 'find "in" in src')).toEqual({
      what: 'in',
      path: 'src',
    });
  });

  it('refuses a pattern that is written wrongly', () => {
    expect(() => compilePattern('(a|b')).toThrow(/missing \)/);
    expect(() => compilePattern('a]')).toThrow(/unbalanced/);
    expect(() => compilePattern('{x:nothing}')).toThrow(/unknown slot kind/);
  });

  it('finds what stands between the words of a pattern, whatever it is', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[b-y]{1,8}( [b-y]{1,8}){0,3}$/), (text) => {
        fc.pre(!/\bwith\b/.test(text));
        expect(match('replace {from:text} with {to:text}', `replace ${text} with zz`)).toEqual({
          from: text,
          to: 'zz',
        });
      }),
    );
  });
});
