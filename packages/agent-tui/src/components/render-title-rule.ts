import { textWidth } from '../text/styled-text.ts';
import { truncateText } from '../text/truncate-text.ts';
import type { RenderStyle } from './render-style.ts';

/** The texts of a ruled title; both may be styled and must be safe to show. */
export interface RuledTitle {
  readonly title: string;
  /** Stands at the right: a count or a position. */
  readonly note?: string;
  /** Colours the rule itself. */
  readonly rule: (text: string) => string;
}

/** A title within a rule over the full width: `── Title ───── 2 of 3 ──`. */
export function renderTitleRule(
  { title, note = '', rule }: RuledTitle,
  width: number,
  { glyphs }: RenderStyle,
): string {
  const line = glyphs.horizontal;
  const edge = line.repeat(2);
  const noteWidth = note === '' ? 0 : textWidth(note) + 4;
  const hasNote = note !== '' && width - noteWidth >= 12;
  const room = Math.max(1, width - 4 - (hasNote ? noteWidth + 1 : 0));
  const shown = truncateText(title, room, glyphs.ellipsis);
  const rest = width - textWidth(shown) - 4 - (hasNote ? noteWidth : 0);
  const end = hasNote ? ` ${note} ${rule(edge)}` : '';
  return truncateText(`${rule(edge)} ${shown} ${rule(line.repeat(Math.max(0, rest)))}${end}`, width);
}
