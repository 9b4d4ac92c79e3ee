import { expect, it } from 'vitest';
import { dollars, plainLine } from './format.ts';

it('groups the digits of a large cost, and shows more of them for less than a cent', () => {
  expect([12_345.67, 1.5, 0, 0.0042, null].map(dollars)).toEqual([
    '$12,345.67',
    '$1.50',
    '$0.00',
    '$0.0042',
    '',
  ]);
});

it('shows a line of Markdown without its marks, and nothing for the fence of a block of code', () => {
  expect(plainLine('Run `npm test` **now**')).toBe('Run npm test now');
  expect(plainLine('```ts')).toBe('');
  expect(plainLine('Reads the rest...…')).toBe('Reads the rest…');
  expect(plainLine('Waits…')).toBe('Waits…');
});
