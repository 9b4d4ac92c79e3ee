import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readLines } from './read-lines.ts';

async function all(chunks: readonly (string | Uint8Array)[], most?: number) {
  const lines = [];
  for await (const line of readLines(
    (async function* () {
      yield* chunks;
    })(),
    most,
  ))
    lines.push(line);
  return lines;
}

describe('readLines', () => {
  it('gives the same lines and numbers however the bytes are cut', async () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'é', '😀', ' ', '\r', '\u2028') });
    await fc.assert(
      fc.asyncProperty(
        fc.array(line),
        fc.integer({ min: 1, max: 7 }),
        fc.boolean(),
        async (lines, size, ends) => {
          const bytes = Buffer.from(lines.join('\n') + (ends ? '\n' : ''));
          const chunks = [];
          for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
          const expected = lines.flatMap((text, index) =>
            text.trim() === '' ? [] : [{ number: index + 1, text }],
          );
          expect(await all(chunks)).toEqual(expected);
        },
      ),
    );
  });

  it('tells only the number of a line that is too long, however the bytes are cut', async () => {
    const bytes = Buffer.from(`one\n${'x'.repeat(50)}\n12345678\n${'y'.repeat(9)}`);
    for (const size of [1, 7, 1000]) {
      const chunks = [];
      for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
      expect(await all(chunks, 8)).toEqual([
        { number: 1, text: 'one' },
        { number: 2 },
        { number: 3, text: '12345678' },
        { number: 4 },
      ]);
    }
  });

  it('gives what was whole when the stream breaks', async () => {
    const lines = [];
    const broken = async function* () {
      yield 'one\ntwo';
      throw new Error('gone');
    };
    for await (const line of readLines(broken())) lines.push(line.text);
    expect(lines).toEqual(['one']);
  });
});
