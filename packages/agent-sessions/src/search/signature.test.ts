import { foldText } from '@robota-sdk/agent-core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gramsOf, mayContain, SignatureBuilder } from './signature.ts';

describe('signature', () => {
  it('never denies a word that is in the text', () => {
    const builder = new SignatureBuilder();
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 60 }),
        fc.nat(60),
        fc.nat(10),
        (text, start, length) => {
          const folded = foldText(text);
          builder.add(folded);
          const signature = builder.finish();
          const words = folded.slice(start, start + length).split(/\s+/);
          for (const word of words) expect(mayContain(signature, gramsOf(word))).toBe(true);
        },
      ),
    );
  });

  it('denies nearly every word that is not, also in a long text, and begins again each time', () => {
    const builder = new SignatureBuilder();
    const words = Array.from({ length: 20_000 }, (_, index) => `w${(index * 7919).toString(36)}`);
    builder.add(words.join(' '));
    const long = builder.finish();
    expect(mayContain(long, gramsOf('zebrafish'))).toBe(false);
    builder.add('short');
    const short = builder.finish();
    expect(short).toHaveLength(64);
    expect(words.filter((word) => mayContain(short, gramsOf(word))).length).toBeLessThan(200);
  });

  it('has something to tell two letters and one character of other scripts by, and nothing for one letter', () => {
    expect([gramsOf('a'), gramsOf('ab'), gramsOf('本'), gramsOf('abcd')].map(({ length }) => length)).toEqual(
      [0, 1, 1, 2],
    );
  });
});
