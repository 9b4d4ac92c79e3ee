import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tokenize } from './tokens.ts';

const words = (text: string) => tokenize(text).map((token) => token.text);

describe('tokenize', () => {
  it('splits words and drops the punctuation after them', () => {
    expect(words('Where is it, please?')).toEqual(['Where', 'is', 'it', 'please']);
    expect(words('ls . ./src ..')).toEqual(['ls', '.', './src', '..']);
    expect(words('read a.ts.')).toEqual(['read', 'a.ts']);
  });

  it('keeps a quoted passage whole, in any quotes', () => {
    expect(words('replace "a b" by \'c d\'.')).toEqual(['replace', 'a b', 'by', 'c d']);
    expect(words('run `npm test`, then “x y”')).toEqual(['run', 'npm test', 'then', 'x y']);
    expect(words("what's the user's name")).toEqual(["what's", 'the', "user's", 'name']);
  });

  it('keeps a fenced block whole', () => {
    expect(words('create a.txt with\n```txt\none\n\ntwo\n```')).toEqual([
      'create',
      'a.txt',
      'with',
      'one\n\ntwo',
    ]);
  });

  it('takes an open quote for a letter', () => {
    expect(words('find "abc')).toEqual(['find', '"abc']);
  });

  it('loses nothing: tokens and what is between them make the text again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const tokens = tokenize(text);
        const rebuilt = tokens.map((token) => text.slice(token.start, token.end) + token.after).join('');
        expect(rebuilt).toBe(text.slice(tokens[0]?.start ?? text.length));
      }),
    );
  });
});
