import xterm from '@xterm/headless';

/** How a character is shown; a colour is its number in the palette, or its red, green and blue. */
export interface CellStyle {
  readonly colour: number | undefined;
  readonly ground: number | undefined;
  readonly isBold: boolean;
  readonly isDim: boolean;
  readonly isStruck: boolean;
  readonly isItalic: boolean;
  readonly isInverse: boolean;
  readonly isUnderlined: boolean;
}

/** After this a terminal shows a frame whose end never came. */
const frameMs = 1000;

/** A real terminal emulator without a window: shows the screen as a user sees it. */
export class Emulator {
  readonly #terminal: xterm.Terminal;

  /** Rows that become too long are broken with another width, unless the terminal keeps them as xterm itself does. */
  constructor(columns: number, rows: number, { keepsRows = false }: { readonly keepsRows?: boolean } = {}) {
    const size = { cols: columns, rows, scrollback: 20_000 };
    // Old Windows consoles never reflow.
    const windowsPty = keepsRows ? ({ backend: 'conpty', buildNumber: 19_000 } as const) : {};
    this.#terminal = new xterm.Terminal({ ...size, windowsPty, allowProposedApi: true });
  }

  write(data: string | Uint8Array): void {
    this.#terminal.write(data);
  }

  /** Its answers to terminal queries. */
  onAnswer(listener: (answer: string) => void): void {
    this.#terminal.onData(listener);
  }

  resize(columns: number, rows: number): void {
    this.#terminal.resize(columns, rows);
  }

  /** All rows, those of the scrollback first, without trailing blanks. */
  async screen(): Promise<string> {
    return (await this.#rows()).join('\n').trimEnd();
  }

  /** The rows that are in sight, without trailing blanks. */
  async viewport(): Promise<readonly string[]> {
    const { baseY } = this.#terminal.buffer.active;
    const rows = (await this.#rows()).slice(baseY, baseY + this.#terminal.rows);
    return rows.join('\n').trimEnd().split('\n');
  }

  /** The text that a mouse selection copies, from the first character of one text to the last of another. */
  async copied(first: string, last: string): Promise<string> {
    await this.#written();
    const { active } = this.#terminal.buffer;
    const lines = Array.from({ length: active.length }, (_, row) => active.getLine(row));
    const find = (text: string) => {
      const row = lines.findLastIndex((line) => line?.translateToString(true).includes(text));
      if (row < 0) throw new Error(`The terminal does not show ${text}.`);
      return { row, column: lines[row]?.translateToString(true).lastIndexOf(text) ?? 0 };
    };
    const start = find(first);
    const end = find(last);
    let text = '';
    for (let row = start.row; row <= end.row; row++) {
      const from = row === start.row ? start.column : 0;
      const to = row === end.row ? end.column + last.length : undefined;
      const isBroken = row > start.row && lines[row]?.isWrapped !== true;
      text += (isBroken ? '\n' : '') + selectedText(lines[row], from, to);
    }
    return text;
  }

  /** The position of the visible cursor, counted from 0. */
  async cursor(): Promise<{ readonly column: number; readonly row: number }> {
    await this.#written();
    const { cursorX, cursorY } = this.#terminal.buffer.active;
    return { column: cursorX, row: cursorY };
  }

  /** How the characters of a text are shown, the last such text where there are several. */
  async stylesOf(text: string): Promise<readonly CellStyle[]> {
    await this.#written();
    const { active } = this.#terminal.buffer;
    for (let row = active.length - 1; row >= 0; row--) {
      const line = active.getLine(row);
      const column = line?.translateToString(true).lastIndexOf(text) ?? -1;
      if (!line || column < 0) continue;
      return Array.from(text, (_, index) => line.getCell(column + index)).flatMap((cell) =>
        cell ? [cellStyle(cell)] : [],
      );
    }
    throw new Error(`The terminal does not show ${text}.`);
  }

  async #rows(): Promise<readonly string[]> {
    await this.#written();
    const { cols, buffer } = this.#terminal;
    // Rows written before the terminal became narrower keep cells beyond its edge, which are not in sight.
    return Array.from(
      { length: buffer.active.length },
      (_, row) => buffer.active.getLine(row)?.translateToString(true, 0, cols).trimEnd() ?? '',
    );
  }

  /** Waits until all of it is shown: a terminal shows a frame at once, however many pieces it comes in. */
  async #written(): Promise<void> {
    const deadline = performance.now() + frameMs;
    for (;;) {
      await new Promise<void>((resolve) => this.#terminal.write('', resolve));
      if (!this.#terminal.modes.synchronizedOutputMode || performance.now() > deadline) return;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
}

const tabWidth = 8;

/** The text of a row as terminals copy it that keep tabs: the cells that a tab jumped over were never written. */
function selectedText(line: xterm.IBufferLine | undefined, from: number, to: number | undefined): string {
  if (!line) return '';
  const cells = Array.from({ length: line.length }, (_, column) => line.getCell(column));
  const isEmpty = (column: number) => cells[column]?.getChars() === '' && cells[column].getWidth() === 1;
  const lastWritten = cells.findLastIndex((cell) => cell !== undefined && cell.getChars() !== '');
  let text = '';
  for (let column = from; column <= Math.min(lastWritten, (to ?? line.length) - 1); ) {
    const stop = Math.min(line.length - 1, column + tabWidth - (column % tabWidth));
    const isTab = stop > column && cells.slice(column, stop).every((_, index) => isEmpty(column + index));
    const cell = cells[column];
    text += isTab ? '\t' : isEmpty(column) ? ' ' : (cell?.getChars() ?? '');
    column = isTab ? stop : column + 1;
  }
  return text;
}

function cellStyle(cell: xterm.IBufferCell): CellStyle {
  return {
    colour: cell.isFgDefault() ? undefined : cell.getFgColor(),
    ground: cell.isBgDefault() ? undefined : cell.getBgColor(),
    isBold: cell.isBold() !== 0,
    isDim: cell.isDim() !== 0,
    isStruck: cell.isStrikethrough() !== 0,
    isItalic: cell.isItalic() !== 0,
    isInverse: cell.isInverse() !== 0,
    isUnderlined: cell.isUnderline() !== 0,
  };
}
