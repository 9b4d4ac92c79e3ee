/**
 * Converts terminal output to plain text, chunk by chunk: escape sequences are removed, and a line rewritten with
 * carriage returns or backspaces is returned in its last state.
 */
export class TerminalText {
  #line = '';
  #escape = '';

  /** The current unfinished line. */
  get pending(): string {
    return plainLine(this.#line);
  }

  /** Adds a chunk and returns the completed lines. */
  write(piece: string): string {
    const text = this.#withoutEscapes(piece);
    const end = text.lastIndexOf('\n') + 1;
    if (end === 0) {
      this.#line += text;
      this.#keepLastState();
      return this.#line.length > longestLine ? this.flush() : '';
    }
    const finished = plainLines(this.#line + text.slice(0, end));
    this.#line = text.slice(end);
    return finished;
  }

  /** Returns the unfinished line and resets it. */
  flush(): string {
    const rest = this.pending;
    this.#line = '';
    return rest;
  }

  #withoutEscapes(piece: string): string {
    const text = this.#escape + piece;
    this.#escape = '';
    if (!text.includes('\x1b') && !text.includes('\x9b')) return text;
    const start = text.lastIndexOf('\x1b');
    const isCut =
      start !== -1 && !isWholeEscape.test(text.slice(start)) && text.length - start < longestEscape;
    if (!isCut) return text.replace(escapes, '');
    this.#escape = text.slice(start);
    return text.slice(0, start).replace(escapes, '');
  }

  /** A progress bar may rewrite its line for hours: only the last state is kept. */
  #keepLastState(): void {
    if (!this.#line.includes('\r')) return;
    const end = this.#line.endsWith('\r') ? '\r' : '';
    this.#line = lastState(this.#line) + end;
  }
}

const longestLine = 64 * 1024;
const longestEscape = 4096;

// CSI; OSC, which ends with BEL or ST; the other strings, which end with ST; two- and three-character sequences.
const sequence = String.raw`\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[PX^_][^\x1b]*\x1b\\|[ -/]+[0-~]|[0-OQ-WYZ\\\`a-~])|\x9b[0-?]*[ -/]*[@-~]`;
const escapes = new RegExp(sequence, 'g');
const isWholeEscape = new RegExp(`^(?:${sequence})`);

// Control characters without meaning in plain text, except line feed, tab and those handled above.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const controls = /[\u0001-\u0008\u000b-\u001f\u007f-\u009f]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const isSpecial = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

function plainLines(text: string): string {
  if (!isSpecial.test(text)) return text;
  return text.split('\n').map(plainLine).join('\n');
}

function plainLine(line: string): string {
  if (!isSpecial.test(line)) return line;
  return applyBackspaces(lastState(line)).replaceAll('\0', '\u2400').replace(controls, '');
}

function lastState(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === '\r') end -= 1;
  return line.slice(line.lastIndexOf('\r', end - 1) + 1, end);
}

function applyBackspaces(line: string): string {
  if (!line.includes('\b')) return line;
  const characters: string[] = [];
  for (const character of line) {
    if (character === '\b') characters.pop();
    else characters.push(character);
  }
  return characters.join('');
}
