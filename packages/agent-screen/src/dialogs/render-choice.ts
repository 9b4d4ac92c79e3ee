import { bold, textWidth, wrapText } from '@robota-sdk/agent-tui';
import type { AppStyle } from '../theme/app-tokens.ts';
import type { Choice } from './choice-list.ts';

/** The position and style of a choice. */
export interface ChoiceLayout {
  readonly look: AppStyle;
  readonly width: number;
  /** How wide the widest label is that something is said of. */
  readonly labelWidth: number;
  readonly isSelected: boolean;
  /** The mark of a multiple choice. */
  readonly mark: string;
}

/** A second column that is narrower is put below. */
const leastColumn = 20;

/** Draws a choice: its label, and behind it or below what is said of it. */
export function renderChoice(choice: Choice, layout: ChoiceLayout): readonly string[] {
  const { look, width, isSelected, mark } = layout;
  const lead = `${isSelected ? ` ${look.glyphs.pointer} ` : '   '}${mark}`;
  const indent = ' '.repeat(textWidth(lead));
  const room = Math.max(1, width - indent.length);
  const columnRoom = room - layout.labelWidth - 3;
  const shine = (text: string) => (isSelected ? look.paint('accent', bold(text)) : text);
  const isBeside = choice.description !== '' && columnRoom >= leastColumn;
  const label = wrapText(choice.label, room).map(
    (line, row) => (row === 0 ? lead : indent) + shine(isBeside ? padded(line, layout.labelWidth) : line),
  );
  if (choice.description === '') return label;
  const muted = (text: string) => (text === '' ? '' : look.paint('muted', text));
  if (!isBeside)
    return [
      ...label,
      ...wrapText(choice.description, Math.max(1, room - 2)).map((line) => `${indent}  ${muted(line)}`),
    ];
  const below = ' '.repeat(indent.length + layout.labelWidth + 3);
  return wrapText(choice.description, columnRoom).map((line, row) =>
    row === 0 ? `${label[0] ?? ''}   ${muted(line)}` : below + muted(line),
  );
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)));
}
