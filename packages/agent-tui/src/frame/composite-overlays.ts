import { sliceText } from '../text/slice-text.ts';
import { textWidth } from '../text/styled-text.ts';

/** Lines that lie over others, and where. */
export interface PlacedOverlay {
  readonly lines: readonly string[];
  readonly row: number;
  readonly column: number;
  readonly width: number;
}

/** Lays overlays over lines, the later ones on top; there are as many lines as the lowest of them needs. */
export function compositeOverlays(base: readonly string[], overlays: readonly PlacedOverlay[]): string[] {
  const result = [...base];
  for (const overlay of overlays) {
    overlay.lines.forEach((line, index) => {
      const row = overlay.row + index;
      while (result.length <= row) result.push('');
      result[row] = layOver(result[row] ?? '', line, overlay);
    });
  }
  return result;
}

function layOver(under: string, line: string, { column, width }: PlacedOverlay): string {
  const fill = (text: string, columns: number) => text + ' '.repeat(Math.max(0, columns - textWidth(text)));
  const right = sliceText(under, column + width, Number.POSITIVE_INFINITY);
  return fill(sliceText(under, 0, column), column) + fill(sliceText(line, 0, width), width) + right;
}
