import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ThinkTags } from './think-tags.ts';

it('leaves tags alone that do not begin the text', () => {
  expect(split(['Use <think> and </think>.'])).toEqual({ thinking: '', text: 'Use <think> and </think>.' });
});

it('keeps an unfinished thought and what only looked like a tag', () => {
  expect(split(['<think>a </thin'])).toEqual({ thinking: 'a </thin', text: '' });
  expect(split([' <thi'])).toEqual({ thinking: '', text: ' <thi' });
});

it('splits the same way however the text is cut', () => {
  const piece = fc.constantFrom('<think>', '</think>', '<', '/', 'th', 'ink>', ' ', '\n', 'word', '🙂');
  fc.assert(
    fc.property(fc.array(piece), fc.array(fc.nat(8)), (pieces, cuts) => {
      const text = pieces.join('');
      expect(split(cut(text, cuts))).toEqual(split([text]));
    }),
  );
});

function cut(text: string, sizes: readonly number[]): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  for (const size of sizes) {
    parts.push(text.slice(start, start + size));
    start += size;
  }
  return [...parts, text.slice(start)];
}

function split(parts: readonly string[]) {
  const tags = new ThinkTags();
  const joined = { thinking: '', text: '' };
  for (const { kind, text } of [...parts.flatMap((part) => tags.push(part)), ...tags.end()])
    joined[kind] += text;
  return joined;
}
