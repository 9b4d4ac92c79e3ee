import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { createRenderStyle } from '../components/render-style.ts';
import { extractCursor } from '../frame/view-of.ts';
import { characterKey } from '../input/text-key.ts';
import type { KeyEvent } from '../keys/key-event.ts';
import { Keybindings } from '../keys/keybindings.ts';
import { toolkitActions } from '../keys/toolkit-actions.ts';
import { textWidth } from '../text/styled-text.ts';
import { Input, type InputOptions } from './input.ts';

describe('a field', () => {
  it('takes text and sends it', () => {
    proves('P-95');
    const { input, told } = stage();
    press(input, ...'한 字', 'enter', 'escape');
    expect(told).toEqual(['한 字', 'cancelled']);
  });

  it('stays on one line: line breaks of a paste become blanks, the last one goes', () => {
    proves('P-95');
    const { input } = stage();
    input.handleInput({ type: 'paste', text: 'sk-123\r\nx\n' });
    expect(input.value).toBe('sk-123 x');
    expect(input.handleInput(pressKey('shift+enter'))).toBe(false);
    expect(input.handleInput(pressKey('up'))).toBe(false);
    expect(input.render(20).length).toBe(1);
  });

  it('undoes a word at a time, and deletions at once', () => {
    proves('P-95');
    const { input } = stage();
    press(input, ...'hello wide world', 'ctrl+-');
    expect(input.value).toBe('hello wide ');
    press(input, 'ctrl+-');
    expect(input.value).toBe('hello ');
    press(input, 'backspace', 'backspace', 'backspace', 'ctrl+-');
    expect(input.value).toBe('hello ');
    press(input, 'ctrl+w', 'ctrl+y');
    expect(input.value).toBe('hello ');
  });

  it('shows the part around the caret, and puts the caret in the middle when it leaves that part', () => {
    proves('P-95');
    const { input } = stage();
    input.isFocused = true;
    input.value = 'abcdefghijklmnopqrstuvwxyz';
    expect(seen(input, 12)).toEqual(['> vwxyz', 7]);
    press(input, 'left', 'left');
    expect(seen(input, 12)).toEqual(['> vwxyz', 5]);
    press(input, 'left', 'left', 'left', 'left');
    expect(seen(input, 12)).toEqual(['> pqrstuvwxy', 7]);
    press(input, 'home');
    expect(seen(input, 12)).toEqual(['> abcdefghij', 2]);
    press(input, 'ctrl+k', 'x');
    expect(seen(input, 12)).toEqual(['> x', 3]);
  });

  it('is never wider than its room, whatever stands in it', () => {
    proves('P-95');
    const { input } = stage();
    input.isFocused = true;
    for (const character of '한국어中文🙂👩🏽‍💻e\u0301\ttab and more 字') {
      press(input, character);
      for (const width of [6, 9, 14]) {
        const { lines, cursor } = extractCursor(input.render(width));
        expect(textWidth(lines[0] ?? '')).toBeLessThanOrEqual(width);
        expect(cursor?.column).toBeLessThan(width);
      }
    }
  });

  it('shows signs instead of a key', () => {
    proves('P-95');
    const { input, told } = stage({ isMasked: true });
    input.isFocused = true;
    input.handleInput({ type: 'paste', text: 'sk-한🙂' });
    expect(seen(input, 30)).toEqual(['> *****', 7]);
    press(input, 'enter');
    expect(told).toEqual(['sk-한🙂']);
  });

  it('shows a placeholder while it is empty, and shows control characters by signs', () => {
    proves('P-95');
    const { input } = stage({ placeholder: 'API key' });
    expect(input.render(20)).toEqual(['> API key']);
    input.value = 'a\u001b[2J\u0007';
    expect(input.render(20)).toEqual(['> a^[[2J^G']);
  });

  it('looks at a small part of a huge value only', () => {
    proves('P-95');
    const { input } = stage();
    input.isFocused = true;
    input.value = '字'.repeat(1_000_000);
    press(input, 'x', 'left', 'backspace');
    expect(input.value.length).toBe(1_000_000);
    expect(textWidth(extractCursor(input.render(20)).lines[0] ?? '')).toBeLessThanOrEqual(20);
  });
});

function stage(options: Partial<InputOptions> = {}) {
  const told: string[] = [];
  const input = new Input({
    keybindings: new Keybindings(toolkitActions),
    look: createRenderStyle(),
    onSubmit: (value) => told.push(value),
    onCancel: () => told.push('cancelled'),
    ...options,
  });
  return { input, told };
}

function seen(input: Input, width: number): [string | undefined, number | undefined] {
  const { lines, cursor } = extractCursor(input.render(width));
  return [lines[0], cursor?.column];
}

function press(input: Input, ...keys: readonly string[]): void {
  for (const key of keys) input.handleInput(pressKey(key));
}

/** A typed character, or a key by its id. */
function pressKey(key: string): KeyEvent {
  const isCharacter = [...key].length === 1;
  return isCharacter ? characterKey(key) : { type: 'key', id: key, otherIds: [], text: '', action: 'press' };
}
