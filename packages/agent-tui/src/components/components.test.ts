import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { extractCursor } from '../frame/view-of.ts';
import type { KeyEvent } from '../keys/key-event.ts';
import { Keybindings } from '../keys/keybindings.ts';
import { toolkitActions } from '../keys/toolkit-actions.ts';
import { type Component, isFocusable } from '../text/component.ts';
import { cursorMark, textWidth } from '../text/styled-text.ts';
import { Box, Container } from './container.ts';
import { CancellableLoader, Loader } from './loader.ts';
import { Spacer, Text, TruncatedText } from './text.ts';

const blue = (line: string) => `\x1b[44m${line}\x1b[49m`;
const key = (id: string): KeyEvent => ({ type: 'key', id, otherIds: [], text: '', action: 'press' });

afterEach(() => {
  vi.useRealTimers();
});

describe('components', () => {
  it('puts components one below the other', () => {
    proves('P-71', 'P-99');
    const first = new Text('one two three');
    const container = new Container([first, new Spacer(2)]);
    container.add(new TruncatedText('a long line that does not fit\nand another'));
    expect(container.render(8)).toEqual(['one two', 'three', '', '', 'a long …']);
    container.remove(first);
    expect(container.children).toHaveLength(2);
    container.clear();
    expect(container.render(8)).toEqual([]);
  });

  it('keeps what it has drawn until text, width or colours change', () => {
    proves('P-99');
    const text = new Text('hello world', { paddingX: 1, background: blue });
    const drawn = text.render(8);
    expect(drawn).toEqual([blue(' hello  '), blue(' world  ')]);
    expect(text.render(8)).toBe(drawn);
    expect(text.render(20)).toEqual([blue(` hello world${' '.repeat(8)}`)]);
    text.invalidate();
    expect(text.render(8)).toEqual(drawn);
    text.text = 'bye';
    expect(text.render(8)).toEqual([blue(' bye    ')]);

    let draws = 0;
    let line = 'x';
    const child: Component = { render: () => [line] };
    const box = new Box([child], {
      paddingX: 2,
      paddingY: 1,
      background: (shown) => {
        draws++;
        return blue(shown);
      },
    });
    const lines = box.render(6);
    expect(lines).toEqual([blue('      '), blue('  x   '), blue('      ')]);
    expect(box.render(6)).toBe(lines);
    expect(draws).toBe(3);
    line = 'y';
    expect(box.render(6)[1]).toBe(blue('  y   '));
  });

  it('is never wider than it may be', () => {
    proves('P-99');
    const text = fc.string({ unit: 'grapheme' }).map((written) => written.replace(/[\p{Cc}\p{Cf}]/gu, ''));
    fc.assert(
      fc.property(text, fc.integer({ min: 4, max: 40 }), fc.nat(3), (written, width, paddingX) => {
        const box = new Box([new Text(written, { paddingX, background: blue }), new TruncatedText(written)]);
        for (const line of box.render(width)) expect(textWidth(line)).toBeLessThanOrEqual(width);
      }),
    );
  });

  it('finds the caret of what has the focus, and takes its mark out', () => {
    proves('P-71', 'P-74');
    const input = { isFocused: true, render: () => [`> 한${cursorMark}x`] };
    expect(isFocusable(input)).toBe(true);
    expect(isFocusable(new Spacer())).toBe(false);
    const box = new Box([new Spacer(), input], { paddingX: 1, background: blue });
    const { lines, cursor } = extractCursor(box.render(10));
    expect(cursor).toEqual({ row: 1, column: 5 });
    expect(lines[1]).toBe(blue(' > 한x    '));
    expect(extractCursor(['a']).cursor).toBeUndefined();
  });

  it('moves while it is started, and has no timer otherwise', () => {
    proves('P-98');
    vi.useFakeTimers();
    let changes = 0;
    const loader = new Loader({ message: 'Thinking…', onChange: () => changes++, isAscii: true });
    expect(vi.getTimerCount()).toBe(0);
    loader.start();
    expect(loader.render(20)).toEqual(['| Thinking…']);
    vi.advanceTimersByTime(1000);
    expect(changes).toBe(4);
    loader.stop();
    expect(vi.getTimerCount()).toBe(0);
    loader.message = 'Waiting';
    expect(changes).toBe(5);
    expect(loader.render(6)).toEqual(['| Wai…']);
    const still = new Loader({ message: '', onChange: () => {}, isStill: true });
    still.start();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('gives work up by the key that leaves', () => {
    proves('P-98');
    vi.useFakeTimers();
    let aborts = 0;
    const loader = new CancellableLoader({
      message: 'Loading',
      onChange: () => {},
      keybindings: new Keybindings(toolkitActions),
      onAbort: () => aborts++,
    });
    loader.start();
    expect(loader.handleInput(key('a'))).toBe(false);
    expect(loader.signal.aborted).toBe(false);
    expect(loader.handleInput(key('escape'))).toBe(true);
    expect(loader.signal.aborted).toBe(true);
    loader.handleInput(key('ctrl+c'));
    expect(aborts).toBe(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});
