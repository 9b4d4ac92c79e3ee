import { describe, expect, it } from 'vitest';
import { describeCost } from './usage.ts';

describe('describeCost', () => {
  it.each([
    [0, '$0'],
    [0.00001, '<$0.0001'],
    [0.00011, '$0.0001'],
    [0.2, '$0.20'],
    [0.123, '$0.123'],
    [0.99999, '$1.00'],
    [12.345, '$12.35'],
  ])('writes %d as %s', (dollars, text) => {
    expect(describeCost(dollars)).toBe(text);
  });
});
