import { bold, textWidth, wrapText } from '@robota-sdk/agent-tui';
import type { AppStyle } from '../theme/app-tokens.ts';
import type { Choice } from './choice-list.ts';

/** The position and style of a choice. */
export interface ChoiceLayout {
  readonly look: AppStyle;
  readonly width: number;
  /** How wide the widest label is that has a note. */
  readonly labelWidth: number;
  readonly isSelected: boolean;
  /** Its number and the mark of a multiple choice. */
  readonly mark: string;
}

/** A second column that is narrower is put below. */
const leastColumn = 20;

/** Draws a choice: its label, and after it or below its note. The selected one fills its rows. */
export function renderChoice(choice: Choice, layout: ChoiceLayout): readonly string[] {
  const { look, width, isSelected } = layout;
  const rows = choiceRows(choice, layout);
  if (!isSelected) return rows;
  return rows.map((row) => look.paint('selectedBg', row + ' '.repeat(Math.max(0, width - textWidth(row)))));
}

function choiceRows(choice: Choice, { look, width, labelWidth, isSelected, mark }: ChoiceLayout): string[] {
  const shine = (text: string) => (isSelected ? look.paint('accent', bold(text)) : text);
  const lead = shine(`${choiceLead(look, isSelected)}${mark}`);
  const indent = ' '.repeat(textWidth(lead));
  const room = Math.max(1, width - indent.length);
  const columnRoom = room - labelWidth - 3;
  const isBeside = choice.description !== '' && columnRoom >= leastColumn;
  const label = wrapText(choice.label, room).map(
    (line, row) => (row === 0 ? lead : indent) + shine(isBeside ? padded(line, labelWidth) : line),
  );
  if (choice.description === '') return label;
  const note = (text: string) => (text === '' ? '' : look.paint('dim', text));
  if (!isBeside)
    return [
      ...label,
      ...wrapText(choice.description, Math.max(1, room - 2)).map((line) => `${indent}  ${note(line)}`),
    ];
  const below = ' '.repeat(indent.length + labelWidth + 3);
  return wrapText(choice.description, columnRoom).map((line, row) =>
    row === 0 ? `${label[0] ?? ''}   ${note(line)}` : below + note(line),
  );
}

/** The cursor before the selected row, and as much room before the others. */
function choiceLead({ glyphs }: AppStyle, isSelected: boolean): string {
  return isSelected ? `${glyphs.cursor} ` : '  ';
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)));
}
