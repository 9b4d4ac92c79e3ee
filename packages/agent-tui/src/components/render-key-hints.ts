import { renderStatusLine } from './render-status-line.ts';
import type { RenderStyle } from './render-style.ts';

/** A line of keys and what they do; the last ones are left out where it is narrow. */
export function renderKeyHints(
  hints: readonly { readonly keys: string; readonly text: string }[],
  width: number,
  look: RenderStyle,
): string {
  const fields = hints.map(({ keys, text }, index) => ({
    text: `${keys} ${look.paint('dim', text)}`,
    priority: hints.length - index,
  }));
  return renderStatusLine(fields, width, look);
}
