import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isDisplay } from './is-display.ts';

describe('a display from a file', () => {
  it('is used if it is what it claims to be', () => {
    for (const display of [
      { kind: 'text', text: 'x' },
      { kind: 'diff', path: 'a', lines: [{ kind: 'gap', text: '' }] },
      { kind: 'terminal', command: 'ls', output: '', exitCode: null },
      { kind: 'todos', items: [{ text: 'a', status: 'pending' }] },
    ])
      expect(isDisplay(display)).toBe(true);
  });

  it('is left out if it is not', () => {
    for (const display of [
      null,
      'text',
      {},
      { kind: 'text' },
      { kind: 'constructor' },
      { kind: 'diff', path: 'a', lines: [{ kind: 'other', text: '' }] },
      { kind: 'terminal', command: 'ls', output: {}, exitCode: 0 },
      { kind: 'list', items: [1], total: 1 },
    ])
      expect(isDisplay(display)).toBe(false);
    fc.assert(fc.property(fc.anything(), (value) => void isDisplay(value)));
  });
});
