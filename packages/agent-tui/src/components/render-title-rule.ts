import { textWidth } from '../text/styled-text.ts';
import { truncateText } from '../text/truncate-text.ts';
import type { RenderStyle } from './render-style.ts';

/** The texts of a ruled title; both may be styled and must be safe to show. */
export interface RuledTitle {
  readonly title: string;
  /** Stands at the right: a count or a position. Of several notes the last ones are left out where it is narrow. */
  readonly note?: string | readonly string[];
  /** Colours the rule itself. */
  readonly rule: (text: string) => string;
}

/** A title within a rule over the full width: `── Title ───── 2 of 3 ──`. */
export function renderTitleRule(
  { title, note: notes = '', rule }: RuledTitle,
  width: number,
  { glyphs, paint }: RenderStyle,
): string {
  const line = glyphs.horizontal;
  const separator = paint('dim', ` ${glyphs.separator} `);
  const note =
    typeof notes === 'string' ? notes : fittingNotes(notes, width - textWidth(title) - 11, separator);
  const edge = line.repeat(2);
  const noteWidth = note === '' ? 0 : textWidth(note) + 4;
  const hasNote = note !== '' && width - noteWidth >= 12;
  const room = Math.max(1, width - 4 - (hasNote ? noteWidth + 1 : 0));
  const shown = truncateText(title, room, glyphs.ellipsis);
  const rest = width - textWidth(shown) - 4 - (hasNote ? noteWidth : 0);
  const end = hasNote ? ` ${note} ${rule(edge)}` : '';
  return truncateText(`${rule(edge)} ${shown} ${rule(line.repeat(Math.max(0, rest)))}${end}`, width);
}

/** As many of the first notes as there is room for. */
function fittingNotes(notes: readonly string[], room: number, separator: string): string {
  const joined = notes.join(separator);
  if (notes.length === 0 || textWidth(joined) <= room) return joined;
  return fittingNotes(notes.slice(0, -1), room, separator);
}
