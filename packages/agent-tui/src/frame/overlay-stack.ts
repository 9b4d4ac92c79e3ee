import type { InputEvent } from '../input/input-event.ts';
import { type Component, isFocusable } from '../text/component.ts';
import { sliceText } from '../text/slice-text.ts';
import { textWidth } from '../text/styled-text.ts';
import type { ScreenSize } from './screen.ts';

/** The position and the width of an overlay. */
export interface OverlayOptions {
  /** Columns, or a share of the screen below 1; 0.8 by default. */
  readonly width?: number;
  /** The lower edge of the live region by default. */
  readonly anchor?: 'bottom' | 'top' | 'centre';
}

/** An overlay that is shown. */
export interface OverlayHandle {
  readonly isHidden: boolean;
  /** Takes it away for a while, or shows it again. */
  setHidden(isHidden: boolean): void;
  /** Takes it away for good. */
  close(): void;
}

interface Entry {
  readonly component: Component;
  readonly options: OverlayOptions;
  isHidden: boolean;
}

/** Components that lie over the live region; the topmost one in sight has the keys. */
export class OverlayStack {
  readonly #entries: Entry[] = [];

  /** Shows a component above the others. */
  show(component: Component, options: OverlayOptions = {}): OverlayHandle {
    const entry: Entry = { component, options, isHidden: false };
    this.#entries.push(entry);
    this.#moveFocus();
    return {
      get isHidden() {
        return entry.isHidden;
      },
      setHidden: (isHidden) => {
        entry.isHidden = isHidden;
        this.#moveFocus();
      },
      close: () => {
        const index = this.#entries.indexOf(entry);
        if (index >= 0) this.#entries.splice(index, 1);
        if (isFocusable(component)) component.isFocused = false;
        this.#moveFocus();
      },
    };
  }

  /** The component that has the keys, if any overlay is in sight. */
  get top(): Component | undefined {
    return this.#entries.findLast(({ isHidden }) => !isHidden)?.component;
  }

  /** Gives a key to the topmost overlay; true if there is one, since what lies below is not to see it. */
  handleInput(event: InputEvent): boolean {
    const { top } = this;
    top?.handleInput?.(event);
    return top !== undefined;
  }

  /** The lines of the live region with the overlays over them. */
  composite(base: readonly string[], size: ScreenSize): readonly string[] {
    const shown = this.#entries.filter(({ isHidden }) => !isHidden);
    if (shown.length === 0) return base;
    const drawn = shown.map((entry) => draw(entry, size));
    const height = Math.max(base.length, ...drawn.map(({ lines }) => lines.length));
    // The lower edge, with the editor and the status, stays where it is.
    const padded = [...Array.from({ length: height - base.length }, () => ''), ...base];
    return compositeOverlays(
      padded,
      drawn.map((overlay) => place(overlay, height)),
    );
  }

  #moveFocus(): void {
    const { top } = this;
    for (const { component } of this.#entries)
      if (isFocusable(component)) component.isFocused = component === top;
  }
}

interface DrawnOverlay extends Omit<PlacedOverlay, 'row'> {
  readonly anchor: NonNullable<OverlayOptions['anchor']>;
}

function draw({ component, options }: Entry, size: ScreenSize): DrawnOverlay {
  const { width: wanted = 0.8, anchor = 'bottom' } = options;
  const columns = wanted < 1 ? Math.floor(size.columns * wanted) : wanted;
  const width = Math.max(1, Math.min(columns, size.columns));
  const lines = component.render(width).slice(0, Math.max(1, size.rows - 1));
  return { lines, column: Math.floor((size.columns - width) / 2), width, anchor };
}

function place({ lines, column, width, anchor }: DrawnOverlay, height: number): PlacedOverlay {
  const room = height - lines.length;
  const row = anchor === 'top' ? 0 : anchor === 'centre' ? Math.floor(room / 2) : room;
  return { lines, row, column, width };
}

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
