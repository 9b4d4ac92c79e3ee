import { expect, it } from 'vitest';
import { plainLine } from './format.ts';

it('shows a line of Markdown without its marks, and nothing for the fence of a block of code', () => {
  expect(plainLine('Run `npm test` **now**')).toBe('Run npm test now');
  expect(plainLine('```ts')).toBe('');
  expect(plainLine('Reads the rest...…')).toBe('Reads the rest…');
  expect(plainLine('Waits…')).toBe('Waits…');
});
