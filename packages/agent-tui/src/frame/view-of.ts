import type { Component } from '../text/component.ts';
import { extractCursor } from './extract-cursor.ts';
import type { OverlayStack } from './overlay-stack.ts';
import type { LiveView, ScreenSize } from './screen.ts';

/** Draws a component as the live region, with overlays above it and the caret where the focus is. */
export function viewOf(component: Component, size: ScreenSize, overlays?: OverlayStack): LiveView {
  const lines = component.render(size.columns);
  return extractCursor(overlays ? overlays.composite(lines, size) : lines);
}
