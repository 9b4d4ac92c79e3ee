import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sliceText } from '../text/slice-text.ts';
import { plainText, textWidth } from '../text/styled-text.ts';
import { compositeOverlays, OverlayStack } from './overlay-stack.ts';

const size = { columns: 10, rows: 6 };

describe('overlays', () => {
  it('lays lines over others, colours intact', () => {
    proves('P-73');
    const base = ['0123456789', '\x1b[31mabcdefghij\x1b[39m', '한국어한국'];
    const shown = compositeOverlays(base, [{ lines: ['XX', 'YYYY', 'Z'], row: 0, column: 3, width: 4 }]);
    expect(shown.map(plainText)).toEqual(['012XX  789', 'abcYYYYhij', '한 Z    국']);
    expect(shown[1]).toBe('\x1b[31mabc\x1b[0mYYYY\x1b[31mhij\x1b[39m');
  });

  it('shows, hides and closes overlays; the topmost in sight has the keys and the focus', () => {
    proves('P-73');
    const stack = new OverlayStack();
    const below = { isFocused: false, render: () => ['below'], keys: 0, handleInput: () => ++below.keys > 0 };
    const above = { isFocused: false, render: () => ['above'] };
    const event = { type: 'paste', text: 'x' } as const;
    expect(stack.handleInput(event)).toBe(false);
    stack.show(below, { width: 10, anchor: 'top' });
    const handle = stack.show(above, { width: 5 });
    expect(stack.top).toBe(above);
    expect([below.isFocused, above.isFocused]).toEqual([false, true]);
    expect(stack.composite(['a', 'b', 'c'], size).map((line) => line.trimEnd())).toEqual([
      'below',
      'b',
      'c above',
    ]);
    handle.setHidden(true);
    expect(handle.isHidden).toBe(true);
    expect(stack.handleInput(event)).toBe(true);
    expect(below.keys).toBe(1);
    handle.setHidden(false);
    handle.close();
    expect([below.isFocused, above.isFocused]).toEqual([true, false]);
  });

  it('makes room above the lower edge, and no more than the screen has', () => {
    proves('P-73');
    const stack = new OverlayStack();
    stack.show({ render: () => ['1', '2', '3', '4', '5', '6', '7'] }, { width: 3, anchor: 'centre' });
    const lines = stack.composite(['base'], size);
    expect(lines).toHaveLength(5);
    expect(lines.at(-1)).toBe('bas5  ');
    expect(new OverlayStack().composite(['same'], size)).toEqual(['same']);
  });

  it('cuts columns out of a text without losing any', () => {
    const text = fc.array(fc.constantFrom('ab', '한국', '\x1b[1mbold', '\x1b[0m', 'e\u0301', '中'), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(text, fc.nat(10), fc.nat(10), (parts, from, length) => {
        const whole = parts.join('');
        const expected = Math.max(0, Math.min(textWidth(whole), from + length) - from);
        expect(textWidth(sliceText(whole, from, from + length))).toBe(expected);
      }),
    );
  });
});
