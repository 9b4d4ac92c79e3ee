import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readLines } from './read-lines.ts';

async function all(chunks: readonly (string | Uint8Array)[]) {
  const lines = [];
  for await (const line of readLines(
    (async function* () {
      yield* chunks;
    })(),
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
