import { type Editor, renderDraft, type ScreenSize } from '@robota-sdk/agent-tui';
import type { Panel } from '../stage/stage.ts';
import type { AppStyle } from '../theme/app-tokens.ts';

/** On a lower screen a question has all but the line at the foot. */
export const lowRows = 14;
/** From this height on the editor stays whole below a question. */
const roomyRows = 30;

/** The editor below a question: dim, or with the cursor in it while keys still go there. */
export function draftBelow(
  panel: Panel,
  editor: Editor | undefined,
  { columns, rows, look }: ScreenSize & { readonly look: AppStyle },
): readonly string[] {
  const isTyped = panel.draft === 'typed';
  if (panel.draft === undefined || !editor) return [];
  const isTight = rows < roomyRows;
  if (editor.isEmpty && !isTyped && isTight) return [];
  if (isTyped && rows >= lowRows) {
    const { borderStyle } = editor;
    Object.assign(editor, { isFocused: true, maxRows: 3, popupRows: Math.min(5, Math.floor(rows / 6)) });
    editor.borderStyle = (text) => look.paint('accent', text);
    const lines = editor.render(columns);
    editor.borderStyle = borderStyle;
    return lines;
  }
  const size = { columns, rows: rows < lowRows ? 1 : 3 };
  const lines = renderDraft(editor.state, { size, isFocused: isTyped, prompt: editor.prompt });
  const rule = rows < lowRows ? [] : [look.paint('border', look.glyphs.horizontal.repeat(columns))];
  return [...rule, ...lines.map((line) => look.paint('dim', line)), ...(isTight ? [] : rule)];
}
