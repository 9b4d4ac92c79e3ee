import { bold, oneLine, type RenderStyle } from '../../components/render-style.ts';
import { textWidth } from '../../text/styled-text.ts';
import { truncateText } from '../../text/truncate-text.ts';
import type { Completion } from './autocomplete-provider.ts';
import type { CompletionPopup } from './completion-popup.ts';

/** The room and the look of suggestions. */
export interface PopupSize {
  readonly columns: number;
  /** The most suggestions that are shown at once. */
  readonly rows: number;
  readonly look: RenderStyle;
}

/** Draws suggestions: names, what they do, headings of groups, and a count where not all of them are in sight. */
export function renderPopup(popup: CompletionPopup, room: PopupSize): string[] {
  const { items, selected } = popup;
  const count = Math.max(1, room.rows);
  const first = Math.min(Math.max(0, selected - Math.floor(count / 2)), Math.max(0, items.length - count));
  const shown = items.slice(first, first + count);
  const nameWidth = Math.min(Math.floor(room.columns / 2), Math.max(0, ...shown.map(nameWidthOf)));
  const lines = shown.flatMap((item, index) => {
    const row = renderItem(item, { room, nameWidth, isSelected: first + index === selected });
    const isNewGroup = item.group !== undefined && item.group !== items[first + index - 1]?.group;
    return isNewGroup ? [heading(item.group, room), row] : [row];
  });
  if (items.length <= count) return lines;
  return [
    ...lines,
    room.look.paint('dim', truncateText(`  ${Math.max(1, selected + 1)}/${items.length}`, room.columns)),
  ];
}

interface ItemStyle {
  readonly room: PopupSize;
  readonly nameWidth: number;
  readonly isSelected: boolean;
}

function renderItem(item: Completion, { room, nameWidth, isSelected }: ItemStyle): string {
  const { look, columns } = room;
  const hasOrigin = item.origin !== undefined;
  const nameRoom = hasOrigin ? Math.floor(columns / 2) : nameWidth;
  const name = truncateText(nameOf(item), nameRoom, look.glyphs.ellipsis);
  const padding = hasOrigin ? '' : ' '.repeat(Math.max(0, nameWidth - textWidth(name)));
  const more = item.next === 'open' || item.next === 'continue' ? ` ${look.glyphs.submenu}` : '';
  const lead = isSelected ? `${look.glyphs.pointer} ` : '  ';
  const gap = hasOrigin ? ' ' : '  ';
  const description = oneLine(item.description ?? '');
  const space = columns - textWidth(lead + name + padding + gap) - textWidth(more);
  const told = space > 3 ? truncateText(description, space, look.glyphs.ellipsis) : '';
  if (!isSelected) return `${lead}${name}${padding}${gap}${look.paint('muted', told + more)}`.trimEnd();
  const line = `${lead}${look.paint('accent', bold(name))}${padding}${gap}${told}${more}`;
  return look.paint('selectedBg', line + ' '.repeat(Math.max(0, columns - textWidth(line))));
}

function heading(group: string | undefined, { look, columns }: PopupSize): string {
  const line = look.glyphs.horizontal.repeat(2);
  return look.paint('dim', truncateText(`  ${line} ${oneLine(group ?? '')} ${line}`, columns));
}

function nameOf({ label, value, origin }: Completion): string {
  const name = oneLine(label ?? value);
  return origin === undefined ? name : `${name} (${oneLine(origin)})`;
}

/** Names with an origin are long; ignoring them keeps the descriptions of the others close to their names. */
function nameWidthOf(item: Completion): number {
  return item.origin === undefined ? textWidth(nameOf(item)) : 0;
}
