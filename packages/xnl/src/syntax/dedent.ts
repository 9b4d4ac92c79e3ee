/**
 * The text between an opener and its closer. Where the closer stands alone on an indented line, that indentation is
 * taken from every line, as far as a line has it, and an empty first line is dropped.
 */
export function dedent(body: string): string {
  const lastFeed = body.lastIndexOf('\n');
  const indentation = body.slice(lastFeed + 1);
  if (lastFeed < 0 || !isIndentation(indentation)) return body;
  const lines = body.split('\n');
  if (lines[0] === '' || lines[0] === '\r') lines.shift();
  return lines.map((line) => line.slice(commonLength(line, indentation))).join('\n');
}

/**
 * True if a text can be the body of a text element: no body ends in a line of blanks, since that is
 * indentation.
 */
export function survivesDedent(text: string): boolean {
  const lastFeed = text.lastIndexOf('\n');
  return lastFeed < 0 || !isIndentation(text.slice(lastFeed + 1));
}

function isIndentation(line: string): boolean {
  return /^[ \t]+$/.test(line);
}

function commonLength(line: string, indentation: string): number {
  let length = 0;
  while (length < indentation.length && line[length] === indentation[length]) length++;
  return length;
}
