/** An entry and its line, with the line feed. */
export interface WrittenLine {
  readonly id: string;
  readonly line: string;
}

/**
 * The offsets of entries' lines in a file that ends with the text just written. The text contains them in order, among
 * others.
 */
export function* writtenPlaces(
  text: string,
  lines: readonly WrittenLine[],
  end: number,
): Generator<{ readonly id: string; readonly offset: number }> {
  let offset = end - Buffer.byteLength(text);
  let position = 0;
  for (const { id, line } of lines) {
    const start = text.indexOf(line, position);
    if (start < 0) return;
    offset += Buffer.byteLength(text.slice(position, start));
    yield { id, offset };
    offset += Buffer.byteLength(line);
    position = start + line.length;
  }
}
