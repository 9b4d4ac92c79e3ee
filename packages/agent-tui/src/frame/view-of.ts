import type { Component } from '../text/component.ts';
import { cursorMark, textWidth } from '../text/styled-text.ts';
import type { OverlayStack } from './overlay-stack.ts';
import type { Cursor } from './plan-frame.ts';
import type { LiveView, ScreenSize } from './screen.ts';

/** Draws a component as the live region, with overlays above it and the caret where the focus is. */
export function viewOf(component: Component, size: ScreenSize, overlays?: OverlayStack): LiveView {
  const lines = component.render(size.columns);
  return extractCursor(overlays ? overlays.composite(lines, size) : lines);
}

/** Lines without the mark of the caret, and where it stood. */
export interface MarkedLines {
  readonly lines: readonly string[];
  readonly cursor: Cursor | undefined;
}

/** Takes the mark of the caret out of drawn lines; of several, the last counts. */
export function extractCursor(drawn: readonly string[]): MarkedLines {
  let cursor: Cursor | undefined;
  const lines = drawn.map((line, row) => {
    const at = line.lastIndexOf(cursorMark);
    if (at < 0) return line;
    cursor = { row, column: textWidth(line.slice(0, at)) };
    return line.replaceAll(cursorMark, '');
  });
  return { lines, cursor };
}
