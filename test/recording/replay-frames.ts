import xterm from '@xterm/headless';
import { type Frame, type Run, type RunStyle, type ScreenRow, sameStyle } from './screen-row.ts';

/** The end of a frame: the program marks each, so that terminals show it at once. */
export const frameEnd = '\u001b[?2026l';

/** The screens that a program painted, in order; `raw` is all that it wrote to a terminal of this size. */
export async function replayFrames(
  raw: string,
  { columns, rows }: { readonly columns: number; readonly rows: number },
): Promise<readonly Frame[]> {
  const terminal = new xterm.Terminal({ cols: columns, rows, scrollback: 0, allowProposedApi: true });
  const frames: Frame[] = [];
  let hasCursor = true;
  for (const painted of raw.split(frameEnd)) {
    await new Promise<void>((resolve) => terminal.write(painted + frameEnd, resolve));
    const shown = painted.lastIndexOf('\u001b[?25h');
    const hidden = painted.lastIndexOf('\u001b[?25l');
    if (shown !== hidden) hasCursor = shown > hidden;
    frames.push(frameOf(terminal, hasCursor));
  }
  terminal.dispose();
  return frames;
}

function frameOf(terminal: xterm.Terminal, hasCursor: boolean): Frame {
  const { active } = terminal.buffer;
  const rows = Array.from({ length: terminal.rows }, (_, row) => rowOf(active.getLine(active.baseY + row)));
  return { rows, cursor: hasCursor ? { column: active.cursorX, row: active.cursorY } : undefined };
}

function rowOf(line: xterm.IBufferLine | undefined): ScreenRow {
  const runs: Run[] = [];
  for (let column = 0; column < (line?.length ?? 0); column++) {
    const cell = line?.getCell(column);
    if (!cell || cell.getWidth() === 0) continue;
    const style = styleOf(cell);
    const text = cell.getChars() || ' ';
    const last = runs.at(-1);
    if (last && sameStyle(last, style)) runs[runs.length - 1] = { ...last, text: last.text + text };
    else runs.push({ text, ...style });
  }
  const last = runs.at(-1);
  if (last && isPlain(last)) runs[runs.length - 1] = { ...last, text: last.text.trimEnd() };
  return runs.filter(({ text }) => text !== '');
}

/** Blanks in this style show nothing. */
function isPlain({ ground, isUnderlined, isInverse, isStruck }: RunStyle): boolean {
  return ground === undefined && !isUnderlined && !isInverse && !isStruck;
}

function styleOf(cell: xterm.IBufferCell): RunStyle {
  const colour = cell.isFgDefault() ? undefined : colourOf(cell.getFgColor(), cell.isFgRGB());
  const ground = cell.isBgDefault() ? undefined : colourOf(cell.getBgColor(), cell.isBgRGB());
  return {
    ...(colour === undefined ? {} : { colour }),
    ...(ground === undefined ? {} : { ground }),
    ...(cell.isBold() ? { isBold: true } : {}),
    ...(cell.isDim() ? { isDim: true } : {}),
    ...(cell.isItalic() ? { isItalic: true } : {}),
    ...(cell.isUnderline() ? { isUnderlined: true } : {}),
    ...(cell.isStrikethrough() ? { isStruck: true } : {}),
    ...(cell.isInverse() ? { isInverse: true } : {}),
  };
}

/** Recordings are made with 24-bit colours, which are the theme's own. */
function colourOf(value: number, isRgb: boolean): string {
  if (!isRgb) throw new Error(`Expected a 24-bit colour, not colour ${value} of the palette.`);
  return `#${value.toString(16).padStart(6, '0')}`;
}
