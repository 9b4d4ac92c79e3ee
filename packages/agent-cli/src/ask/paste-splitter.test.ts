import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PasteSplitter } from './paste-splitter.ts';

const marked = (text: string) => `\u001b[200~${text}\u001b[201~`;

function split(...chunks: readonly string[]) {
  const splitter = new PasteSplitter();
  return chunks.flatMap((chunk) => splitter.push(chunk));
}

describe('pasted text', () => {
  it('is what stands between the marks of the terminal, wherever these are cut', () => {
    const input = `ab${marked('one\r\ntwo\r')}c`;
    fc.assert(
      fc.property(fc.integer({ min: 4, max: input.length - 1 }), (at) => {
        const pieces = split(input.slice(0, at), input.slice(at));
        expect(pieces.filter(({ kind }) => kind === 'paste')).toEqual([{ kind: 'paste', text: 'one\ntwo' }]);
        const keys = pieces.filter(({ kind }) => kind === 'keys').map(({ text }) => text);
        expect(keys.join('')).toBe('abc');
      }),
    );
  });

  it('is several lines that arrive at once; control keys behind them stay keys', () => {
    expect(split('a\rb')).toEqual([{ kind: 'paste', text: 'a\nb' }]);
    expect(split('a\rb\r\u0003')).toEqual([
      { kind: 'paste', text: 'a\nb' },
      { kind: 'keys', text: '\u0003' },
    ]);
  });

  it.each(['a\r', '\r\r', '\u001b', '\u001b[A', 'a\r\u0003', 'a\r\u001b[A'])('is not %j', (keys) => {
    expect(split(keys)).toEqual([{ kind: 'keys', text: keys }]);
  });

  it('without an end is ended by Ctrl+C', () => {
    expect(split('\u001b[200~lost', '\u0003')).toEqual([
      { kind: 'paste', text: 'lost' },
      { kind: 'keys', text: '\u0003' },
    ]);
  });
});
