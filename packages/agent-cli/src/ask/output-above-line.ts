import { clearScreenDown, cursorTo, type Interface, moveCursor } from 'node:readline';
import type { Output } from '@robota-sdk/agent-transport-headless';

/**
 * An output that preserves the line being typed: other text is printed above it in whole lines, and the line
 * is redrawn.
 */
export function outputAboveLine(output: Output, lines: Interface, isTyping: () => boolean): Output {
  if (!process.stdout.isTTY || (process.env.TERM ?? 'dumb') === 'dumb') return output;
  let begun = '';
  const write = (text: string) => {
    const all = begun + text;
    const length = isTyping() ? all.lastIndexOf('\n') + 1 : all.length;
    begun = all.slice(length);
    if (length === 0) return;
    if (!isTyping()) return output.write(all);
    leaveLine(lines);
    const written = output.write(all.slice(0, length));
    drawLine(lines);
    return written;
  };
  return { ...output, write };
}

function leaveLine(lines: Interface): void {
  moveCursor(process.stdout, 0, -lines.getCursorPos().rows);
  cursorTo(process.stdout, 0);
  clearScreenDown(process.stdout);
}

function drawLine(lines: Interface): void {
  // The editor goes up by the rows it drew last, which are gone.
  Reflect.set(lines, 'prevRows', 0);
  lines.prompt(true);
}
