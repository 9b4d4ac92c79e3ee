/** The input: the typed part, then everything from the first pasted lines on, which is never a command. */
export interface TypedInput {
  readonly typed: string;
  readonly pasted: string;
}

// The line editor has one line, so what would break it is shown by a mark and read back when the line is sent.
const lineBreak = '⏎';
const tabulator = '⇥';
const pasteStart = '\u200b';
/** Before a mark, or itself: that was entered as it stands. */
const literal = '\ufe0e';

const meanings: Readonly<Record<string, string>> = { [lineBreak]: '\n', [tabulator]: '\t', [pasteStart]: '' };

/** Keys as the line editor may have them: what looks like a mark means itself. */
export function encodeTyped(text: string): string {
  return text.replace(/(?:[⏎⇥\u200b]|\ufe0e)/gu, `${literal}$&`);
}

/** A text in one line; other control characters, which would be keys to the line editor, are left out. */
export function encodePastedText(text: string): string {
  return encodeTyped(text)
    .replaceAll('\n', lineBreak)
    .replaceAll('\t', tabulator)
    .replace(/\p{Cc}+/gu, '');
}

/** Pasted lines in one line, with their beginning marked. */
export function encodePaste(text: string): string {
  return pasteStart + encodePastedText(text);
}

/** A line that ends in an unescaped backslash continues: returns it with a line break instead. */
export function continued(line: string): string | undefined {
  return /(?<!\\)(?:\\\\)*\\$/.test(line) ? line.slice(0, -1) + lineBreak : undefined;
}

/** Decodes a line of the editor. */
export function decodePastedLine(line: string): TypedInput {
  const marks = [...line.matchAll(/\ufe0e(?:[⏎⇥\u200b]|\ufe0e)|\u200b/gu)];
  const at = marks.find(([mark]) => mark === pasteStart)?.index ?? -1;
  const pasted = at < 0 ? '' : decode(line.slice(at));
  // A paste that was taken out again, down to one line, is like typing.
  if (!pasted.includes('\n')) return { typed: decode(line), pasted: '' };
  return { typed: decode(line.slice(0, at)), pasted };
}

function decode(line: string): string {
  return line.replace(/\ufe0e([⏎⇥\u200b]|\ufe0e)|[⏎⇥\u200b]/gu, (mark, itself?: string) =>
    itself === undefined ? (meanings[mark] ?? mark) : itself,
  );
}
