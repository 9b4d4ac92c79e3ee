import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { randomHex, randomUuid } from './random-id.ts';
import { shortHash } from './short-hash.ts';

it('hashes any text as Node does', () => {
  const expected = (text: string) => createHash('sha256').update(text).digest('hex');
  for (let length = 0; length < 200; length++)
    expect(shortHash('ä'.repeat(length))).toBe(expected('ä'.repeat(length)));
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 500 }), (text) => {
      expect(shortHash(text)).toBe(expected(text));
    }),
  );
  expect(shortHash('\ud800')).toBe(expected('\ud800'));
});

it('gives other random digits each time, as many as asked for', () => {
  const sizes = [1, 4, 10, 16, 300, 4096];
  expect(sizes.map((size) => randomHex(size).length)).toEqual(sizes.map((size) => 2 * size));
  const all = Array.from({ length: 1000 }, () => randomHex(8));
  expect(new Set(all).size).toBe(all.length);
  expect(all.join('')).toMatch(/^[0-9a-f]+$/);
});

it('makes UUIDs of version 4', () => {
  const all = Array.from({ length: 500 }, () => randomUuid());
  expect(new Set(all).size).toBe(all.length);
  const form = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  expect(all.filter((id) => !form.test(id))).toEqual([]);
  expect(new Set(all.map((id) => id.charAt(19))).size).toBe(4);
});
