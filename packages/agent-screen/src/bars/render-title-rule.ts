import { bold, oneLine, renderStatusLine, textWidth, truncateText } from '@robota-sdk/agent-tui';
import type { AppStyle } from '../theme/app-tokens.ts';

/** The ruled first line of a screen: its title on the left, facts on the right as far as there is room. */
export function renderTitleRule(
  title: string,
  facts: readonly string[],
  { look, width }: { readonly look: AppStyle; readonly width: number },
): string {
  const { paint, glyphs } = look;
  const line = (count: number) => paint('accent', glyphs.horizontal.repeat(Math.max(0, count)));
  const name = truncateText(oneLine(title), Math.max(1, width - 4), glyphs.ellipsis);
  const left = `${line(2)} ${paint('accent', bold(name))} `;
  // At least two signs of the rule stand between both sides.
  const room = width - textWidth(left) - 6;
  const fields = facts.map((text, index) => ({ text: paint('dim', text), priority: facts.length - index }));
  const status = room < 4 ? '' : renderStatusLine(fields, room, look);
  if (status === '' || textWidth(status) > room) return `${left}${line(width - textWidth(left))}`;
  const right = ` ${status} ${line(2)}`;
  return `${left}${line(width - textWidth(left) - textWidth(right))}${right}`;
}
