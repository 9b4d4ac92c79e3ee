import { expect, it } from 'vitest';
import { countAt } from './payload.ts';

it.each([1e300, 1e9 + 1, -3, Number.NaN, Number.POSITIVE_INFINITY, '7', null, undefined])(
  'counts no impossible number of tokens: %s',
  (value) => {
    expect(countAt({ tokens: value } as never, 'tokens')).toBe(0);
  },
);

it('counts what a model may take', () => {
  expect(countAt({ tokens: 1_000_000 }, 'tokens')).toBe(1_000_000);
});
