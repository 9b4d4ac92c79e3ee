import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldText, unfoldedOffset } from './fold-text.ts';

describe('foldText', () => {
  it.each([
    ['HELLO World', 'hello world'],
    ['Cafe\u0301', 'caf\u00e9'],
    ['ＡＢＣ ﬁ', 'abc fi'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['Straße', 'strasse'],
    ['한글', '한글'],
  ])('makes %j %j', (text, folded) => {
    expect(foldText(text)).toBe(folded);
    expect(foldText(folded)).toBe(folded);
  });
});

describe('unfoldedOffset', () => {
  it('finds the place again, also far into a long text', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-zé日ﬁ]{0,40}$/), fc.nat(3000), (before, filler) => {
        const text = `${before}${'ﬁé'.repeat(filler)}NEEDLE${before}`;
        const at = foldText(text).indexOf('needle');
        expect(unfoldedOffset(text, at)).toBe(text.indexOf('NEEDLE'));
      }),
    );
  });
});
