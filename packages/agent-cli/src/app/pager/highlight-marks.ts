import { plainText, sliceText, textWidth } from '@robota-sdk/agent-tui';

/** Exchanges ink and paper of parts of a styled line, which are given by their characters: from, to. */
export function highlightMarks(line: string, marks: readonly (readonly [number, number])[]): string {
  const plain = plainText(line);
  let shown = '';
  let from = 0;
  for (const [start, end] of marks) {
    const [left, right] = [textWidth(plain.slice(0, start)), textWidth(plain.slice(0, end))];
    shown += `${sliceText(line, from, left)}\x1b[7m${plain.slice(start, end)}\x1b[27m`;
    from = right;
  }
  return shown + sliceText(line, from, textWidth(plain));
}
