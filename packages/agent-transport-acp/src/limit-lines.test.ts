import { describe, expect, it } from 'vitest';
import { limitLines } from './limit-lines.ts';

describe('the lines of an editor', () => {
  const long = `{"jsonrpc":"2.0","id":7,"method":"session/prompt","params":"${'x'.repeat(100)}"}`;
  const lines = ['{"a":1}', long, '', `{"params":"${'y'.repeat(100)}","id":8}`, 'ä', 'no end'];

  it.each([1, 7, 64, 10_000])('come through whole, in chunks of %i bytes', async (size) => {
    const text = lines.join('\n');
    expect(await through(text, { size, most: 1000 })).toBe(text);
  });

  it.each([1, 7, 64, 10_000])(
    'become a request that can be answered, or no JSON, where they are too long, in chunks of %i bytes',
    async (size) => {
      const passed = (await through(lines.join('\n'), { size, most: 80 })).split('\n');
      expect(passed).toEqual([
        lines[0],
        '{"jsonrpc":"2.0","id":7,"method":"robota/too_long"}',
        '',
        'too long',
        'ä',
        'no end',
      ]);
    },
  );
});

async function through(text: string, { size, most }: { size: number; most: number }): Promise<string> {
  const bytes = Buffer.from(text);
  const source = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.subarray(at, at + size));
      controller.close();
    },
  });
  const parts: Uint8Array[] = [];
  for await (const part of source.pipeThrough(limitLines(most))) parts.push(part);
  return Buffer.concat(parts).toString();
}
