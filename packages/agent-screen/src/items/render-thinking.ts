import { filterEscapes, italic, oneLine, truncateText, wrapText } from '@robota-sdk/agent-tui';
import type { AppStyle } from '../theme/app-tokens.ts';

/** How thinking is drawn. */
export interface ThinkingView {
  readonly look: AppStyle;
  readonly columns: number;
  /** How far it stands in. */
  readonly indent: string;
}

/** Renders thinking behind a bar, which distinguishes it from the answer without colors. */
export function renderThinking(text: string, view: ThinkingView): readonly string[] {
  const { columns, indent } = view;
  return wrapText(filterEscapes(text).trim(), Math.max(1, columns - indent.length - 2)).map(barred(view));
}

/** One line that says there was some, where it is hidden. */
export function renderHiddenThinking(text: string, view: ThinkingView): readonly string[] {
  const { columns, indent, look } = view;
  const first = oneLine(filterEscapes(text).trim());
  if (first === '') return [];
  const room = Math.max(1, columns - indent.length - 2);
  return [barred(view)(truncateText(`Thought: ${first}`, room, look.glyphs.ellipsis))];
}

function barred({ look, indent }: ThinkingView): (line: string) => string {
  const bar = indent + look.paint('dim', look.glyphs.vertical);
  return (line) => (line === '' ? bar : `${bar} ${look.paint('thinkingText', italic(line))}`);
}
